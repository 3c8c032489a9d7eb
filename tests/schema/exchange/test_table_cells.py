"""Cells of tables: they come back, and nothing in them runs in a spreadsheet."""

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
