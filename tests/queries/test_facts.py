"""Facts, subgraphs and whose word they are, and what a search gives of them."""

from dataclasses import replace

import pytest

from medgraph.cli.entity import print_card
from medgraph.graph import catalogue
from medgraph.linking.concepts import index_concepts
from medgraph.linking.names import load_linker, names_in_use
from medgraph.pictures.relations import picture_of_subgraph
from medgraph.queries.cards import entity_card
from medgraph.queries.concepts import ANY, Fact, find_facts
from medgraph.queries.hits import FACTS
from medgraph.queries.meanings import meaning_of
from medgraph.queries.retriever import Retriever
from medgraph.queries.subgraphs import find_subgraph
from medgraph.queries.voices import Backing, Voices
from medgraph.schema.concept_relations import fold_all
from medgraph.schema.records import Entity, Relation
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.linking import names_of
from tests.support.loads import Loading


@pytest.fixture
def facts(graph, settings, tmp_path):
    """Finds facts in a small graph of three sources."""
    database = joined(graph, settings, tmp_path)
    linker = load_linker(settings, database)

    def find(*asked, **options):
        return find_facts(database, linker, *asked, **options)

    return find


def triples(found):
    return [(fact.head, fact.relation, fact.tail, fact.method) for fact in found]


def test_what_a_thing_has_is_stated_by_sources_and_told_by_texts(facts):
    found = facts("gout", "HAS_SYMPTOM", ANY)
    assert triples(found) == [
        ("C0018099", "HAS_SYMPTOM", "MESH:4", "stated"),
        ("C0018099", "HAS_SYMPTOM", "C0010200", "section"),
        ("C0018099", "HAS_SYMPTOM", "C0015967", "section"),
        ("C0018099", "HAS_SYMPTOM", "C0015967", "stated"),
    ]
    both = Backing(("doid",), ("pages",), 1, True, False, "Doid, Pages", "stated by Doid; told in 1 section (Pages)")
    assert found[3] == Fact(
        "C0018099", "gout", "HAS_SYMPTOM", "C0015967", "fever", ["doid"], "stated", 0.5, ["PMID:1"], both
    )
    assert (found[2].backing, found[1].standing) == (both, "single")
    assert (found[1].sources, found[1].score, found[1].evidence) == (["pages"], 0.949, ["p1#1"])
    for gout in ("Podagra", "MESH:1", "C0018099", " UMLS:C0018099"):
        assert facts(gout, "has symptom", ANY) == found
    assert facts("gout", "HAS_SYMPTOM", ANY, limit=1) == found[:1]


def test_what_a_source_predicts_says_so(facts, graph, tmp_path):
    predicted = Relation("MESH:1", "TREATED_BY", "CHEBI:1", properties=(("knowledge_level", "prediction"),))
    told = replace(predicted, object="MESH:3")
    Loading(tmp_path, graph)([Entity("CHEBI:1", "Drug", "colchicine"), predicted, told], "model")
    index_concepts(graph)
    found = {fact.tail_name: fact for fact in facts("gout", "TREATED_BY", ANY)[::-1]}
    assert (found["colchicine"].method, found["colchicine"].sources) == ("predicted", ["model"])
    assert found["colchicine"].backing == Backing(who="Model", text="predicted by Model", predicted=("model",))
    assert found["allopurinol"].backing.text.startswith("stated by Mesh; predicted by Model; told in 1 section")
    assert (found["allopurinol"].backing.stated, found["allopurinol"].method) == (("mesh",), "stated")
    query = catalogue.get("disease_subgraph")
    rows = graph.read(query, concept="C0018099", types=["TREATED_BY"], limit=100, kinds=1)
    assert {row["name"]: [voice["method"] for voice in row["said"]] for row in rows}["colchicine"] == ["predicted"]
    limits = {"hops": 1, "scan": 5000, "fan_out": 200, "hub": 1000, "limit": 50}
    (path,) = graph.read(catalogue.get("paths"), first="C0018099", second="CHEBI:1", **limits)
    assert [voice["method"] for voice in path["hops"][0]["said"]] == ["predicted"]
    asked = graph.read(
        catalogue.get("asked_facts"),
        entities=["MESH:1"],
        others=[],
        out=["TREATED_BY"],
        back=["TREATS"],
        labels=["Drug"],
        terms=True,
        named="",
        limit=40,
    )
    assert [row["object_name"] for row in asked] == ["allopurinol"]
    (relation,) = (one for one in entity_card(graph, "CHEBI:1").relations if one.id == "MESH:1")
    assert relation.backing.text == "predicted by Model"
    (relation,) = (one for one in meaning_of(graph, "CHEBI:1").relations if one.concept == "C0018099")
    assert [voice.text() for voice in relation.voices] == ["predicted by model"]


def test_what_has_something_and_what_is_between_two(facts):
    assert triples(facts(ANY, "HAS_SYMPTOM", "cough")) == [
        ("DOID:2", "HAS_SYMPTOM", "C0010200", "stated"),
        ("C0018099", "HAS_SYMPTOM", "C0010200", "section"),
        ("DOID:2", "HAS_SYMPTOM", "C0010200", "section"),
    ]
    assert {triple[1:3] for triple in triples(facts("gout", ANY, "allopurinol"))} == {("TREATED_BY", "MESH:3")}
    assert {fact.relation for fact in facts("gout", ANY, ANY)} == {"HAS_SYMPTOM", "TREATED_BY"}
    assert {fact.head for fact in facts(ANY, ANY, "allopurinol")} == {"C0018099"}
    assert facts("allopurinol", ANY, "gout") == facts("chilblain", ANY, ANY) == facts("gout", "BINDS", ANY) == []


def test_the_surroundings_of_a_condition_for_all_relations_or_some(facts, graph):
    query, given = catalogue.get("disease_subgraph"), {"limit": 100, "kinds": 1}
    rows = graph.read(query, concept="C0018099", types=[], **given)
    assert {(row["relation"], row["direction"], row["concept"]) for row in rows} == {
        ("HAS_SYMPTOM", "out", "C0010200"),
        ("HAS_SYMPTOM", "out", "C0015967"),
        ("HAS_SYMPTOM", "out", "MESH:4"),
        ("TREATED_BY", "out", "MESH:3"),
    }
    some = graph.read(query, concept="C0018099", types=["TREATED_BY"], **given)
    assert some == [row for row in rows if row["relation"] == "TREATED_BY"]
    assert {row["direction"] for row in graph.read(query, concept="C0010200", types=[], **given)} == {"in"}


@pytest.fixture
def retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: encoder, names_of(sample_graph))


def test_a_search_tells_what_is_asked_about_with_facts_of_it(retriever):
    found = retriever.search("How is gout treated?", mode="learned", top_k=3)
    assert found[0].section == "sample:gout#6"
    assert [one.name.lower() for one in found.concepts()] == ["gout"]
    facts = found.facts()
    assert 0 < len(facts) <= FACTS
    assert {fact.head_name.lower() for fact in facts} == {"gout"}
    assert found.paths() == []
    assert list(found.timing_ms) == ["understand", "find", "rank", "read", "total"]
    assert found.question.text == "How is gout treated?"


def test_of_two_things_what_is_between_them_comes_first(retriever):
    fact = retriever.search("How is gout treated?").facts()[0]
    found = retriever.search(f"Has {fact.tail_name} to do with {fact.head_name}?", mode="learned", top_k=3)
    assert {(one.head, one.tail) for one in found.facts()} == {(fact.head, fact.tail)}
    (pair,) = found.paths()
    assert pair.paths[0].hops[0].relations == (fact.relation,)


@pytest.fixture
def find(graph, settings, tmp_path):
    """Finds what goes with something in a small graph of three sources."""
    joined(graph, settings, tmp_path)
    linker, _ = names_in_use(settings, graph)

    def found(name, **options):
        return find_subgraph(graph, lambda: linker, name, **options)

    return found


def test_each_sentence_names_what_it_rests_on_and_who_says_so(find):
    found = find("podagra")
    assert (found.centre.id, found.centre.name) == ("C0018099", "gout")
    assert [(sentence.text, sentence.kind, sentence.relations) for sentence in found.sentences] == [
        ("Symptoms of gout include fever.", "symptoms", (0,)),
        ("According to Mesh alone, symptoms of gout also include perniosis.", "symptoms", (1,)),
        ("According to texts of Pages alone, symptoms of gout also include cough.", "symptoms", (2,)),
        ("Treatments for gout include allopurinol.", "treatment", (3,)),
    ]
    assert [(sentence.sources, sentence.standing, sentence.who) for sentence in found.sentences] == [
        (("pages", "doid"), "corroborated", "Doid, Pages; stated and told"),
        (("mesh",), "single", ""),
        (("pages",), "single", ""),
        (("mesh", "pages"), "corroborated", "Mesh, Pages; stated and told"),
    ]
    assert found.sentences[0].licences
    assert found.text == " ".join(sentence.text for sentence in found.sentences)
    first = found.relations[0]
    assert (first.head.id, first.relation, first.tail.id, first.hops) == ("C0018099", "HAS_SYMPTOM", "C0015967", 1)
    assert {(voice.method, voice.sources, voice.evidence) for voice in first.said} == {
        ("stated", ("doid",), ("PMID:1",)),
        ("section", ("pages",), ("p1#1",)),
    }
    assert found.note == ""


def test_kinds_and_types_of_relations_narrow_it_down(find):
    whole = find("gout")
    treated = find("gout", types=["Therapy"])
    assert treated.relations == whole.relations[3:]
    assert (
        treated == find("gout", relations=["treated by"]) == find("gout", types=["treatment"], relations=["TREATED_BY"])
    )
    both = find("gout", types=["symptoms", "treatment"])
    assert both.relations == whole.relations
    nothing = find("gout", types=["symptoms"], relations=["TREATED_BY"])
    assert (nothing.relations, nothing.text) == ((), "")
    assert nothing.note == "nothing of what was asked for is told of gout, by no source and no section"
    few = find("gout", limit=1)
    assert [row.tail.id for row in few.relations] == ["C0015967", "MESH:3"]
    assert few.note == "of its relations, these are a part: 1 of 3 HAS_SYMPTOM"


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
