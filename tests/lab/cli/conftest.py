"""Fixtures of the commands that measure and train."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.settings import Settings
from tests.support.running import medgraph

__all__ = ["medgraph"]


@pytest.fixture
def evaluate(tmp_path, monkeypatch):
    """Runs a command of which the graph and the measuring are elsewhere."""
    monkeypatch.setattr("medgraph.graph.connect.connect", lambda settings: nullcontext("the graph"))
    monkeypatch.setattr("medgraph.schema.migrate.check", lambda database: None)
    parts = SimpleNamespace(retriever="the retriever", encoder=None, answerer="the answerer")
    monkeypatch.setattr("medgraph.answers.assembly.Assembly", lambda *_, **__: parts)
    own = Settings(tmp_path, tmp_path, neo4j_uri="bolt://127.0.0.1:1", precision="f32")
    return lambda *arguments: CliRunner().invoke(main, ["evaluate", *map(str, arguments)], obj=own)
