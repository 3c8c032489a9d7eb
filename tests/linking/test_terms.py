"""From sections to the graph: terms, topics, relations and descriptions."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.graph import catalogue
from medgraph.linking.mentions import SURE, conditions_of, index_relations, index_topics
from medgraph.linking.statements import find_description
from medgraph.linking.terms import ENOUGH, TERMS_OF, find_terms, scored_terms
from medgraph.schema.vocabulary import TERM_RELATIONS
from medgraph.text import sentences
from tests.support.graphs import run
from tests.support.linking import entity, linker_of
from tests.support.paths import ROOT

LABELLED = ROOT / "tests" / "data" / "linking" / "terms.tsv"


def found(text, kind="symptoms", title="Marsh ague", named=()):
    places = [(text.index(name), text.index(name) + len(name)) for name in named]
    return find_terms({"type": kind, "title": title, "text": text}, sentences(text), places)


def names(*asked, **options):
    return [term.name for term in found(*asked, **options)]


def test_items_of_lists_are_terms():
    text = "Symptoms include\n\n- silvery scales  - a feeling of fullness: it passes  - cramps, then rest\n- fever"
    terms = found(text, named=["fever"])
    assert [term.name for term in terms] == ["silvery scales", "feeling of fullness"]
    assert [(text[t.start : t.end], t.relation, t.method) for t in terms] == [
        ("silvery scales", "HAS_SYMPTOM", "bullet"),
        ("feeling of fullness", "HAS_SYMPTOM", "bullet"),
    ]
    assert all(ENOUGH <= term.score <= 1 for term in terms)


def test_cells_of_a_table_in_one_line_are_terms():
    head = "Signs and Symptoms Approximate number of patients (when available) "
    text = head + "Shortened PR interval 90% Long skull - Wide gums 3/8 Autosomal dominant inheritance - The list ends."
    assert [(t.name, t.method) for t in found(text)] == [
        ("shortened PR interval", "table"),
        ("long skull", "table"),
        ("wide gums", "table"),
    ]
    assert names(head + "Long skull - Wide gums 50% and so on", named=["Wide gums"]) == ["long skull"]


@pytest.mark.parametrize(
    "item",
    [
        "call your doctor",
        "clean meat grinders thoroughly after each use",
        "people over 60",
        "3 months",
        "National Cancer Institute",
        "frequencyurination of some sort",
        "HIVthe virus",
        "marsh ague",
        "early",
        "long hair, wide gums",
        "the condition that affects one in every ten thousand of all newborn boys",
        "http://example.org",
    ],
)
def test_what_is_no_term(item):
    assert names(f"Symptoms include\n- silvery scales\n- {item}\n- wide gums") == ["silvery scales", "wide gums"]


@pytest.mark.parametrize(
    ("kind", "head"),
    [
        ("treatment", "These resources address the management of marsh ague:"),
        ("symptoms", "Call your doctor if there are"),
        ("treatment", "Side effects are"),
        ("prevention", "These things increase the risk:"),
        ("susceptibility", "It is not clear whether these matter:"),
    ],
)
def test_lists_of_something_else(kind, head):
    assert names(f"{head}\n- silvery scales\n- wide gums", kind=kind) == []
    assert names("These are known:\n- silvery scales\n- wide gums", kind=kind) == ["silvery scales", "wide gums"]


@given(st.text(), st.sampled_from(sorted(TERMS_OF)))
def test_any_text_is_read_and_offsets_are_right(text, kind):
    text = f"Symptoms include\n- {text}\n- silvery scales\nTreatment may include {text}, a, b"
    for term in scored_terms({"type": kind, "title": "x", "text": text}, sentences(text), []):
        assert term.name.casefold() == " ".join(text[term.start : term.end].split()).casefold()


def test_the_labelled_terms_are_as_the_readme_says():
    with LABELLED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [sum(row["set"] == name for row in rows) for name in ("held", "dev", "later")] == [75, 75, 60]
    assert {row["right"] for row in rows} == {"yes", "no"}
    assert {row["relation"] for row in rows} <= set(TERM_RELATIONS)


LINKER = linker_of(
    entity("a:1", "gout"),
    entity("a:2", "diabetes mellitus", "diabetes"),
    entity("a:3", "surgery", label="SideEffect"),
    entity("a:4", "stroke"),
    entity("t:1", "Recovering after stroke", label="Topic"),
    entity("t:2", "Gout - discharge", label="Topic"),
)


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("Gout - discharge", ["a:1"]),
        ("Recovering after stroke", ["a:4"]),
        ("Diabetes and gout", ["a:2", "a:1"]),
        ("What to expect: diabetes", ["a:2"]),
        ("Surgery", []),
        ("Laser surgery - discharge", []),
        ("Gout", ["a:1"]),
        ("", []),
    ],
)
def test_titles_name_conditions(title, named):
    assert [LINKER.holdings.id(linked.entity) for _, linked in conditions_of(LINKER, title)] == named


def test_topics_are_joined_to_conditions_and_anew_as_a_whole(database):
    run(
        database,
        "CREATE (t:Entity:Topic {id: 't:2', name: 'Gout - discharge', sources: ['s']})<-[:ABOUT]-"
        "(d:Document {id: 'd1'})-[:HAS_SECTION]->(:Section {id: 'd1#1', type: 'information', position: 1}) "
        "CREATE (t)-[:MEANS]->(:Concept:Topic {cui: 't:2', name: 'Gout - discharge'}) "
        "CREATE (:Entity:Disease {id: 'a:1'})-[:MEANS]->(:Concept:Disease {cui: 'a:1', name: 'gout'})",
    )
    for names in ("a", "b"):
        assert index_topics(database, LINKER, names) == 1
        assert index_topics(database, LINKER, names) is None
        rows = run(
            database, "MATCH (t:Topic)-[r:ABOUT_CONCEPT]->(c) RETURN t.id AS topic, r.surface AS said, c.cui AS cui"
        )
        assert rows == [{"topic": "t:2", "said": "Gout", "cui": "a:1"}]
    around = database.read(catalogue.get("disease_subgraph"), concept="a:1", types=[], limit=10, kinds=0)
    assert [(row["relation"], row["concept"], row["said"][0]["evidence"]) for row in around] == [
        ("ABOUT_CONCEPT", "t:2", ["d1"])
    ]
    run(database, "MATCH (:Document)-[r:ABOUT]->() SET r.source = 's' MERGE (:Source {id: 's'})")
    assert database.read(catalogue.get("relations_without_source"), source="", examples=5) == []


def test_relations_follow_from_sections_with_their_evidence(sample_graph):
    rows = run(
        sample_graph,
        "MATCH (d:Concept)-[r]->(x:Concept) WHERE r.told <> [] "
        "RETURN d.cui AS head, type(r) AS type, x.cui AS tail, r.sections AS evidence, r.told AS sources, "
        "r.told_score AS score",
    )
    assert {row["type"] for row in rows} >= {"HAS_SYMPTOM"}
    for row in rows:
        assert row["head"] != row["tail"]
        assert row["sources"] == ["sample"]
        assert row["evidence"]
        assert row["score"] >= SURE


def test_pages_that_are_each_unsure_make_a_relation_sure_together_and_sections_of_one_do_not(database):
    run(
        database,
        """
        CREATE (d:Entity:Disease {id: 'd'})-[:MEANS]->(:Concept:Disease {cui: 'd', stale: true}),
               (x:Concept:Drug {cui: 'x'}), (y:Concept:Drug {cui: 'y'})
        WITH d, x, y
        UNWIND [['p1', 1, 0.8, 'treats', x], ['p1', 2, 0.85, 'treats', x], ['p2', 1, 0.8, 'treats', x],
                ['p3', 1, 0.7, 'treats', x], ['p4', 1, 0.8, 'avoided', x],
                ['p5', 1, 0.85, 'treats', y], ['p5', 2, 0.85, 'treats', y]] AS told
        WITH d, told[0] AS page, told[0] + '#' + told[1] AS section, told[2] AS score, told[3] AS role, told[4] AS tail
        MERGE (p:Document {id: page})
        MERGE (p)-[:ABOUT]->(d)
        CREATE (p)-[:HAS_SECTION]->(:Section {id: section, source: 'a'})-[:HAS_CHUNK]->(:Chunk {id: section})
               -[:MENTIONS {role: role, role_score: score, surface: tail.cui}]->(tail)
        """,
    )
    assert index_relations(database) == 1
    query = "MATCH ({cui: 'd'})-[r]->(x:Drug) RETURN x.cui AS tail, r.told_score AS score, r.sections AS sections"
    # .97 = 1 - .15 x .2: the better of the two sections of p1, and p2.
    assert run(database, query) == [{"tail": "x", "score": 0.97, "sections": ["p1#1", "p1#2", "p2#1"]}]


def said(text, kind="information", focus=("C1",), subject="gout"):
    places = [n for n in range(len(text)) if text[n : n + len(subject)].lower() == subject]
    mentions = [{"concept": "C1", "start": n, "end": n + len(subject)} for n in places]
    section = {"type": kind, "text": text, "focus": list(focus)}
    described = find_description(section, sentences(text), mentions)
    assert described is None or described["concept"] == "C1"
    return described and text[described["start"] : described["end"]]


LONG = "is a form of arthritis that comes in attacks, and that hurts the joints of the feet most of all."


@pytest.mark.parametrize(
    "sentence",
    [
        f"Gout {LONG}",
        f"The gout {LONG}",
        f"Gout (GOWT), also known as podagra, {LONG}",
        "Gout is characterized by attacks of pain in the joints, most often in that of the big toe.",
        "Gout refers to a group of conditions in which crystals are found inside of joints, where they hurt.",
    ],
)
def test_the_sentence_that_says_what_it_is(sentence):
    assert said(f"What is gout? Many people ask. {sentence} It is frequent.") == sentence
    assert said(f"Key Points\n - {sentence}\n - It is frequent.") == sentence


@pytest.mark.parametrize(
    "text",
    [
        "Gout is three times more common in men than in women.",
        "Gout is a common cause of pain.",
        "Gout is a common disease. It usually hurts.",
        "A complication of gout is a kidney stone.",
        "Arthritis is a disease of joints.",
        "Gout hurts.",
        "What is gout?",
        "Gout is a form of",
        "",
    ],
)
def test_what_does_not_say_it(text):
    assert said(text) is None
