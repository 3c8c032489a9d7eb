"""Whose word a relation is: independent sources, one source alone, or an uncurated table alone."""

import pytest

from medgraph.cli.entity import print_card
from medgraph.linking.concepts import index_concepts
from medgraph.linking.names import names_in_use
from medgraph.pictures.relations import picture_of_subgraph
from medgraph.queries.cards import entity_card
from medgraph.queries.concepts import ANY, find_facts
from medgraph.queries.subgraphs import find_subgraph
from medgraph.queries.voices import Voices
from medgraph.schema.concept_relations import fold_all
from medgraph.schema.records import Entity, Relation
from tests.support.graphs import run
from tests.support.loads import Loading

DRUGS = {name: Entity(f"x:{name}", "Drug", name) for name in ("agreed", "lone", "tabled", "twice")}
GIVEN = {
    "one": ("agreed", "lone", "twice"),
    "two": ("agreed",),
    "part": ("twice",),
    "clinic": ("agreed", "tabled"),
}
"""Source → drugs that it gives for gout; `part` is a part of `one`, and `clinic` a table that nobody has ranked."""


@pytest.fixture
def ask(database, settings, tmp_path):
    """Finds what goes with gout in a small graph: two sources that agree, one that is alone, and a table alone."""
    load = Loading(tmp_path, database)
    for source, drugs in GIVEN.items():
        gout = Entity("x:gout", "Disease", "gout")
        given = [Relation("x:gout", "TREATED_BY", f"x:{drug}") for drug in drugs]
        symptom = [Entity("x:pain", "Symptom", "pain"), Relation("x:gout", "HAS_SYMPTOM", "x:pain")]
        load([gout, *DRUGS.values(), *given, *(symptom if source == "clinic" else [])], source)
    run(
        database,
        "MATCH (s:Source {id: 'part'}) SET s.part_of = 'one' WITH s MATCH (t:Source {id: 'clinic'}) SET t.table = true",
    )
    index_concepts(database)
    linker, _ = names_in_use(settings, database)
    return lambda name="gout": find_subgraph(database, lambda: linker, name)


def test_what_one_source_alone_says_never_stands_in_a_sentence_with_what_several_say(ask):
    assert [(sentence.text, sentence.standing) for sentence in ask().sentences] == [
        ("According to Clinic alone, symptoms of gout include pain.", "single"),
        ("Treatments for gout include agreed.", "corroborated"),
        ("According to One, Part alone, treatments for gout also include twice.", "single"),
        ("According to One alone, treatments for gout also include lone.", "single"),
        ("Under treatment for gout, one uncurated table (Clinic) lists 1 entry that no other source gives.", "listed"),
    ]
    for sentence in ask().sentences:
        if "Treatments for gout" in sentence.text:
            assert not any(name in sentence.text for name in ("lone", "tabled", "twice"))


def test_facts_cards_and_pictures_say_the_same(ask, database, settings, capsys):
    linker, _ = names_in_use(settings, database)
    facts = {fact.tail_name: fact for fact in find_facts(database, linker, "gout", "TREATED_BY", ANY)}
    assert {name: fact.standing for name, fact in facts.items()} == {
        "agreed": "corroborated",
        "lone": "single",
        "twice": "single",
        "tabled": "listed",
    }
    card = entity_card(database, "x:gout")
    assert {row.name: row.backing for row in card.meaning.relations} == {
        row.tail.name: row.backing for row in ask().relations
    }
    print_card(card)
    shown = capsys.readouterr().out
    treated = shown[shown.index("TREATED_BY: 4") :].splitlines()
    assert treated[1].startswith("   agreed ")
    assert treated[2] == "   one source alone:"
    assert treated[5] == "   listed by one uncurated table alone: 1, not named here"
    assert "tabled" not in shown
    lines = {edge.target: (edge.line, edge.note) for edge in picture_of_subgraph(ask()).edges}
    ids = {row.tail.name: row.tail.id for row in ask().relations}
    assert ids["tabled"] not in lines
    assert (lines[ids["agreed"]][0], lines[ids["lone"]][0], lines[ids["pain"]][0]) == ("bold", "solid", "solid")


def test_brackets_say_who_says_what_where_that_differs(ask, database):
    run(
        database,
        "MATCH (e {id: 'x:gout'}), (d {id: 'x:lone'}) CREATE (e)-[:TREATED_BY {source: 'two'}]->(d)",
    )
    fold_all(database)
    assert "Treatments for gout include agreed (Clinic, One, Two; stated) and lone (One, Two; stated)." in ask().text


def test_sources_are_named_by_the_head_of_their_titles():
    known = Voices(
        [
            {"id": "a", "title": "Hetionet 1.0; parts are others'", "voice": "a", "uncurated": False},
            {"id": "b", "title": "x" * 100, "voice": "b", "uncurated": False},
            {"id": "c", "title": "MedQuAD: questions", "voice": "a", "uncurated": True},
        ]
    )
    assert [known.name(source) for source in "abcd"] == ["Hetionet 1.0", "b", "MedQuAD", "d"]
    one = known.backing([("stated", ["a"], 0), ("section", ["c"], 3)])
    assert (one.corroborated, one.uncurated, one.mark) == (False, False, "Hetionet 1.0, MedQuAD; stated and told")
    assert one.text == "stated by Hetionet 1.0; told in 3 sections (MedQuAD)"
    assert known.backing([("term", ["c"], 1)]).uncurated
    assert known.backing([("term", ["c"], 1), ("stated", ["b"], 0)]).corroborated
    assert not known.backing([]).uncurated
