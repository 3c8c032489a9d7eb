"""Cells of tables: they come back, and nothing in them runs in a spreadsheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.schema.exchange import table_cells
from tests.support.statements import FORMULA, TEXT


@given(st.lists(TEXT, max_size=4))
def test_cells_come_back(items):
    cell = table_cells.write_list(items)
    assert table_cells.read_list(cell) == items
    assert [table_cells.read(table_cells.write(item)) for item in items] == items
    assert not cell.startswith(FORMULA)
    assert not {"\t", "\n", "\r"} & set(cell)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("gout", "gout"),
        ("=1+1", "'=1+1"),
        ("-5", "'-5"),
        ('"quoted"', '\'"quoted"'),
        ("'quoted'", "''quoted'"),
        ("a\tb\nc", "a\\tb\\nc"),
        ("C\\N=C", "C\\\\N=C"),
        ("a\u2028b", "a\\u2028b"),
        ("", "\\e"),
        ("a|b", "a\\u007cb"),
    ],
)
def test_a_text_and_its_cell(text, cell):
    assert table_cells.write(text) == cell
    assert table_cells.read(cell) == text


@pytest.mark.parametrize(
    ("items", "cell"),
    [
        ([], ""),
        ([""], "\\e"),
        (["a", "", "b"], "a|\\e|b"),
        (["a|b", "c"], "a\\u007cb|c"),
        (["ends with \\", "c"], "ends with \\\\|c"),
        (["@home", "=1"], "'@home|=1"),
    ],
)
def test_a_list_and_its_cell(items, cell):
    assert table_cells.write_list(items) == cell
    assert table_cells.read_list(cell) == items


def test_a_mark_at_the_end_shows_that_one_item_is_a_list():
    assert table_cells.read_list("a|") == ["a"]


def test_a_cell_of_another_format_is_only_guarded():
    assert table_cells.guard("=a|b\\") == "'=a|b\\"
    assert table_cells.guard("a=b") == "a=b"
