"""Lists in cells, ids from names, prefixes, and what is brought together on the disk."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import RecordError, SourceFileError
from medgraph.loaders.base import Reject, Remark
from medgraph.loaders.files import cell_values
from medgraph.loaders.files.on_disk import Shelf, grouped
from medgraph.schema.records import check_id

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
NAMES = st.lists(TEXTS, max_size=8)


def expected(names):
    return tuple(dict.fromkeys(" ".join(name.split()) for name in names if not cell_values.is_nothing(name)))


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("['Fever', \"Crohn's disease\"]", ("Fever", "Crohn's disease")),
        ("['Fever', 'Crohn\\'s disease', ]", ("Fever", "Crohn's disease")),
        ('["Fever", "\\u00c9toile"]', ("Fever", "Étoile")),
        ("['\\xc9toile', '\\u00e9', '\\U0001F600', 'a\\\\b', 'tab\\there']", ("Étoile", "é", "😀", "a\\b", "tab here")),
        ("[]", ()),
        ("nan", ()),
        ("", ()),
        ("['nan', 'Fever', 'Fever', ' ', None]".replace(", None", ""), ("Fever",)),
        ("Fever; Cough|Insulin, Aspart", ("Fever", "Cough", "Insulin, Aspart")),
        ("Muscle cramps, contractures, or spasms", ("Muscle cramps, contractures, or spasms",)),
    ],
)
def test_lists_in_cells(cell, names):
    assert cell_values.names(cell) == names


@pytest.mark.parametrize(
    "cell",
    [
        "['Fever', ",
        "['Fever' 'Cough']",
        "['Fever', Cough]",
        "['Fever'; 'Cough']",
        "[__import__('os').system('false')]",
        "['Fever', ['Cough']]",
        "[1, 2]",
        "['Fever",
        "[",
        "['Fever'] + ['Cough']",
    ],
)
def test_what_begins_like_a_list_and_is_none_is_refused(cell):
    with pytest.raises(RecordError, match="list"):
        cell_values.names(cell)


@given(NAMES)
def test_lists_of_python_and_of_json_are_read_back(names):
    assert cell_values.names(repr(names)) == expected(names)
    assert cell_values.names(json.dumps(names)) == expected(names)
    assert cell_values.names(json.dumps(names, ensure_ascii=False)) == expected(names)


@given(st.text(max_size=60) | st.text("[]'\",\\x0a ", max_size=40).map("[".__add__))
def test_any_cell_is_read_or_refused(cell):
    try:
        found = cell_values.names(cell)
    except RecordError:
        return
    assert all(name == " ".join(name.split()) and name for name in found)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("cell", ["[" * 1_000_000, "['" + "\\" * 999_999, "['a', " * 200_000, "[" + "'a' " * 300_000])
def test_a_cell_of_a_million_characters_is_refused_at_once(cell):
    start = time.monotonic()
    with pytest.raises(RecordError):
        cell_values.names(cell)
    assert time.monotonic() - start < 2


def test_printed_bytes_are_read_back():
    assert cell_values.restored(r"\xc5\x93dema of Crohn\'s \"type\"") == 'œdema of Crohn\'s "type"'
    assert cell_values.restored(r"\xff\xfe and \d") == r"\xff\xfe and \d"


@given(st.text(max_size=200))
def test_a_name_makes_an_id(name):
    check_id(f"x:{cell_values.slug(name)}")
    assert len(cell_values.slug(name)) <= 80


def test_names_of_columns_are_compared_by_their_words():
    assert {
        cell_values.plain_header(name) for name in ("Risk_Factors", "riskFactors", " RISK  FACTORS", "risk-factors")
    } == {"risk factors"}


def test_the_name_of_a_file_names_its_source(tmp_path):
    assert cell_values.stem(tmp_path / "Our clinic.csv.gz") == "our-clinic"
    assert cell_values.stem(tmp_path / "2026.tsv") == "table-2026"
    assert cell_values.own_prefix("", "x") == "x"
    with pytest.raises(SourceFileError, match="use a letter"):
        cell_values.own_prefix("a b", "x")


def test_each_unknown_prefix_is_remarked_on_once():
    curies = cell_values.Curies("f.tsv")
    assert curies.read("<http://purl.obolibrary.org/obo/DOID_4>", 1) == ("DOID:4", None)
    curie, remark = curies.read("NOSUCH:1", 2)
    assert (curie, remark.line, "NOSUCH:1" in remark.text) == ("NOSUCH:1", 2, True)
    assert curies.read("NOSUCH:2", 3) == ("NOSUCH:2", None)
    assert curies.read("OTHER:2", 3)[1] is not None


@given(st.lists(st.tuples(st.sampled_from("abc\0"), st.integers(1, 9), st.tuples(TEXTS, TEXTS)), max_size=20))
def test_parts_are_brought_together_in_order(parts):
    groups = {}
    for key, line, said in parts:
        groups.setdefault(key, []).append((line, said))
    assert list(grouped(parts)) == list(groups.items())


def test_rejects_and_remarks_pass_through():
    reject, remark = Reject("f", 1, "bad"), Remark("f", 2, "odd")
    items = [("a", 1, ("x",)), reject, ("b", 2, ("y",)), remark, ("a", 3, ("z",))]
    assert list(grouped(items)) == [reject, remark, ("a", [(1, ("x",)), (3, ("z",))]), ("b", [(2, ("y",))])]


def test_a_shelf_keeps_what_came_first():
    with Shelf() as shelf:
        assert shelf.add("a", "1")
        assert not shelf.add("a", "2")
        assert (shelf.get("a"), shelf.get("b")) == ("1", None)
