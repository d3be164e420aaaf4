"""Downloads a file that may be large: resumed where it broke off, checked, named when whole.

Beside `<file>.part` lies `<file>.part.json`: the address and validator (ETag or date) of what was
begun. A server that has another file by now is asked with If-Range and answers with all of it.
"""

import errno
import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from corpora.errors import CorpusError, CorpusMissing

if TYPE_CHECKING:
    from httpx2 import Client, Response
    from tenacity import RetryCallState

T = TypeVar("T")

TRIES = 4
"""In a row without a new byte, after which it is given up; twice as many once some came."""

LONGEST_WAIT = 60.0
"""Seconds between two tries; the first wait is about one second."""

BUSY = frozenset((408, 425, 429, 500, 502, 503, 504))
"""Answers after which a server is asked again."""

Progress = Callable[[str, int, int], None]
"""Gets `downloading` or `checking`, the bytes that are done, and all of them (0 if unknown)."""


class _Again(Exception):  # noqa: N818 - what is to be done
    """A try broke off; the next one may do better."""


@dataclass(frozen=True, slots=True)
class File:
    """What to download, and where to."""

    url: str
    target: Path
    sha1: str = ""
    """In hex; empty if the site does not say."""
    wait: float = 1.0
    """Seconds before the second try; they double."""

    @property
    def part(self) -> Path:
        """The file until it is whole and checked."""
        return self.target.with_name(self.target.name + ".part")

    @property
    def note(self) -> Path:
        """What `part` is a part of."""
        return self.target.with_name(self.target.name + ".part.json")


def download(file: File, progress: Progress) -> Path:
    """Bring a file here, or find it.

    Args:
        file: what and where to; a part that an earlier call left is resumed.
        progress: told how far it is.

    Returns:
        The path of the whole and checked file.

    Raises:
        CorpusMissing: the site cannot be reached or does not have it.
        CorpusError: another process downloads it, its checksum is wrong, or the disk refuses.
    """
    from filelock import FileLock, Timeout

    if file.target.is_file():
        return file.target
    try:
        file.target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(file.target.with_name(f".{file.target.name}.lock"), timeout=0):
            _fill(file, progress)
            _check(file, progress)
            file.part.replace(file.target)
            file.note.unlink(missing_ok=True)
    except Timeout as error:
        raise CorpusError(f"Another process downloads {file.target}. Wait for it.") from error
    except OSError as error:
        cure = "Make room" if error.errno == errno.ENOSPC else "Mend that"
        raise CorpusError(
            f"Could not write {file.target}: {error.strerror or error}. {cure} and run the same "
            "command again: what is here is kept."
        ) from error
    return file.target


def text(url: str, wait: float = 1.0) -> tuple[str, str]:
    """A small text, and the address that it came from in the end.

    Raises:
        CorpusMissing: the site cannot be reached or does not have it.
    """
    from httpx2 import HTTPError, InvalidURL

    def once() -> tuple[str, str]:
        with _client() as client:
            response = client.get(url)
            _usable(response, url)
            return response.text, str(response.url)

    try:
        return _retried(once, lambda: 0, wait)
    except (HTTPError, InvalidURL, _Again) as error:
        raise missing(url, str(error) or type(error).__name__) from error


def missing(url: str, reason: str) -> CorpusMissing:
    """The error that says that something cannot be fetched from here."""
    return CorpusMissing(f"Could not fetch {url}: {reason}.")


def _fill(file: File, progress: Progress) -> None:
    """Download what is not here yet; breaks are mended by asking for the rest."""
    from httpx2 import HTTPError, InvalidURL

    def once() -> None:
        with _client() as client:
            _go_on(client, file, progress)

    try:
        _retried(once, lambda: _size(file.part), file.wait)
    except (HTTPError, InvalidURL, _Again) as error:
        here = _size(file.part)
        kept = f" {here:,} bytes are here; the same command goes on behind them." if here else ""
        problem = missing(file.url, str(error) or type(error).__name__)
        raise CorpusMissing(
            f"{problem} Run the command where there is a network, or bring the file by hand to "
            f"{file.target}.{kept}"
        ) from error


def _go_on(client: "Client", file: File, progress: Progress) -> None:
    """One try: ask for what is not here yet, and append it."""
    here, note = _size(file.part), _note(file)
    headers = {"Accept-Encoding": "identity"}
    resumable = bool(here and note.get("url") == file.url and (note["validator"] or file.sha1))
    if resumable:
        headers["Range"] = f"bytes={here}-"
        if note["validator"]:
            headers["If-Range"] = note["validator"]
    with client.stream("GET", file.url, headers=headers) as response:
        if response.status_code == 416 and resumable:
            if response.headers.get("Content-Range", "") == f"bytes */{here}":
                return
            file.part.unlink()
            raise _Again("the file there is shorter than what is here")
        _usable(response, file.url)
        if resumable and _is_other(response, note["validator"]):
            file.part.unlink()
            raise _Again("the file changed while it was downloaded")
        if not (resumable and _follows(response, here)):
            here = 0
            file.part.unlink(missing_ok=True)
            file.note.write_text(
                json.dumps({"url": file.url, "validator": _validator(response)}), "utf-8"
            )
        _append(file, response, here, progress)


def _append(file: File, response: "Response", here: int, progress: Progress) -> None:
    left = int(response.headers.get("Content-Length") or 0)
    total = here + left if left else 0
    if left and shutil.disk_usage(file.part.parent).free < left:
        raise OSError(errno.ENOSPC, f"{left:,} bytes are needed on the disk")
    with file.part.open("ab") as part:
        for chunk in response.iter_raw():
            part.write(chunk)
            here += len(chunk)
            progress("downloading", here, total)
    if total and here != total:
        raise _Again(f"it broke off after {here:,} of {total:,} bytes")


def _check(file: File, progress: Progress) -> None:
    if not file.sha1:
        return
    progress("checking", 0, _size(file.part))
    with file.part.open("rb") as part:
        found = hashlib.file_digest(part, lambda: hashlib.sha1(usedforsecurity=False)).hexdigest()
    if found != file.sha1:
        file.part.unlink()
        file.note.unlink(missing_ok=True)
        raise CorpusError(
            f"{file.url} has SHA-1 {found}, expected {file.sha1}. It was thrown away; run the same "
            "command again, or try another --mirror."
        )
    progress("checking", _size(file.part), _size(file.part))


def _client() -> "Client":
    from httpx2 import Client, Timeout

    return Client(follow_redirects=True, timeout=Timeout(60, connect=20))


def _usable(response: "Response", url: str) -> None:
    if response.status_code in BUSY:
        raise _Again(f"the server answers {response.status_code} {response.reason_phrase}")
    if response.status_code not in (200, 206):
        raise missing(url, f"the server answers {response.status_code} {response.reason_phrase}")


def _follows(response: "Response", here: int) -> bool:
    return response.status_code == 206 and response.headers.get("Content-Range", "").startswith(
        f"bytes {here}-"
    )


def _is_other(response: "Response", validator: str) -> bool:
    """Whether a part comes of another version, from a server that does not know If-Range."""
    now = _validator(response)
    return response.status_code == 206 and bool(now and validator and now != validator)


def _validator(response: "Response") -> str:
    """What tells this version of the file from others; a weak ETag does not."""
    tag: str = response.headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified", "")


def _retried(once: Callable[[], T], size: Callable[[], int], wait: float) -> T:
    """Try again while tries bring something, and some times when they do not."""
    from httpx2 import TransportError
    from tenacity import Retrying, retry_if_exception_type, wait_exponential, wait_random

    idle, begun = 0, size()
    last = begun

    def stop(_: "RetryCallState") -> bool:
        nonlocal idle, last
        idle, last = (0 if size() > last else idle + 1), size()
        return idle >= (TRIES if last == begun else 2 * TRIES)

    return Retrying(
        stop=stop,
        wait=wait_exponential(multiplier=wait, max=LONGEST_WAIT) + wait_random(0, wait),
        retry=retry_if_exception_type((TransportError, _Again)),
        reraise=True,
    )(once)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _note(file: File) -> dict[str, str]:
    try:
        note = json.loads(file.note.read_text("utf-8"))
        return {"url": str(note["url"]), "validator": str(note["validator"])}
    except (OSError, ValueError, TypeError, KeyError):
        return {}
