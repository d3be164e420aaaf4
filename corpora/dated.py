"""Fetches a dump of a date: its checksum first, then the file under its own name."""

from pathlib import Path

from corpora import download
from corpora.errors import CorpusError, CorpusMissing
from corpora.sources import Dump, day, wiki

LATEST = "latest"


def fetch(
    dump: Dump,
    home: Path,
    *,
    language: str = "en",
    date: str = LATEST,
    mirror: str = "",
    progress: download.Progress = lambda stage, done, total: None,  # noqa: ARG005
    wait: float = 1.0,
) -> Path:
    """Bring a dump under `home`, or find it there.

    Args:
        dump: what to fetch.
        home: the directory that holds models, corpora and indexes.
        language: code of the wiki's language.
        date: of the dump, or `latest`; the file's name has the true date.
        mirror: address of a site with the same folders; the dump's own site if empty.
        progress: told how far it is.
        wait: seconds before the second try.

    Raises:
        CorpusMissing: the site cannot be reached or has no such dump.
        CorpusError: the language or date is none, or what came is not what was announced.
    """
    names = {"wiki": wiki(language), "date": day(date)}
    target = dump.place(home) / dump.file.format(**names)
    if target.is_file():
        return target
    site = (mirror or dump.site).rstrip("/")
    sums_url = f"{site}/{dump.folder.format(**names)}/{dump.checksums.format(**names)}"
    try:
        sums, _ = download.text(sums_url, wait)
    except CorpusMissing as error:
        raise CorpusMissing(f"{error} {_by_hand(dump, home, language, names['date'])}") from error
    sha1, file = _wanted(sums, dump, names["wiki"], sums_url)
    names["date"] = file.removeprefix(names["wiki"] + "-").partition("-")[0]
    url = f"{site}/{dump.folder.format(**names)}/{file}"
    return download.download(download.File(url, dump.place(home) / file, sha1, wait), progress)


def _wanted(sums: str, dump: Dump, name: str, url: str) -> tuple[str, str]:
    """SHA-1 and name of the dump's file; the list has lines `<sum>  <name>`."""
    before, _, after = dump.file.format(wiki=name, date="\n").partition("\n")
    for line in sums.splitlines():
        sha1, _, file = line.partition(" ")
        file = file.strip().lstrip("*")
        dated = file.removeprefix(before).removesuffix(after)
        if file == f"{before}{dated}{after}" and dated.isdecimal():
            return sha1.lower(), file
    raise CorpusError(
        f"{url} lists no {before}DATE{after}: that dump is not finished or not kept any more. "
        "Give another --date; `latest` is the newest."
    )


def _by_hand(dump: Dump, home: Path, language: str, date: str) -> str:
    shown = "DATE" if date == LATEST else date
    file = dump.file.format(wiki=wiki(language), date=shown)
    folder = dump.folder.format(wiki=wiki(language), date=shown)
    return (
        f"Run `verifier corpus fetch {dump.name}` where there is a network, or bring "
        f"{dump.site}/{folder}/{file} by hand to {dump.place(home)}{'/'}."
    )
