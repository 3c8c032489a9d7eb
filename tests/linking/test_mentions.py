"""Links: what texts mention, to the character, and what follows when texts or names change."""

import itertools

import pytest

from medgraph.answers.facts import FactQuery, facts_of
from medgraph.embeddings.index import index_chunks
from medgraph.linking.concepts import index_concepts
from medgraph.linking.context import open_pipeline
from medgraph.linking.mentions import index_links
from medgraph.linking.names import names_in_use
from medgraph.linking.statements import frequency_of
from medgraph.loaders.life.kinds import Documents
from medgraph.queries.entities import Mention
from medgraph.queries.meanings import meaning_of
from tests.support.graphs import run

MENTIONS = """
MATCH (s:Section)-[:HAS_CHUNK]->(k:Chunk)-[m:MENTIONS]->(c:Concept)
RETURN s.id AS section, s.text AS text, k.start AS from, k.end AS to, properties(m) AS m, c.cui AS concept
"""


def test_mentions_stand_where_they_say(sample_graph):
    rows = run(sample_graph, MENTIONS)
    assert len(rows) > 1000
    for row in rows:
        m = row["m"]
        assert row["text"][m["start"] : m["end"]] == m["surface"]
        assert row["from"] <= m["start"] < row["to"]
        assert 0.7 <= m["score"] <= 1


def test_no_two_mentions_of_a_section_overlap(sample_graph):
    places = {}
    for row in run(sample_graph, MENTIONS):
        places.setdefault(row["section"], []).append((row["m"]["start"], row["m"]["end"]))
    for spans in places.values():
        spans.sort()
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))


def test_linking_again_changes_nothing(sample_graph, settings):
    before = run(sample_graph, MENTIONS)
    done = index_links(sample_graph, *names_in_use(settings, sample_graph))
    assert (done.sections, done.mentions, done.relations) == (0, 0, None)
    assert done.summary() == "0 sections linked, 0 mentions; relations as they were"
    assert len(run(sample_graph, MENTIONS)) == len(before)


def test_what_is_said_to_be_absent_is_no_symptom(database, encoder, settings, loaded_page):
    loaded_page("Signs and symptoms of marsh ague may include fever and a rash. There is no cough.", "information")
    index_chunks(database, encoder)
    index_links(database, *names_in_use(settings, database))
    found = run(database, "MATCH (:Concept)-[:HAS_SYMPTOM]->(x) RETURN x.name AS name ORDER BY name")
    assert [row["name"] for row in found] == ["fever", "rash"]
    negated = run(database, "MATCH ()-[m:MENTIONS {negated: true}]->() RETURN m.surface AS surface")
    assert [row["surface"] for row in negated] == ["cough"]


def test_symptoms_of_another_disease_are_none_of_the_pages_own(database, encoder, settings, loaded_page):
    loaded_page(
        "Signs and symptoms of marsh ague may include fever. Signs and symptoms of bog palsy may include a rash. "
        "Signs and symptoms of chronic marsh ague may include a cough.",
        "symptoms",
    )
    run(
        database,
        "MATCH (s:Source {id: 'made'}) UNWIND ['bog palsy', 'chronic marsh ague'] AS name "
        "CREATE (:Entity:Disease {id: 'x:' + name, name: name, sources: ['made']})-[:FROM]->(s)",
    )
    index_concepts(database)
    index_chunks(database, encoder)
    index_links(database, *names_in_use(settings, database))
    found = run(database, "MATCH (:Concept {name: 'marsh ague'})-[:HAS_SYMPTOM]->(x:Symptom) RETURN x.name AS name")
    assert {row["name"] for row in found} == {"fever", "cough"}


def test_a_drugs_section_on_side_effects_tells_them(database, encoder, settings, loaded_page):
    loaded_page(
        "Patients with a cough were studied. The most common reactions were fever, and in 2% rash.", "side effects"
    )
    loaded_page("It is used for fever.", "indication", key="b")
    loaded_page("There were no reports of a rash. Cough was seen in treated patients.", "side effects", key="c")
    run(database, "MATCH (e:Entity {id: 'x:subject'}) REMOVE e:Disease SET e:Drug")
    index_concepts(database)
    index_chunks(database, encoder)
    index_links(database, *names_in_use(settings, database))
    found = run(
        database,
        "MATCH (:Concept:Drug)-[r:HAS_SIDE_EFFECT]->(x:Symptom) "
        "RETURN x.name AS name, r.sections AS sections ORDER BY name",
    )
    assert [(row["name"], row["sections"]) for row in found] == [
        ("cough", ["c#1"]),
        ("fever", ["a#1"]),
        ("rash", ["a#1"]),
    ]
    assert len(run(database, "MATCH (:Concept)-[r]->(:Concept) RETURN r")) == 3


ROWS = {
    "Rash; Marsh ague (%): 12; Placebo (%): 9": (12.0, "Marsh ague (%): 12"),
    "Rash; Placebo: 9%; Marsh ague 10 mg N=107: 12.5%": (12.5, "Marsh ague 10 mg N=107: 12.5%"),
    "Adverse Reaction: Rash*; Marsh ague n (%): 39 (36.4); Placebo n (%): 24 (22.4)": (
        36.4,
        "Marsh ague n (%): 39 (36.4)",
    ),
    "Reaction: Rash; Percent Incidence: 7%": (7.0, "Percent Incidence: 7%"),
    "Rash; Marsh ague (%): 9; Placebo (%): 9": None,  # no oftener than without it
    "Rash; Marsh ague n (%): 39; Placebo n (%): 24": None,  # how many, not how often
    "Rash; Marsh ague with bog tea (%): 12; Placebo (%): 9": None,  # not of it alone
    "Rash; Marsh ague grades 3-4 (%): 12": None,
    "Rash; TABLE 2: 6%; TABLE 2: 5%": None,  # nobody knows of what
    "Rash; High Dose (n=15): 19%; Low Dose (n=15): 12%": None,
    "Rash Note: Includes hives; Marsh ague (%): <1": None,
    "Hives or rash; Marsh ague (%): 12": None,
    "Rash, fever; Marsh ague %: 6 5": None,
}


@pytest.mark.parametrize("row", ROWS)
def test_how_often_a_drug_has_an_effect_is_told_by_the_column_of_the_drug(row):
    text = f"Reactions are listed.\n{row}\nFever; Marsh ague (%): 99"
    start = text.lower().index("rash")
    assert frequency_of(text, (start, start + 4), ["Marsh ague"]) == ROWS[row]


def test_a_relation_says_how_often_a_drug_has_the_side_effect(database, encoder, settings, loaded_page):
    loaded_page("Reactions are listed.\n\nFever; Marsh ague (%): 12; Placebo (%): 9\n\nRash is rare.", "side effects")
    loaded_page("Some had a fever.\n\nFever; Marsh ague: 7.5%; Placebo: 2%", "side effects", key="b")
    run(database, "MATCH (e:Entity {id: 'x:subject'}) REMOVE e:Disease SET e:Drug")
    index_concepts(database)
    index_chunks(database, encoder)
    index_links(database, *names_in_use(settings, database))
    told = (
        "MATCH (:Concept)-[r:HAS_SIDE_EFFECT]->(x)"
        " RETURN x.name AS name, r.frequency AS share, r.frequency_words AS words ORDER BY name"
    )
    assert run(database, told) == [
        {"name": "fever", "share": "7.5% to 12%", "words": ["Marsh ague: 7.5%", "Marsh ague (%): 12"]},
        {"name": "rash", "share": None, "words": None},
    ]
    meaning = meaning_of(database, "x:subject")
    assert [one.name for one in meaning.relations] == ["fever (7.5% to 12%)", "rash"]
    stated = "MATCH (a:Entity {id: 'x:subject'}), (b:Entity {id: 'x:fever'}) "
    run(database, stated + "CREATE (a)-[:HAS_SIDE_EFFECT {source: 'made'}]->(b)")
    thing = Mention("x:subject", "Drug", "marsh ague", "marsh ague", "marsh ague", 1.0, (), 1)
    facts = facts_of(database, FactQuery("side effects", thing))
    assert [fact.object_name for fact in facts] == ["fever (7.5% to 12%)"]
    Documents().remove(database.write, [{"id": "b"}])
    index_links(database, *names_in_use(settings, database))
    assert [row["share"] for row in run(database, told)] == ["12%", None]


def test_a_drugs_sections_tell_who_must_not_have_it_and_what_not_with(database, encoder, settings, loaded_page):
    loaded_page("Contraindicated in people with a cough. Tell your doctor if you have a rash.", "contraindication")
    loaded_page(
        "It is stronger when taken with tolvex. Brimol has no effect on it. It does nothing for fever.",
        "interactions with medications",
        key="b",
    )
    run(database, "MATCH (e:Entity {id: 'x:subject'}) REMOVE e:Disease SET e:Drug")
    run(
        database,
        "MATCH (s:Source {id: 'made'}) UNWIND ['tolvex', 'brimol'] AS name "
        "MERGE (e:Entity {id: 'a:' + name}) SET e:Drug, e.name = name, e.sources = ['made'] MERGE (e)-[:FROM]->(s)",
    )
    index_concepts(database)
    index_chunks(database, encoder)
    index_links(database, *names_in_use(settings, database))
    found = run(database, "MATCH (a:Concept)-[r]->(b:Concept) RETURN a.name AS a, type(r) AS r, b.name AS b ORDER BY a")
    assert [(row["a"], row["r"], row["b"]) for row in found] == [
        ("cough", "CONTRAINDICATED_WITH", "marsh ague"),
        ("tolvex", "INTERACTS_WITH", "marsh ague"),
    ]


def test_new_names_are_linked_and_others_forgotten(database, encoder, settings, loaded_page):
    loaded_page("Symptoms are fever and xanthopsia.", "symptoms")
    index_chunks(database, encoder)
    assert index_links(database, *names_in_use(settings, database)).mentions == 1
    run(database, "MATCH (e:Entity {id: 'x:cough'})-[f:FROM]->() SET e.name = 'xanthopsia', f.load = 2")
    run(database, "MATCH (l:Load) SET l.finished = datetime()")
    done = index_links(database, *names_in_use(settings, database))
    assert (done.sections, done.mentions) == (1, 2)
    assert len(run(database, MENTIONS)) == 2


@pytest.mark.scispacy
def test_texts_that_another_pipeline_linked_are_linked_anew(database, encoder, settings, loaded_page):
    loaded_page("Symptoms are fever. The patient denies cough.", "symptoms")
    index_chunks(database, encoder)
    names, pipeline = names_in_use(settings, database), open_pipeline("scispacy")
    assert index_links(database, *names).sections == 1
    assert [index_links(database, *names, pipeline).sections for _ in range(2)] == [1, 0]
    said = run(database, "MATCH ()-[m:MENTIONS]->() RETURN m.surface AS surface, m.negated AS negated ORDER BY surface")
    assert said == [{"surface": "cough", "negated": True}, {"surface": "fever", "negated": False}]


def test_an_interrupted_step_goes_on(database, encoder, settings, loaded_page, monkeypatch):
    loaded_page("Symptoms are fever.", "symptoms")
    loaded_page("Symptoms are a rash.", "symptoms", key="b")
    index_chunks(database, encoder)
    monkeypatch.setattr("medgraph.linking.mentions.BATCH", 1)
    linker, names = names_in_use(settings, database)

    class Dying:
        holdings = linker.holdings
        name = linker.name
        calls = 0

        def text(self, text, *_):
            Dying.calls += 1
            if Dying.calls > 1:
                raise KeyboardInterrupt
            return linker.text(text)

    with pytest.raises(KeyboardInterrupt):
        index_links(database, Dying(), names)
    assert len(run(database, MENTIONS)) == 1
    assert index_links(database, linker, names).sections == 1
    assert len(run(database, MENTIONS)) == 2


TERMS = """
MATCH (c:Concept)-[r]->(t:Term)<-[told:TELLS_OF]-(s:Section)
WHERE s.id IN r.sections
RETURN c.name AS head, type(r) AS relation, t.id AS id, t.name AS name, s.text AS text, properties(r) AS r,
       properties(told) AS told
ORDER BY name
"""


def test_what_no_vocabulary_has_is_a_term_with_its_evidence(database, encoder, settings, loaded_page):
    loaded_page("Symptoms are\n- fever\n- silvery scales\n- a feeling of fullness", "symptoms")
    index_chunks(database, encoder)
    done = index_links(database, *names_in_use(settings, database))
    assert (done.mentions, done.terms) == (1, 2)
    assert done.summary().endswith(", 2 places of terms")
    rows = run(database, TERMS)
    assert [(row["head"], row["relation"], row["id"], row["name"]) for row in rows] == [
        ("marsh ague", "HAS_SYMPTOM", "term:feeling-of-fullness", "feeling of fullness"),
        ("marsh ague", "HAS_SYMPTOM", "term:silvery-scale", "silvery scales"),
    ]
    for row in rows:
        assert row["text"][row["told"]["start"] : row["told"]["end"]] == row["told"]["surface"] == row["name"]
        assert (row["r"]["told"], row["r"]["sections"], row["r"]["sources"]) == (["made"], ["a#1"], ["made"])
        assert row["r"]["score"] == pytest.approx(row["told"]["score"] / 2, abs=1e-4)


def test_terms_and_descriptions_go_with_their_documents(database, encoder, settings, loaded_page):
    loaded_page("Symptoms are\n- silvery scales\n- wide gums", "symptoms")
    loaded_page("Symptoms are\n- silvery scales", "symptoms", key="b")
    loaded_page("Marsh ague is a fever of people who live near water.", "information", key="c")
    index_chunks(database, encoder)
    index_links(database, *names_in_use(settings, database))
    assert [row["name"] for row in run(database, TERMS)] == ["silvery scales", "silvery scales", "wide gums"]
    described = "MATCH (c:Concept)-[d:DESCRIBED_IN]->(s:Section) RETURN c.name AS name, s.id AS id, d.start AS start"
    assert run(database, described) == [{"name": "marsh ague", "id": "c#1", "start": 0}]
    Documents().remove(database.write, [{"id": "a"}, {"id": "c"}])
    assert [(row["name"], row["r"]["sections"]) for row in run(database, TERMS)] == [("silvery scales", ["b#1"])]
    assert run(database, "MATCH (t:Term) RETURN t.name AS name") == [{"name": "silvery scales"}]
    assert run(database, described) == []
    Documents().unload(database, ["made"])
    assert run(database, "MATCH (n:Term|Section) RETURN count(n) AS n") == [{"n": 0}]


FOUND = "MATCH (:Concept)-[r]->(:Concept) RETURN r.sections AS evidence, r.told AS sources"


def test_relations_that_texts_tell_go_with_their_documents(database, encoder, settings, loaded_page):
    loaded_page("Signs and symptoms may include fever.", "symptoms")
    loaded_page("Signs and symptoms may include fever.", "symptoms", key="b")
    index_chunks(database, encoder)
    linker, names = names_in_use(settings, database)
    index_links(database, linker, names)
    assert run(database, FOUND) == [{"evidence": ["a#1", "b#1"], "sources": ["made"]}]
    Documents().remove(database.write, [{"id": "a"}])
    assert index_links(database, linker, names).relations == 1
    assert run(database, FOUND) == [{"evidence": ["b#1"], "sources": ["made"]}]
    assert index_links(database, linker, names).relations is None
    Documents().unload(database, ["other"])
    assert len(run(database, FOUND)) == 1
    Documents().unload(database, ["made"])
    assert run(database, FOUND) == []


@pytest.fixture
def loaded_page(database):
    """Puts a page on a made-up disease into the graph, with the names of a few findings."""

    def load(text, kind, key="a"):
        run(
            database,
            "MERGE (s:Source {id: 'made'}) SET s.licence = 'CC0-1.0' "
            "MERGE (l:Load {id: 1}) SET l.finished = datetime() "
            "MERGE (f:Entity {id: 'x:subject'}) SET f:Disease, f.name = 'marsh ague', f.sources = ['made'] "
            "MERGE (f)-[:FROM]->(s) "
            "CREATE (d:Document {id: $key, title: 'Marsh ague', source: 'made'})-[:ABOUT {source: 'made'}]->(f), "
            "(d)-[:FROM]->(s), (d)-[:HAS_SECTION]->(:Section {id: $key + '#1', title: 'Marsh ague', text: $said, "
            "type: $kind, source: 'made', collection: '', published: '', position: 1, heading: '', question: ''})",
            key=key,
            said=text,
            kind=kind,
        )
        run(
            database,
            "MATCH (s:Source {id: 'made'}) UNWIND ['fever', 'rash', 'cough'] AS name "
            "MERGE (e:Entity {id: 'x:' + name}) SET e:Symptom, e.name = name, e.sources = ['made'] "
            "MERGE (e)-[:FROM]->(s)",
        )
        index_concepts(database)

    return load
