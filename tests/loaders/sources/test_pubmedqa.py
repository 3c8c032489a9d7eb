"""PubMedQA: abstracts become documents, and what the set evaluates stays out."""

import json
import re

import pytest

from medgraph.loaders.base import Reject
from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.loaders.sources import pubmedqa
from medgraph.schema.records import Document, Section
from medgraph.schema.vocabulary import CATEGORIES, SECTION_TYPES
from tests.support.graphs import run
from tests.support.paths import FILES

SMALL = FILES / "pubmedqa" / "pqal_made_up.json"
ENTRY = {"QUESTION": "q?", "CONTEXTS": ["a", "b"], "LABELS": ["METHODS", "RESULTS"], "MESHES": ["H"], "YEAR": "2001"}


def written(tmp_path, text):
    path = tmp_path / "pqal.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return path


def test_an_entry_is_a_document_under_a_name_of_its_own():
    first, second = [row.record for row in pubmedqa.records(SMALL)]
    assert first == Document(
        id="pubmedqa:201",
        title="PubMed article 201",
        url="https://pubmed.ncbi.nlm.nih.gov/201/",
        published="2011",
        sections=(
            Section("pubmedqa:201#1", "Asthma narrows the airways.", "background", "INTRODUCTION"),
            Section("pubmedqa:201#2", "Sixty people took the spray, sixty did not.", "methods", "PATIENTS AND METHODS"),
            Section("pubmedqa:201#3", "Theirs was the better breath.", "results", "RESULTS"),
        ),
        properties=(("mesh_headings", ("Asthma", "Albuterol")),),
    )
    assert [section.type for section in second.sections] == ["information", "other information"]
    assert [row.line for row in pubmedqa.records(SMALL)] == [2, 24]


@pytest.mark.thorough
def test_what_the_set_evaluates_stays_out(data):
    entries = json.loads((data / "pubmedqa" / "pqal_dev.json").read_text())
    rows = list(pubmedqa.records(data / "pubmedqa" / "pqal_dev.json"))
    assert [row.record.id for row in rows] == [f"pubmedqa:{pmid}" for pmid in entries]
    assert all(row.record.published == (entries[row.record.id[9:]]["YEAR"] or "") for row in rows)
    for row in rows:
        entry, record = entries[row.record.id[9:]], row.record
        assert [section.text for section in record.sections] == entry["CONTEXTS"]
        assert {section.type for section in record.sections} <= CATEGORIES | SECTION_TYPES.keys()
        kept = repr(record)
        assert entry["LONG_ANSWER"] not in kept
        assert entry["QUESTION"] not in kept or any(entry["QUESTION"] in text for text in entry["CONTEXTS"])
        assert record.questions == ()
    others = [s for row in rows for s in row.record.sections if s.type == "other information"]
    assert len(others) < 0.02 * sum(len(row.record.sections) for row in rows)


@pytest.mark.parametrize(
    ("pmid", "entry", "reason"),
    [
        ("x1", ENTRY, r"entry 'x1': an entry is a PMID \(a number\) with an object"),
        ("1", [], r"entry '1': an entry is a PMID"),
        ("1", ENTRY | {"LABELS": ["METHODS"]}, r"has 2 CONTEXTS and 1 LABELS; each part has one of both"),
        ("1", ENTRY | {"CONTEXTS": "a"}, r"'CONTEXTS' is not a list of texts"),
        ("1", ENTRY | {"CONTEXTS": [1, 2]}, r"'CONTEXTS' is not a list of texts"),
    ],
)
def test_what_is_rejected_and_why(tmp_path, pmid, entry, reason):
    path = written(tmp_path, json.dumps({"7": ENTRY, pmid: entry, "9": ENTRY}, indent=0))
    first, reject, last = pubmedqa.records(path)
    assert (first.record.id, last.record.id) == ("pubmedqa:7", "pubmedqa:9")
    assert isinstance(reject, Reject)
    assert path.read_text().splitlines()[reject.line - 1].startswith(f'"{pmid}"')
    assert re.search(reason, reject.reason)


def test_what_cannot_be_held_goes_with_a_remark(tmp_path):
    entry = ENTRY | {"CONTEXTS": ["", "10<sup>5</sup>"], "YEAR": "MMX"}
    row, *remarks = pubmedqa.records(written(tmp_path, json.dumps({"1": entry})))
    assert ([section.text for section in row.record.sections], row.record.published) == (["10⁵"], "")
    assert [remark.text for remark in remarks] == [
        "entry '1': 'MMX' is no date; left out",
        "entry '1': part 1 has no text, and is left out",
    ]


def test_loading_twice(database, settings):
    assert load_named(database, settings, "pubmedqa", SMALL).added == 2
    assert load_named(database, settings, "pubmedqa", SMALL, LoadOptions(limit=10)).unchanged == 2
    assert run(database, "MATCH (s:Section) RETURN count(s) AS n") == [{"n": 5}]
