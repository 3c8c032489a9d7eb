"""Whose word on an entity goes first."""

import itertools
from dataclasses import replace

import pytest

from medgraph.errors import UnknownSourceError
from medgraph.loaders.base import NEUTRAL
from medgraph.loaders.life import withdraw
from medgraph.schema.records import Entity
from tests.support.graphs import run
from tests.support.loads import Loading, clear

FACTS = {
    "aaa": {"version": "2018-07-05", "prefixes": ("X",), "rank": 1},
    "new": {"version": "2026-03-31", "prefixes": ("X",), "rank": 1},
    "passing": {"version": "2026-11-01", "rank": 9},
    "vocabulary": {"version": "5.1", "rank": 2},
}
SHOWN = "MATCH (e:Entity {id: 'X:1'}) RETURN e.name AS name, coalesce(e.obsolete, false) AS obsolete"


class Weighed(Loading):
    """Loads sources of different standing."""

    def task(self, items, name="own", minimum=0, **options):
        task = super().task(items, name, minimum, **options)
        return replace(task, info=replace(task.info, **FACTS[name] | options.get("facts", {})))


@pytest.fixture
def loading(tmp_path, database):
    return Weighed(tmp_path, database)


def said(name, **more):
    return [Entity("X:1", "Disease", f"As {name} says", **more)]


def shown(database):
    return run(database, SHOWN)[0]["name"]


@pytest.mark.thorough
def test_the_newest_release_of_the_vocabulary_that_coined_an_id_goes_first_in_any_order(loading):
    for order in itertools.permutations(FACTS):
        clear(loading.database)
        for name in order:
            loading(said(name, obsolete=name == "aaa"), name)
        assert run(loading.database, SHOWN) == [{"name": "As new says", "obsolete": False}]


def test_a_curators_rank_goes_before_all_that_sources_tell(loading):
    for name in FACTS:
        loading(said(name), name)
    withdraw.rank(loading.database, "aaa", 2)
    assert shown(loading.database) == "As aaa says"
    withdraw.rank(loading.database, "passing", 1)
    assert shown(loading.database) == "As passing says"
    withdraw.rank(loading.database, "passing", 9)
    withdraw.rank(loading.database, "aaa", NEUTRAL)
    assert shown(loading.database) == "As new says"
    with pytest.raises(UnknownSourceError, match="holds no source 'none'"):
        withdraw.rank(loading.database, "none", 1)


def test_a_release_that_is_newer_goes_first_though_nothing_else_of_it_changed(loading, monkeypatch):
    for name in ("aaa", "new"):
        loading(said(name), name)
    monkeypatch.setitem(FACTS, "aaa", FACTS["aaa"] | {"version": "2026-10-01"})
    assert loading(said("aaa"), "aaa").unchanged == 1
    assert shown(loading.database) == "As aaa says"
    withdraw.undo(loading.database, "aaa")
    assert shown(loading.database) == "As new says"
