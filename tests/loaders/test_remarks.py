"""Remarks are made once, and those on prefixes that nobody knows say the same for every source."""

from medgraph.loaders.base import Remark
from medgraph.loaders.remarks import Remarks


def test_a_remark_is_made_once_and_taken_once():
    remarks = Remarks()
    for line in (1, 2):
        remarks.add("size", "f.tsv", line, "is large")
    assert list(remarks.take()) == [Remark("f.tsv", 1, "is large")]
    remarks.add("size", "f.tsv", 3, "is large")
    assert list(remarks.take()) == []


def test_each_unknown_prefix_is_remarked_on_once():
    remarks = Remarks()
    assert remarks.curie("http://purl.obolibrary.org/obo/DOID_4", "f.tsv", 1) == "DOID:4"
    assert list(remarks.take()) == []
    ids = ("NOSUCH:1", "NOSUCH:2", "https://nosuch.example.org/a#1", "https://nosuch.example.org/a#2", "plain", "bare")
    assert [remarks.curie(text, "f.tsv", line) for line, text in enumerate(ids, 1)] == list(ids)
    kept = "are kept as they are written; check the spelling, or add it to prefixes.tsv"
    assert list(remarks.take()) == [
        Remark("f.tsv", 1, f"the prefix 'NOSUCH' is unknown: ids like 'NOSUCH:1' {kept}"),
        Remark(
            "f.tsv",
            3,
            f"the prefix 'https://nosuch.example.org/a#' is unknown: ids like 'https://nosuch.example.org/a#1' {kept}",
        ),
        Remark("f.tsv", 5, f"an id has no prefix: ids like 'plain' {kept}"),
    ]


def test_ids_that_are_looked_at_and_a_prefix_of_ones_own():
    remarks = Remarks(own="clinic")
    for line, text in enumerate(("clinic:1", "DOID:4", "NOSUCH:1", "NOSUCH:2", "clinic:2"), 1):
        remarks.look_at(text, "f.tsv", line)
    assert [remark.line for remark in remarks.take()] == [3]
