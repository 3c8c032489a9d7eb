"""Prices of models by a table of the user's."""

import pytest

from medgraph.errors import SettingsError
from medgraph.models.protocol import Usage
from medgraph.models.wire import cost

USAGE = Usage(2_000_000, 500_000)


def test_a_cost(tmp_path):
    table = tmp_path / "prices.tsv"
    table.write_text("# model\tread\twritten\nbig\t1.5\t4\ngguf:own\t0\t0\n")
    assert cost(table, "openai:big", USAGE) == 5.0
    assert cost(table, "gguf:own", USAGE) == 0.0
    assert cost(table, "openai:other", USAGE) is None
    assert cost(None, "openai:big", USAGE) is None


@pytest.mark.parametrize("line", ["big 1 2", "big\t1", "big\tone\ttwo"])
def test_a_row_that_is_none(tmp_path, line):
    table = tmp_path / "prices.tsv"
    table.write_text(f"small\t1\t2\n{line}\n")
    with pytest.raises(SettingsError, match=r"prices\.tsv:2: .* is no row of prices"):
        cost(table, "big", USAGE)


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(SettingsError, match=r"MEDGRAPH_MODEL_PRICES: .* cannot be read"):
        cost(tmp_path / "none.tsv", "big", USAGE)
