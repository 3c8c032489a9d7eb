"""Exports of graphs that hold anything: loaded into an empty graph, each gives an equal one."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, assume, given
from hypothesis import settings as hypothesis_settings

from medgraph.errors import SourceError
from medgraph.exports.export import export
from medgraph.loaders import registry
from medgraph.loaders.base import Row, Source
from medgraph.loaders.life import load
from medgraph.schema.records import Entity, Relation, SourceInfo
from tests.support.exports import FORMS, INFOS, content
from tests.support.graphs import empty
from tests.support.statements import statements

QUICK = {"max_examples": 5, "deadline": None, "database": None, "phases": [Phase.generate]}
QUICK |= {"suppress_health_check": list(HealthCheck)}


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["kgx", "kgx as a table", "nquads"])
def test_whatever_a_graph_holds_comes_back(database, tmp_path_factory, form):
    name, file, options = FORMS[form]

    @hypothesis_settings(**QUICK)
    @given(said=statements())
    def check(said):
        folder = tmp_path_factory.mktemp("any")
        empty(database)
        ids = [record.id for _, record in said if isinstance(record, Entity)] or ["x"]
        for source in ("one", "two"):
            own = [joined(record, ids) for who, record in said if who == source and not isinstance(record, SourceInfo)]
            rows = [Row(record, "file", number) for number, record in enumerate(own, 1)]
            (folder / source).write_text(source)
            task = load.Task(
                Source(INFOS[source], lambda _, rows=rows: iter(rows)), folder / source, INFOS[source], folder
            )
            with_rejects(database, task)
        before = content(database)
        assume(any("FROM" in row for row in before))
        export(database, name, folder / file, table="--tsv" in options)
        empty(database)
        loader = registry.get(name)
        task = load.Task(loader, folder / file, loader.describe(folder / file), folder)
        report = load.load(database, task)
        assert report.rejected == 0, report.rejects_file.read_text()
        assert content(database) == before

    check()


def joined(record, ids):
    """Let a relation be one between entities that there are."""
    return replace(record, subject=ids[0], object=ids[-1]) if isinstance(record, Relation) else record


def with_rejects(database, task):
    """Load whatever can be; made-up relations point to nothing."""
    if any(True for _ in task.items()):
        with suppress(SourceError):
            load.load(database, task)
