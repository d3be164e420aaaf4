"""Writes small MediaWiki dumps, and reads them with ours."""

from pathlib import Path

from corpora.dump import BadPage, Page, Raw, Site, parse, place, raw_pages
from corpora.reading import Reading, Skipped

INFO = """<siteinfo><sitename>Wiki</sitename><dbname>dewiki</dbname>
<base>https://de.wikipedia.org/wiki/A&amp;B</base><case>first-letter</case><namespaces>
<namespace key="-1" case="first-letter">Spezial</namespace><namespace key="0" case="first-letter" />
<namespace key="1" case="first-letter">Diskussion</namespace></namespaces></siteinfo>"""


def dump(*pages: str, version: str = "0.10", end: str = "</mediawiki>\n") -> str:
    space = f"http://www.mediawiki.org/xml/export-{version}/"
    head = f'<mediawiki xmlns="{space}" version="{version}" xml:lang="de">\n{INFO}\n'
    return head + "\n".join(pages) + "\n" + end


def revision(text: str, number: int = 5, time: str = "2020-01-02T03:04:05Z") -> str:
    return (
        f"<revision><id>{number}</id><timestamp>{time}</timestamp><model>wikitext</model>"
        f"{text}</revision>"
    )


def page(title: str, *revisions: str, number: int = 1, ns: str = "<ns>0</ns>") -> str:
    return f"<page><title>{title}</title>{ns}<id>{number}</id>{''.join(revisions)}</page>"


def text(content: str) -> str:
    return f'<text bytes="{len(content)}" xml:space="preserve">{content}</text>'


def simple(title: str) -> str:
    return page(title, revision(text(f"Of {title}.")))


class Read:
    """What comes of a dump."""

    def __init__(self, path: Path, workers: int = 1) -> None:
        self.skipped: list[Skipped] = []
        self.progress: list[tuple[int, int]] = []
        self.pages: list[Page] = []
        self.raws: list[Raw] = []
        reading = Reading(
            workers=workers,
            skip=self.skipped.append,
            progress=lambda done, size: self.progress.append((done, size)),
        )
        for one in raw_pages(path, reading):
            if isinstance(one, Site):
                self.site = one
                continue
            self.raws.append(one)
            try:
                self.pages.append(parse(one, self.site))
            except BadPage as error:
                self.skipped.append(Skipped(place(one, path), str(error)))

    @property
    def titles(self) -> list[str]:
        return [one.title for one in self.pages]

    @property
    def problems(self) -> str:
        return "\n".join(f"{one.place}: {one.problem}" for one in self.skipped)


def read(tmp_path: Path, content: str | bytes, workers: int = 1) -> Read:
    path = tmp_path / "wiki.xml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return Read(path, workers)
