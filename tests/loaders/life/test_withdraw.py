"""Sources that go, or that a release replaces: what others say stays."""

import itertools
import random
from contextlib import suppress

import pytest

from medgraph.errors import UnknownSourceError
from medgraph.loaders.life import load, withdraw
from medgraph.schema.records import Entity
from tests.support.graphs import run
from tests.support.loads import (
    CUT,
    ORPHANS,
    Fragile,
    Interrupted,
    clear,
    count,
    counts,
    document,
    dump,
    releases,
    some_file,
)
from tests.support.points import seeds


@pytest.mark.parametrize("seed", seeds(1, 8))
def test_unloading_leaves_what_the_others_say(loading, seed):
    chance = random.Random(seed)
    database = loading.database
    first, second = some_file(chance, "a-"), some_file(chance, "b-")
    alone = {}
    for items, name in ((first, "first"), (second, "second")):
        loading(items, name, minimum=0)
        alone[name] = dump(database)
        withdraw.unload(database, name)
        assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []
    for kept, gone in (("first", "second"), ("second", "first")):
        for items, name in ((first, "first"), (second, "second")):
            loading(items, name, minimum=0)
        run(database, CUT)
        withdraw.unload(database, gone)
        assert run(database, ORPHANS) == []
        run(database, "MATCH (c:Chunk) DETACH DELETE c")
        assert dump(database) == alone[kept]
        withdraw.unload(database, kept)


def test_an_unload_that_is_interrupted_goes_on(loading):
    items = [Entity("e1", "Disease", "Asthma", concepts=("C0000001",)), document(1, about=("e1",))]
    loading(items, "first")
    alone = dump(loading.database)
    for good in range(10):
        loading([Entity("e2", "Disease", "Gasping", concepts=("C0000001",)), document(2, about=("e2",))], "second")
        with suppress(Interrupted):
            withdraw.unload(Fragile(loading.database, good, commit=True), "second")
            break
        with suppress(UnknownSourceError):
            withdraw.unload(loading.database, "second")
        assert dump(loading.database) == alone
    assert good > 3


def test_two_sources_share_a_concept_and_each_can_go(loading):
    first = [Entity("a:1", "Disease", "Asthma", concepts=("C0004096",), semantic_types=("T047",))]
    second = [
        Entity("b:1", "Disease", "Bronchial asthma", concepts=("C0004096", "C0000001"), semantic_types=("T046",)),
        Entity("b:2", "Disease", "Bronchial asthma", concepts=("C0004096",)),
    ]
    concept = (
        "MATCH (c:Concept {cui: 'C0004096'}) RETURN c.name AS name, c.semantic_types AS types, c.sources AS sources"
    )
    loading(first, "first")
    assert run(loading.database, concept) == [{"name": "Asthma", "types": ["T047"], "sources": ["first"]}]
    loading(second, "second")
    both = {"name": "Bronchial asthma", "types": ["T046", "T047"], "sources": ["first", "second"]}
    assert run(loading.database, concept) == [both]
    assert withdraw.unload(loading.database, "second").removed == 5
    assert run(loading.database, concept) == [{"name": "Asthma", "types": ["T047"], "sources": ["first"]}]
    assert count(loading.database, "Concept") == 1


@pytest.mark.parametrize("seed", seeds(1, 6))
def test_the_order_of_loads_makes_no_difference_and_unloading_leaves_what_the_others_say(loading, seed):
    files = {name: found[0] for name, found in releases(seed).items()}
    without = {}
    for kept in itertools.combinations(files, 2):
        clear(loading.database)
        for name in kept:
            loading(files[name], name)
        without[frozenset(files) - set(kept)] = dump(loading.database)
    everything = set()
    for order in itertools.permutations(files):
        clear(loading.database)
        for name in order:
            assert loading(files[name], name).rejected == 0
        everything.add(tuple(dump(loading.database)))
        gone = order[seed % 3]
        withdraw.unload(loading.database, gone)
        assert dump(loading.database) == without[frozenset([gone])]
    assert len(everything) == 1


@pytest.mark.parametrize("seed", seeds(1, 6))
def test_a_release_that_replaces_another_leaves_what_it_alone_would(loading, seed):
    files = releases(seed, ("first", "second"), 2)
    old, new = files["first"]
    loading(new, "first")
    loading(files["second"][0], "second")
    expected = dump(loading.database)
    clear(loading.database)
    loading(files["second"][0], "second")
    loading(old, "first")
    before = dump(loading.database)
    dry = loading(new, "first", replace=True, dry_run=True)
    differences = list(load.diff(loading.database, loading.task(new, "first", replace=True)))
    assert dump(loading.database) == before
    real = loading(new, "first", replace=True)
    assert dump(loading.database) == expected
    assert (counts(dry), dry.withdrawn) == (counts(real), real.withdrawn)
    told = {change: sum(one.change == change for one in differences) for change in ("added", "changed", "withdrawn")}
    assert told == {"added": real.added, "changed": real.changed, "withdrawn": real.withdrawn}
    undone = withdraw.undo(loading.database, "first")
    assert (undone.removed, undone.restored) == (real.added, real.changed + real.withdrawn)
    assert dump(loading.database) == before
    assert loading(old, "first").known
