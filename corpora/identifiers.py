"""arXiv ids and DOIs, in one spelling each."""

import re

ARXIV = re.compile(
    r"(?P<new>\d{4}\.\d{4,5})(?:v\d+)?|(?P<old>[a-z][a-z-]+(?:\.[A-Za-z-]{2,})?/\d{7})(?:v\d+)?"
)
DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|\\^`]+")

ARXIV_DOI = "10.48550/arxiv."
"""arXiv gives every preprint a DOI, too."""


def arxiv_id(text: str) -> str:
    """The arXiv id in a text without its version; empty if there is none.

    >>> arxiv_id("arXiv:1810.04805v2"), arxiv_id("math.GT/0309136"), arxiv_id("none")
    ('1810.04805', 'math/0309136', '')
    """
    found = ARXIV.search(text)
    if not found:
        return ""
    if found["new"]:
        return found["new"]
    archive, _, number = found["old"].partition("/")
    return f"{archive.split('.')[0]}/{number}"


def doi(text: str) -> str:
    """The DOI in a text, in lower case, without punctuation that only follows it.

    >>> doi("https://doi.org/10.1103/PhysRevD.76.013009."), doi("(10.1000/a(b)c)")
    ('10.1103/physrevd.76.013009', '10.1000/a(b)c')
    """
    found = DOI.search(text)
    if not found:
        return ""
    name = found[0].rstrip(".,;:'\u2019*_]")
    while name.endswith(")") and name.count(")") > name.count("("):
        name = name[:-1].rstrip(".,;:")
    return name.lower()


def arxiv_year(name: str) -> int | None:
    """The year in which an arXiv id was given.

    >>> arxiv_year("1810.04805"), arxiv_year("hep-th/9711200"), arxiv_year("")
    (2018, 1997, None)
    """
    digits = name.rpartition("/")[2][:2]
    if not digits.isdecimal():
        return None
    return int(digits) + (1900 if int(digits) > 90 else 2000)
