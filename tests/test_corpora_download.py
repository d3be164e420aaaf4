"""A real server on the loopback device, which breaks off, changes files and knows Range."""

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from corpora import dated, download, sources
from corpora.download import File
from corpora.errors import CorpusError, CorpusMissing

BODY = bytes(range(256)) * 4000

WAIT = 0.001

DUMP = sources.dumps()["wikipedia"]

NAME = "dewiki-20260901-pages-articles-multistream.xml.bz2"


@dataclass
class Site:
    """What the server serves, and what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)
    etag: str = '"one"'
    break_after: int = 0
    """Bytes after which answers break off; 0: never."""
    breaks: int = 0
    """Answers that still break off, or are busy if `break_after` is 0."""
    knows_if_range: bool = True
    asked: list[str] = field(default_factory=list)
    url: str = ""


class Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        site, range_ = self.site, self.headers.get("Range", "")
        site.asked.append(f"{self.path} {range_}".strip())
        breaks = site.breaks > 0
        site.breaks -= 1
        if breaks and not site.break_after:
            self.send_error(503)
            return
        body = site.files.get(self.path)
        if body is None:
            self.send_error(404)
            return
        known = not site.knows_if_range or self.headers.get("If-Range", site.etag) == site.etag
        start = int(re.findall(r"\d+", range_)[0]) if range_ and known else 0
        if start >= len(body) > 0:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(body)}")
            self.end_headers()
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - start))
        if site.etag:
            self.send_header("ETag", site.etag)
        self.end_headers()
        self.wfile.write(body[start:][: site.break_after if breaks else None])

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def serving(found: Site, port: int = 0) -> Iterator[Site]:
    handler = type("Bound", (Handler,), {"site": found})
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        found.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield found
        server.shutdown()


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site({"/a": BODY})) as found:
        yield found


def wanted(site: Site, home: Path, sha1: str = hashlib.sha1(BODY).hexdigest()) -> File:
    return File(f"{site.url}/a", home / "a.bz2", sha1, WAIT)


def quiet(stage: str, done: int, total: int) -> None:
    """Nothing."""


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir() if not one.name.endswith(".lock"))


def test_a_file_is_named_only_when_whole_and_checked(site: Site, tmp_path: Path) -> None:
    told = []
    path = download.download(wanted(site, tmp_path), lambda *one: told.append(one))
    assert path.read_bytes() == BODY
    assert names(tmp_path) == ["a.bz2"]
    assert told[-1] == ("checking", len(BODY), len(BODY))


def test_a_broken_answer_is_gone_on_with_in_the_same_call(site: Site, tmp_path: Path) -> None:
    site.break_after, site.breaks = 300_000, 2
    assert download.download(wanted(site, tmp_path), quiet).read_bytes() == BODY
    assert [one.startswith("/a bytes=") for one in site.asked] == [False, True, True]


def test_a_call_that_was_given_up_is_gone_on_with_by_the_next(site: Site, tmp_path: Path) -> None:
    site.break_after, site.breaks = 300_000, 1
    file = wanted(site, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        download.download(file, stop)
    here = file.part.stat().st_size
    assert names(tmp_path) == ["a.bz2.part", "a.bz2.part.json"]
    assert download.download(file, quiet).read_bytes() == BODY
    assert site.asked[-1] == f"/a bytes={here}-"


def test_a_server_that_goes_away_and_comes_back_is_gone_on_with(tmp_path: Path) -> None:
    with serving(Site({"/a": BODY}, break_after=300_000, breaks=99)) as first:
        file = wanted(first, tmp_path)
        with pytest.raises(KeyboardInterrupt):
            download.download(file, stop)
    with pytest.raises(CorpusMissing, match=r"[\d,]+ bytes are here; the same command goes on"):
        download.download(file, quiet)
    with serving(Site({"/a": BODY}), int(first.url.rpartition(":")[2])) as second:
        assert download.download(file, quiet).read_bytes() == BODY
    assert second.asked[0].startswith("/a bytes=")


def stop(stage: str, done: int, total: int) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("knows_if_range", [True, False])
def test_a_file_that_changed_is_begun_again(
    site: Site, tmp_path: Path, knows_if_range: bool
) -> None:
    file = wanted(site, tmp_path, hashlib.sha1(BODY[::-1]).hexdigest())
    with pytest.raises(KeyboardInterrupt):
        download.download(file, stop)
    site.files["/a"], site.etag, site.knows_if_range = BODY[::-1], '"two"', knows_if_range
    assert download.download(file, quiet).read_bytes() == BODY[::-1]


def test_a_part_without_validator_and_checksum_is_not_trusted(site: Site, tmp_path: Path) -> None:
    site.etag = ""
    file = wanted(site, tmp_path, sha1="")
    file.part.write_bytes(b"something else")
    file.note.write_text(json.dumps({"url": file.url, "validator": ""}))
    assert download.download(file, quiet).read_bytes() == BODY


def test_a_part_that_is_already_whole_is_only_checked(site: Site, tmp_path: Path) -> None:
    file = wanted(site, tmp_path)
    file.part.write_bytes(BODY)
    file.note.write_text(json.dumps({"url": file.url, "validator": '"one"'}))
    assert download.download(file, quiet).read_bytes() == BODY


def test_a_wrong_checksum_is_thrown_away(site: Site, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="expected 0000"):
        download.download(wanted(site, tmp_path, "0" * 40), quiet)
    assert names(tmp_path) == []


def test_a_busy_server_is_asked_again(site: Site, tmp_path: Path) -> None:
    site.breaks = 2
    assert download.download(wanted(site, tmp_path), quiet).read_bytes() == BODY


def test_a_server_that_stays_busy_is_given_up_and_said(site: Site, tmp_path: Path) -> None:
    site.breaks = 99
    with pytest.raises(CorpusMissing, match=r"answers 503.*by hand to .*a\.bz2"):
        download.download(wanted(site, tmp_path), quiet)
    assert len(site.asked) == download.TRIES


def test_a_file_that_the_site_does_not_have_is_missing_at_once(site: Site, tmp_path: Path) -> None:
    with pytest.raises(CorpusMissing, match="answers 404"):
        download.download(File(f"{site.url}/b", tmp_path / "b", "", WAIT), quiet)
    assert len(site.asked) == 1


def with_dump(site: Site, sha1: str = hashlib.sha1(BODY).hexdigest()) -> Site:
    sums = f"{'1' * 40}  dewiki-20260901-stub.xml.gz\n{sha1}  {NAME}\n"
    site.files = {
        "/dewiki/latest/dewiki-latest-sha1sums.txt": sums.encode(),
        "/dewiki/20260901/dewiki-20260901-sha1sums.txt": sums.encode(),
        f"/dewiki/20260901/{NAME}": BODY,
    }
    return site


@pytest.mark.parametrize("date", ["latest", "20260901", "2026-09-01"])
def test_a_dump_gets_its_true_date(site: Site, tmp_path: Path, date: str) -> None:
    options = {"language": "de", "date": date, "mirror": with_dump(site).url + "/"}
    path = dated.fetch(DUMP, tmp_path, **options)
    assert path == tmp_path / "corpora" / "wikipedia" / NAME
    assert path.read_bytes() == BODY


def test_a_dump_that_is_here_needs_no_network(tmp_path: Path) -> None:
    path = tmp_path / "corpora" / "wikipedia" / NAME
    path.parent.mkdir(parents=True)
    path.touch()
    assert dated.fetch(DUMP, tmp_path, language="de", date="20260901") == path


def test_a_dump_without_checksum_is_refused(site: Site, tmp_path: Path) -> None:
    with_dump(site).files["/dewiki/latest/dewiki-latest-sha1sums.txt"] = b"x  other\n"
    with pytest.raises(CorpusError, match="not finished or not kept"):
        dated.fetch(DUMP, tmp_path, language="de", mirror=site.url)


def test_without_a_network_it_says_where_the_file_goes(tmp_path: Path) -> None:
    with pytest.raises(CorpusMissing, match=r"by hand to .*corpora/wikipedia/"):
        dated.fetch(DUMP, tmp_path, mirror="http://127.0.0.1:9", wait=WAIT)


@pytest.mark.parametrize(("language", "date"), [("../x", "latest"), ("en", "yesterday")])
def test_a_bad_language_or_date_is_an_error(tmp_path: Path, language: str, date: str) -> None:
    with pytest.raises(CorpusError, match="such as"):
        dated.fetch(DUMP, tmp_path, language=language, date=date)
