"""The snippets for notebooks run as they are printed, and both drivers give the same frames."""

import re
from datetime import datetime

import neo4j
import pandas as pd
import py2neo
import pytest

from medgraph.graph import catalogue
from medgraph.queries.saved import PLACE, list_saved
from tests.support.points import few
from tests.support.statements import OF_SEVERAL

GUIDE = (PLACE / "NOTEBOOKS.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
NAMES = [row["name"] for row in list_saved()]


@pytest.fixture
def notebook(sample_graph, server, monkeypatch):
    """Runs blocks of the guide for a saved query, at the tests' server, and closes what they opened."""
    monkeypatch.setattr("getpass.getpass", lambda prompt: server.password())
    opened = []

    def run_blocks(name, *blocks, text="values = query.examples"):
        begin = BLOCKS[0]
        for old, new in [
            ("bolt://127.0.0.1:7687", server.bolt_uri),
            ('"disease_card"', f'"{name}"'),
            ("values = query.examples", text),
        ]:
            assert old in begin
            begin = begin.replace(old, new)
        cells = {}
        for block in (begin, *blocks):
            exec(block, cells)
        opened.extend(cells[name] for name in ("graph",) if name in cells)
        return cells

    yield run_blocks
    for graph in opened:
        graph.service.connector.close()


def plain(value):
    """Make a value of either driver comparable: paths become properties and types."""
    if isinstance(value, neo4j.graph.Path):
        return [dict(node) for node in value.nodes], [relation.type for relation in value.relationships]
    if isinstance(value, py2neo.Path):
        return [dict(node) for node in value.nodes], [type(relation).__name__ for relation in value.relationships]
    return value


@pytest.mark.parametrize("name", few(NAMES, 10))
def test_both_drivers_give_the_same_frame(notebook, name):
    official = notebook(name, BLOCKS[1])["frame"]
    old = notebook(name, BLOCKS[2])["frame"]
    assert list(official.columns) == list(catalogue.get(name).columns)
    if name in OF_SEVERAL:
        assert len(official) == len(old) == 0
        return
    assert len(official)
    if not any(isinstance(value, neo4j.graph.Path) for value in official.iloc[0]):
        pd.testing.assert_frame_equal(old, official)
        return
    # Pictures come in any order.
    one, other = (sorted(str([plain(v) for v in row]) for row in f.to_numpy().tolist()) for f in (official, old))
    assert one == other


@pytest.mark.parametrize("block", [1, 2])
def test_a_value_can_be_replaced(notebook, block):
    cells = notebook("disease_card", BLOCKS[block], text='values = query.examples | {"name": "Gout"}')
    assert set(cells["frame"]["disease"]) == {"Gout"}
    assert {"HAS_RISK_FACTOR", "IS_A"} <= set(cells["frame"]["relation"])


def test_what_the_guide_says_of_traps_is_so(notebook):
    for block, module in ((BLOCKS[1], "neo4j.time"), (BLOCKS[2], "interchange.time")):
        frame = notebook("kinds_above", block)["frame"]
        assert all(next(node["name"] for node in path.nodes) == "Type 2 diabetes" for path in frame["path"])
        times = notebook("loads", block.replace("query.text", "'MATCH (l:Load) RETURN l.started AS at'"))["frame"]
        assert type(times["at"][0]).__module__ == module
        assert isinstance(times["at"][0].to_native(), datetime)
    missing = notebook("questions_about", BLOCKS[1].replace("query.text", "'UNWIND [\"a\", null] AS x RETURN x'"))
    assert missing["frame"]["x"].isna().tolist() == [False, True]
