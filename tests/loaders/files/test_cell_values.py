"""Lists in cells, ids from names, and names of columns and files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import RecordError, SourceFileError
from medgraph.loaders.files import cell_values
from medgraph.schema.checks import check_id


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
        ("['nan', 'Fever', 'Fever', ' ', None]", ("Fever",)),
        ("[nan]", ()),
        ("[None, 'Fever', NaN, 'Cough', <NA>]", ("Fever", "Cough")),
        ('[null, "Fever", NaN]', ("Fever",)),
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
        "[nano]",
        "['Fever",
        "[",
        "['Fever'] + ['Cough']",
    ],
)
def test_what_begins_like_a_list_and_is_none_is_refused(cell):
    with pytest.raises(RecordError, match="list"):
        cell_values.names(cell)


@pytest.mark.parametrize(
    ("cell", "looks"),
    [
        ("Cough,Wheeze", True),
        ("Cough, Wheeze, Fever", True),
        ("Muscle cramps, contractures, or spasms", False),
        ("Insulin, Aspart", False),
        ("['Cough,Wheeze']", False),
        ("1,2-dichloroethane", False),
        ("Cough,Wheeze; Fever", False),
    ],
)
def test_cells_that_look_like_lists_with_commas(cell, looks):
    assert cell_values.looks_listed(cell) == looks


@given(st.text(max_size=60) | st.text("[]'\",\\x0a ", max_size=40).map("[".__add__))
def test_any_cell_is_read_or_refused(cell):
    try:
        found = cell_values.names(cell)
    except RecordError:
        return
    assert all(name == " ".join(name.split()) and name for name in found)
    assert len(set(found)) == len(found)


@given(st.text(max_size=200))
def test_a_name_makes_an_id(name):
    check_id(f"x:{cell_values.slug(name)}")
    assert len(cell_values.slug(name)) <= 80


def test_the_name_of_a_file_names_its_source(tmp_path):
    assert cell_values.stem(tmp_path / "Our clinic.csv.gz") == "our-clinic"
    assert cell_values.stem(tmp_path / "2026.tsv") == "table-2026"
    assert cell_values.own_prefix("", "x") == "x"
    with pytest.raises(SourceFileError, match="use a letter"):
        cell_values.own_prefix("a b", "x")
