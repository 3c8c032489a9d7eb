"""The notebooks of docs/notebooks run from the first cell to the last, and show something."""

import ast
import json

import pytest

from tests.support.paths import ROOT
from tests.support.service import running

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, sample_graph, service, server, monkeypatch, capsys):
    monkeypatch.setenv("NEO4J_URI", server.bolt_uri)
    monkeypatch.setenv("NEO4J_PASSWORD", server.password())
    names = {}
    with running(service) as running_server:
        monkeypatch.setenv("MEDGRAPH_URL", f"http://127.0.0.1:{running_server.port}")
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                show(ast.parse("".join(cell["source"])), names)
    assert path.stem != "client" or capsys.readouterr().out


def show(cell, names):
    """Run a cell; the value of its last line must be something that a notebook shows."""
    last = (
        cell.body.pop() if isinstance(cell.body[-1], ast.Expr) and "close" not in ast.unparse(cell.body[-1]) else None
    )
    exec(compile(cell, "cell", "exec"), names)
    if last is not None:
        assert eval(compile(ast.Expression(last.value), "cell", "eval"), names)._repr_html_()
