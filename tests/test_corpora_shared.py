"""Every file of the shared corpora is read, or refused with a reason: counts, first and last ids.

Needs VERIFIER_DATA, the folder that holds `corpora/`.
"""

import os
from pathlib import Path

import pytest

from corpora import papers
from corpora.errors import CorpusError
from corpora.readers import READERS, sniff
from corpora.reading import Reading, Skipped

ROOT = Path(os.environ.get("VERIFIER_DATA", "")) / "corpora"

pytestmark = pytest.mark.skipif(
    not os.environ.get("VERIFIER_DATA"), reason="VERIFIER_DATA names no folder of corpora"
)

PASSAGES = {
    "contrastive_passages_not_for_index.jsonl.gz": (1196, "p-0036f66dc244", "p-32917ae6b12f"),
    "wiki_passages.jsonl.gz": (27_459, "p-1fbc3a14fe1b", "p-d20e45e7ecec"),
    "wiki_articles.jsonl.gz": (
        6870,
        "wiki_articles:Academy Award for Best Production Design:0",
        "wiki_articles:Yuan dynasty:9",
    ),
}

OAI = "arxiv/oai-pmh/oaipmh-"

RECORDS = {
    "arxiv/arxiv-metadata-oai-snapshot.sample.json": (200, "arxiv:0704.0001", "arxiv:0704.0200"),
    "arxiv/quant-ph-1996.oai_dc-stripped.xml.gz": (
        604,
        "arxiv:cond-mat/9601004",
        "arxiv:quant-ph/9612052",
    ),
    f"{OAI}getrecord---should-get-a-record.json": (1, "arxiv:1412.8544", "arxiv:1412.8544"),
    f"{OAI}listrecords---should-list-identifiers-from-arxiv.json": (
        2,
        "arxiv:1412.8544",
        "arxiv:hep-th/9504118",
    ),
    "papers.tsv.gz": (160_113, "papers:2", "papers:160114"),
}

REFUSED_RECORDS = {
    f"{OAI}identify---should-identify-arxiv.json": "answer to Identify",
    f"{OAI}listidentifiers---should-list-identifiers-from-arxiv.json": "answer to ListIdentifiers",
    f"{OAI}listmetadataformats---should-fail-for-non-existent-arxiv-id-lolcat.json": "no recorded",
    f"{OAI}listmetadataformats---should-list-metadata-formats-for-arxiv-id-1208-0264.json": (
        "answer to ListMetadataFormats"
    ),
    f"{OAI}listmetadataformats---should-list-metadata-formats-for-arxiv.json": (
        "answer to ListMetadataFormats"
    ),
    f"{OAI}listsets---should-list-arxiv-sets.json": "answer to ListSets",
}

REFUSED = {
    "dumps/pywikibot/article-pyrus.xml_invalid.7z": "it begins with 'This file is not",
    "zim/suite/split-wikibooks_be.zimab": "first part",
    "zim/suite/split-wikibooks_be.zimac": "first part",
}


@pytest.mark.parametrize("name", PASSAGES)
def test_passages_are_all_there(name: str) -> None:
    skipped: list[Skipped] = []
    path = ROOT / name
    ids = [one.id for one in READERS[sniff(path)](path, Reading(skip=skipped.append))]
    assert (len(ids), ids[0], ids[-1]) == PASSAGES[name]
    assert len(set(ids)) == len(ids)
    assert skipped == []


def test_every_page_of_wikitext_has_passages() -> None:
    skipped: list[Skipped] = []
    path = ROOT / "wikitext_pages.jsonl.gz"
    found = list(READERS[sniff(path)](path, Reading(skip=skipped.append)))
    assert len({one.title for one in found}) == 71
    assert len({one.id for one in found}) == len(found)
    assert (found[0].title, found[-1].title, skipped) == (
        "2008 British motorcycle Grand Prix",
        "washington nationals",
        [],
    )


@pytest.mark.parametrize("name", RECORDS)
def test_records_are_all_there(name: str) -> None:
    path = ROOT / name
    ids = [one.id for one in papers.READERS[papers.sniff(path)](path, lambda _: None)]
    assert (len(ids), ids[0], ids[-1]) == RECORDS[name]


@pytest.mark.parametrize("name", [*RECORDS, *REFUSED_RECORDS])
def test_what_is_no_text_is_refused_as_text(name: str) -> None:
    with pytest.raises(CorpusError, match=r"build papers|none of the readers"):
        sniff(ROOT / name)


@pytest.mark.parametrize("name", REFUSED_RECORDS)
def test_what_holds_no_records_is_refused_with_a_reason(name: str) -> None:
    path = ROOT / name
    with pytest.raises(CorpusError, match=REFUSED_RECORDS[name]):
        list(papers.READERS[papers.sniff(path)](path, lambda _: None))


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_of_no_format_is_refused_with_a_reason(name: str) -> None:
    with pytest.raises(CorpusError, match=REFUSED[name]):
        sniff(ROOT / name)


def test_no_file_is_forgotten() -> None:
    listed = {*PASSAGES, *RECORDS, *REFUSED_RECORDS, *REFUSED}
    for path in sorted(one for one in ROOT.rglob("*") if one.is_file()):
        if str(path.relative_to(ROOT)) not in listed:
            assert sniff(path) in {"dump", "zim", "jsonl"}, path
