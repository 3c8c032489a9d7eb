"""The step that joins entities of different sources at concepts, on a real graph."""

import numpy as np
import pytest

from medgraph.graph import catalogue
from medgraph.linking.concepts import Joining, concepts_of, index_concepts
from medgraph.linking.joining import join
from medgraph.linking.pairing import Member
from medgraph.linking.review import decide, listed, undo
from medgraph.loaders.life import withdraw
from medgraph.schema.records import Document, Entity, Relation, Section
from tests.support.graphs import run
from tests.support.loads import Loading

DOID = [
    Entity("DOID:1", "Disease", "gout", ("podagra",), xrefs=("MESH:1",), concepts=("C0018099",)),
    Entity("DOID:2", "Disease", "asthma", ("wheeze",), xrefs=("OMIM:2",)),
    Entity("DOID:3", "Disease", "asthma of old", obsolete=True, replaced_by=("DOID:2",)),
    Entity("DOID:4", "Disease", "chilblain", ("pernio",)),
]
MESH = [
    Entity("MESH:1", "Disease", "Gout disorder", ("Tophus",), alternative_ids=("DOID:4",)),
    Entity("MESH:2", "Disease", "Bronchial trouble", ("wheeze", "Pernio"), xrefs=("OMIM:2",)),
]
PAGES = [
    Entity("pages:gout", "Disease", "Gout", concepts=("C0018099",)),
    Entity("pages:itch", "Symptom", "itch"),
    Document("p1", "Gout", sections=(Section("p1#1", "It hurts."),), about=("pages:gout",)),
]


@pytest.fixture
def load(database, tmp_path):
    """A graph with three sources, and what loads more of them."""
    load = Loading(tmp_path, database)
    for name, items in (("doid", DOID), ("mesh", MESH), ("pages", PAGES)):
        load(items, name)
    return load


def meanings(database):
    """The concept of each entity, and how it came to it."""
    rows = database.read(catalogue.get("stored_meanings"))
    return {row["entity"]: (row["concept"], row["method"]) for row in rows}


def concepts(database):
    rows = run(database, "MATCH (c:Concept) RETURN c.cui AS cui, c {.*} AS said")
    return {row["cui"]: row["said"] for row in rows}


def everything(database):
    """What indexing writes, each node and relation by itself, so that what was written anew is another one."""
    return run(
        database,
        "MATCH (c:Concept) OPTIONAL MATCH (c)<-[m:MEANS]-(e) "
        "RETURN elementId(c) AS concept, c {.*} AS said, elementId(m) AS meaning, m {.*} AS why, e.id AS entity "
        "ORDER BY concept, entity",
    ), run(database, "MATCH (r:Review) RETURN r {.*, run: 0} AS review ORDER BY r.id")


def state(database):
    """What tells others that names, or decisions, have changed."""
    return database.read(catalogue.get("names_state"))[0]["state"]


GOUT = {
    "DOID:1": ("C0018099", "itself"),
    "MESH:1": ("C0018099", "xref"),
    "pages:gout": ("C0018099", "name"),
}
OTHERS = {
    "DOID:2": ("DOID:2", "itself"),
    "DOID:3": ("DOID:2", "replaced"),
    "MESH:2": ("DOID:2", "shared xref"),
    "DOID:4": ("DOID:4", "itself"),
    "pages:itch": ("pages:itch", "itself"),
}


def test_entities_meet_at_concepts_and_a_second_time_changes_nothing(database, load):
    first = index_concepts(database)
    assert first == Joining(entities=8, concepts=4, shared=2, changed=8, proposed=0, refused=1)
    assert first.summary() == (
        "8 entities stand for 4 concepts, 2 of them shared (8 changed); 0 equivalences proposed, 1 refused"
    )
    assert meanings(database) == GOUT | OTHERS
    held = concepts(database)
    assert held["C0018099"] == {
        "cui": "C0018099", "name": "gout", "folded_name": "gout", "semantic_types": [],
        "names": ["gout", "gout disorder", "podagra", "tophus"],
        "ids": ["DOID:1", "DOID:4", "MESH:1", "UMLS:C0018099", "pages:gout"], "sources": ["doid", "pages"],
    }  # fmt: skip
    assert held["DOID:2"] == {
        "cui": "DOID:2", "name": "asthma", "folded_name": "asthma", "derived": True, "sources": [],
        "names": ["asthma", "asthma of old", "bronchial trouble", "wheeze", "pernio"],
        "ids": ["DOID:2", "DOID:3", "MESH:2", "OMIM:2"], "semantic_types": [],
    }  # fmt: skip
    (why,) = run(database, "MATCH (:Entity {id: 'MESH:2'})-[m:MEANS]->() RETURN m {.*} AS said")
    assert why["said"] == {"method": "shared xref", "score": 0.991, "evidence": ["DOID:2", "OMIM:2"]}
    before, told = everything(database), state(database)
    assert index_concepts(database) == Joining(8, 4, 2, 0, 0, 1)
    assert everything(database) == before
    assert state(database) == told
    # Whatever brings two diseases of a vocabulary together stands with its chain.
    (refused,) = listed(database, "refused")
    assert refused.id == "DOID:4|MESH:1"
    assert refused.chain == ["DOID:4 = MESH:1 (xref: DOID:4)", "DOID:1 = MESH:1 (xref: MESH:1)"]


def test_loads_after_indexing_and_what_sources_take_with_them(database, load):
    index_concepts(database)
    told = {state(database)}
    load(
        [*PAGES, Entity("pages:new", "Disease", "podagra"), Relation("pages:new", "IS_A", "pages:gout")],
        "pages",
        replace=True,
    )
    assert meanings(database) == GOUT | OTHERS
    assert concepts(database)["C0018099"]["name"] == "gout"
    told.add(state(database))
    assert index_concepts(database).changed == 1
    assert meanings(database)["pages:new"] == ("C0018099", "synonym")
    # A concept that entities alone were joined at goes with the last of them, and one with a CUI with who states it.
    withdraw.unload(database, "doid")
    assert concepts(database).keys() == {"C0018099", "DOID:2", "pages:itch"}
    told.add(state(database))
    index_concepts(database)
    assert meanings(database) == {
        "MESH:1": ("MESH:1", "itself"),
        "MESH:2": ("MESH:2", "itself"),
        "pages:gout": ("C0018099", "itself"),
        "pages:new": ("pages:new", "itself"),
        "pages:itch": ("pages:itch", "itself"),
    }
    assert concepts(database).keys() == {"C0018099", "MESH:1", "MESH:2", "pages:itch", "pages:new"}
    assert listed(database, "refused") == []
    load(DOID, "doid")
    assert len(told | {state(database)}) == 4
    index_concepts(database)
    assert meanings(database) == GOUT | OTHERS | {"pages:new": ("C0018099", "synonym")}
    for source in ("doid", "mesh", "pages"):
        withdraw.unload(database, source)
    assert concepts(database) == {}
    assert index_concepts(database) == Joining(0, 0, 0, 0, 0, 0)
    assert run(database, "MATCH (n) WHERE n:Concept OR n:Review RETURN n") == []


def test_decisions_survive_reloads_and_are_taken_back(database, load):
    index_concepts(database)
    told = [state(database)]
    decide(database, "pages:itch", "DOID:2", same=True)
    told.append(state(database))
    decide(database, "MESH:2", "DOID:2", same=False)
    told.append(state(database))
    index_concepts(database)
    decided = {"pages:itch": ("DOID:2", "accepted"), "MESH:2": ("MESH:2", "itself")}
    assert decided.items() <= meanings(database).items()
    assert [pair.id for pair in listed(database)] == ["DOID:4|MESH:2"]
    withdraw.unload(database, "doid")
    index_concepts(database)
    assert meanings(database)["pages:itch"] == ("pages:itch", "itself")
    load(DOID, "doid")
    index_concepts(database)
    assert decided.items() <= meanings(database).items()
    assert {pair.id for status in ("accepted", "rejected") for pair in listed(database, status)} == {
        "DOID:2|pages:itch",
        "DOID:2|MESH:2",
    }
    told.append(state(database))
    undo(database, "DOID:2", "pages:itch")
    told.append(state(database))
    undo(database, "DOID:2", "MESH:2")
    told.append(state(database))
    assert len(set(told)) == len(told)
    index_concepts(database)
    assert state(database) == told[-1]
    assert meanings(database) == GOUT | OTHERS
    assert listed(database, "accepted") == listed(database, "rejected") == []


def named(*members):
    by_id = {member.id: member for member in members}
    return {concept["cui"]: concept for concept, _ in concepts_of(join(members), by_id)}


def test_a_concept_has_the_cui_that_most_state_and_no_two_have_one():
    rows = named(
        Member("DOID:1", "Disease", "gout", cuis=("C0000001", "C0000002"), xrefs=("MESH:1",)),
        Member("MESH:1", "Disease", "gouts", cuis=("C0000002",)),
        Member("DOID:2", "Disease", "a", cuis=("C0000002",)),
        Member("DOID:3", "Disease", "b"),
        Member("pages:x", "Disease", "c and d", cuis=("C0000008", "C0000009")),
    )
    assert {cui: row["name"] for cui, row in rows.items()} == {
        "C0000002": "gout",
        "DOID:2": "a",
        "DOID:3": "b",
        "pages:x": "c and d",
    }
    assert rows["C0000002"]["ids"] == ["DOID:1", "MESH:1", "UMLS:C0000001", "UMLS:C0000002"]
    assert rows["DOID:2"]["ids"] == ["DOID:2", "UMLS:C0000002"]
    assert rows["pages:x"]["ids"] == ["pages:x"]


@pytest.mark.parametrize(
    ("term", "others", "called"),
    [
        (
            "primary hyperaldosteronism",
            ["Cushing syndrome", "Cushing's syndrome", "Cushing syndrome"],
            "Cushing syndrome",
        ),
        ("primary hyperaldosteronism", ["Cushing syndrome", "Hypercortisolism"], "primary hyperaldosteronism"),
        ("obsolete constipation", ["Constipation", "Constipation"], "Constipation"),
        ("gout", ["Gouty arthritis", "Gouty arthritis", "GOUT"], "gout"),
        ("gout", ["Gout", "Podagra", "Podagra", "podagra"], "gout"),
        ("gout", [], "gout"),
    ],
)
def test_a_concept_is_called_what_its_best_term_is_unless_nothing_else_is_called_so(term, others, called):
    best = Member("DOID:1", "Disease", term, xrefs=("X:1",))
    members = [best, *(Member(f"pages{n}:x", "Disease", name, xrefs=("DOID:1",)) for n, name in enumerate(others))]
    ((concept, group),) = concepts_of(join(members), {member.id: member for member in members})
    assert (concept["name"], concept["cui"]) == (called, "DOID:1")
    assert len(group) == len(members)


def test_a_page_is_near_the_term_that_is_proposed_for_it_and_called_nearly_so():
    term = Member("DOID:1", "Disease", "gouty arthritis", ("arthritis of the toe",))
    page = Member("pages:1", "Disease", "Arthritis of the big toe", ("gouty arthritis", "arthritis"))
    others = [Member("pages:2", "Disease", "podagra", ("gouty arthritis",)), Member("DOID:2", "Disease", "itch")]
    rows = named(term, page, *others)
    assert {cui: row["near"] for cui, row in rows.items()} == {
        "DOID:1": None, "DOID:2": None, "pages:1": "DOID:1", "pages:2": None,
    }  # fmt: skip


NEAR = {"chilblain": (1.0, 0.0), "frostnip of toes": (0.96, 0.28)}


def near_names(names):
    return np.array([NEAR.get(name, (0.0, 0.0)) for name in names], np.float32)


def test_near_names_wait_through_reloads_until_a_curator_decides(database, load):
    pages = [*PAGES, Entity("pages:cold", "Disease", "Frostnip of toes")]
    load(pages, "pages", replace=True)
    assert index_concepts(database).near == 0
    found = index_concepts(database, near_names)
    assert (found.proposed, found.near) == (1, 1)
    assert "1 equivalences proposed (1 by embedding), 1 refused" in found.summary()
    (pair,) = listed(database, method="embedding")
    assert (pair.id, pair.evidence, pair.score) == ("DOID:4|pages:cold", "chilblain ~ Frostnip of toes", 0.96)
    assert listed(database, method="xref") == []
    load([*pages, Entity("pages:new", "Disease", "corn")], "pages", replace=True)
    assert index_concepts(database).near == 1
    assert meanings(database)["pages:cold"] == ("pages:cold", "itself")
    decide(database, "DOID:4", "pages:cold", same=True)
    assert index_concepts(database, near_names).near == 0
    assert meanings(database)["pages:cold"] == ("DOID:4", "accepted")
    undo(database, "DOID:4", "pages:cold")
    assert index_concepts(database).near == 1
    assert meanings(database)["pages:cold"] == ("pages:cold", "itself")
    load(PAGES, "pages", replace=True)
    assert index_concepts(database).near == 0
    assert listed(database) == []
