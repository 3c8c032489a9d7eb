"""Search on the real graph: modes, scores, filters, and everything that people can get wrong."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from medgraph.embeddings.index import index
from medgraph.errors import DatabaseUnavailableError, InputError, QueryError
from medgraph.graph import catalogue
from medgraph.graph import database as database_module
from medgraph.graph.catalogue import Query
from medgraph.graph.database import Database, as_vector
from medgraph.loaders.commands import load_named
from medgraph.queries.filters import Filters
from medgraph.queries.fusion import MODES
from medgraph.queries.question import MAX_QUESTION
from medgraph.queries.retriever import Retriever
from tests.support.graphs import run, state_of
from tests.support.linking import names_of
from tests.support.points import few
from tests.support.proxies import Proxy
from tests.support.questions import naming

SECTIONS = [
    ("What are the symptoms of asthma?", "sample:asthma#2"),
    ("How is gout treated?", "sample:gout#6"),
    ("What causes type 1 diabetes?", "sample:type-1-diabetes#3"),
    ("What are the complications of high blood pressure?", "sample:hypertension#8"),
    ("How can I prevent malaria?", "sample:malaria#7"),
]


@pytest.fixture
def retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: encoder, names_of(sample_graph))


def ids(hits):
    return [hit.section for hit in hits]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("question", "section"), SECTIONS)
def test_every_mode_finds_the_right_section_first(retriever, mode, question, section):
    hits = retriever.search(question, mode=mode)
    assert hits[0].section == section
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_plain_modes_search_for_what_was_typed_and_learned_for_what_is_meant(retriever):
    typed, meant = "How is astma treated?", "How is asthma treated?"
    for mode in ("lexical", "semantic", "hybrid"):
        plain = replace(retriever.question(typed), linker=lambda _: ())
        assert retriever.search(typed, mode=mode, top_k=3) == retriever.search(plain, mode=mode, top_k=3)
    assert retriever.question(typed).spelt.lower() == meant.lower()
    found, asked = (retriever.search(text, mode="learned", top_k=3) for text in (typed, meant))
    assert ids(found) == ids(asked)


def test_a_result_is_complete(retriever, sample_graph):
    hit = retriever.search("How is gout treated?", mode="hybrid")[0]
    text = run(sample_graph, "MATCH (s:Section {id: 'sample:gout#6'}) RETURN s.text AS text")[0]["text"]
    assert (hit.document, hit.title, hit.source, hit.type) == ("sample:gout", "Gout", "sample", "treatment")
    assert hit.question == "How is gout treated?"
    assert hit.text == text[hit.start : hit.end] == text
    assert hit.scores.keys() == {"lexical", "semantic"}
    assert all(score > 0 for score in hit.scores.values())


def test_hybrid_search_tells_of_whom_and_of_when_documents_are_without_another_statement(retriever, monkeypatch):
    read, names = Database.read, []
    apart = {hit.document: hit for hit in retriever.search("How is gout treated?", mode="lexical")}
    monkeypatch.setattr(
        Database, "read", lambda own, query, **given: names.append(query.name) or read(own, query, **given)
    )
    hits = retriever.search("How is gout treated?", mode="hybrid")
    assert names == ["filter_values", "hybrid"]
    told = [(hit.publisher, hit.published, hit.dated, hit.study, hit.url) for hit in hits if hit.document in apart]
    others = [apart[hit.document] for hit in hits if hit.document in apart]
    assert told == [(hit.publisher, hit.published, hit.dated, hit.study, hit.url) for hit in others]
    assert told[0][0]


def test_the_nearest_chunks_are_those_of_exact_search(sample_graph, encoder):
    rows = run(sample_graph, "MATCH (c:Chunk) RETURN c.id AS id, c.embedding AS vector")
    for text in ("How is gout treated?", "wheezing at night"):
        vector = encoder.encode([text])[0]
        near = sorted(((float(np.dot(row["vector"], vector)), row["id"]) for row in rows), reverse=True)[:5]
        found = sample_graph.read(catalogue.get("nearest"), vector=as_vector(vector), wide=200, limit=5)
        assert [row["chunk"] for row in found] == [name for _, name in near]
        assert [row["cosine"] for row in found] == pytest.approx([cosine for cosine, _ in near], abs=1e-5)


TITLED = """
CREATE (d:Document {id: 'd', title: 'Fryns Hofkens Fabry syndrome', source: 's'})-[:HAS_SECTION]->(:Section {id: 'd#1',
        source: 's', type: 'symptoms', heading: '', question: '', text: 'Short ulnae.'}),
       (d)-[:ABOUT]->(e:Entity:Disease {id: 'e', name: 'Fryns Hofkens Fabry syndrome', source: 's'}),
       (e)-[:HAS_CUI]->(:Concept {cui: 'C0002986'})
"""


def test_a_page_is_about_what_its_title_means_and_not_about_what_is_named_in_it(database, encoder):
    run(database, TITLED)
    retriever = Retriever(database, lambda: encoder, names_of(database))

    def told():
        (text,) = retriever.texts(["d#1"])
        (named,) = database.read(catalogue.get("named_entities"), entities=["e"])
        assert text.concepts == named["concepts"]
        return text.concepts

    assert told() == ["C0002986"]  # nothing was joined yet
    run(database, "MATCH (e:Entity {id: 'e'}) CREATE (e)-[:MEANS]->(:Concept {cui: 'HP:0003022'})")
    assert told() == ["HP:0003022"]


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_titles_of_papers_count_little_and_those_of_pages_much(database, encoder, settings, tmp_path, mode):
    texts = {
        "a": ("Gout", "Purines."),
        "b": ("A case series of joint pain", "Gout. Crystals of gout hurt in gout."),
    }
    documents = [{"id": n, "title": title, "sections": [{"text": text}]} for n, (title, text) in texts.items()]
    (tmp_path / "texts.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in documents))
    load_named(database, settings, "documents", tmp_path / "texts.jsonl")
    index(database, encoder, "all")
    retriever = Retriever(database, lambda: encoder, names_of(database))
    assert [hit.document for hit in retriever.search("gout", mode=mode)] == ["a", "b"]
    assert [hit.document for hit in retriever.search("gout", mode=mode, preset="literature")] == ["b", "a"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "fuzzy"}, "there is no mode 'fuzzy'; known are lexical, semantic, hybrid, learned"),
        ({"mode": ""}, "there is no mode ''"),
        ({"top_k": 0}, "top-k is 0; set it from 1 to 1000"),
        ({"top_k": -5}, "top-k is -5"),
        ({"top_k": 1001}, "top-k is 1001"),
        ({"filters": Filters(sources=("nope",))}, "there is no source 'nope' in the graph; known are sample"),
        ({"filters": Filters(sources=("Sample",))}, "there is no source 'Sample'"),
        ({"filters": Filters(sources=("sample", "x'}) //"))}, r"there is no source \"x'}\) //\""),
        (
            {"filters": Filters(types=("smell",))},
            "there is no section type 'smell'; known are .*causes, children, complications",
        ),
        ({"filters": Filters(types=("symptoms", ""))}, "there is no section type ''"),
        ({"filters": Filters(since="yesterday")}, "since is 'yesterday'; write it as 2026, 2026-11 or 2026-11-21"),
        ({"filters": Filters(until="2026-13")}, "until is '2026-13'"),
        ({"filters": Filters(until="2026-02-30")}, "until is '2026-02-30'"),
        ({"filters": Filters(since="20261121")}, "since is '20261121'"),
        ({"filters": Filters(since="2026-1")}, "since is '2026-1'"),
        ({"filters": Filters(since="٢٠٢٦")}, "since is"),
        ({"filters": Filters(since="2026-11-21T00:00")}, "since is"),
    ],
)
def test_options_that_cannot_be_used(retriever, options, message):
    with pytest.raises(InputError, match=message):
        retriever.search("gout", **options)


def test_a_question_that_is_too_long(retriever):
    words = ("asthma " * MAX_QUESTION)[:MAX_QUESTION]
    for mode in MODES:
        assert retriever.search(words, mode=mode)[0].document == "sample:asthma"
        with pytest.raises(InputError, match="the question has 10,001 characters; 10,000 are the most"):
            retriever.search(words + "a", mode=mode)


LONG = {
    "one word": "a" * MAX_QUESTION,
    "many words": " ".join(f"w{i:03}" for i in range(1600)),
    "words of eighty letters": " ".join(chr(97 + i % 26) * 79 for i in range(125)),
    "no blanks in Chinese": "喘息是什么病" * 1600,
    "letters of two scripts by turns": "aก" * 5000,
    "fractions": "a½" * 5000,
    "slips": " ".join(f"diab{chr(97 + i % 26)}t{chr(97 + i // 26)}s" for i in range(600)),
    "brackets": "asthma(" * 1400,
}


@pytest.mark.parametrize(("mode", "name"), few(product(MODES, LONG), 3))
@pytest.mark.timeout(30)
def test_long_questions_of_every_kind_are_answered_in_time(retriever, mode, name):
    assert len(retriever.search(LONG[name], mode=mode, top_k=3)) <= 3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "question", ["喘息是什么病", "ما هي أعراض الربو؟", "मधुमेह क्या है?", "какие симптомы астмы", "🫁😷 asthma"]
)
def test_questions_in_other_scripts(retriever, mode, question):
    hits = retriever.search(question, mode=mode, top_k=3)
    assert len(hits) == 3 if mode != "lexical" or "asthma" in question else hits == []


INJECTIONS = [
    "'}) DETACH DELETE n //",
    '"}) MATCH (n) DETACH DELETE n RETURN 1 AS x //',
    "$lucene RETURN 1 UNION MATCH (n) DETACH DELETE n",
    "asthma\\u0027}) DETACH DELETE n //",
    "text:asthma) OR *:* AND (",
    "asthma` }) CREATE (x:Evil) //",
]


@pytest.mark.parametrize("question", INJECTIONS)
def test_cypher_in_a_question_or_filter_is_only_text(retriever, sample_graph, question):
    before = state_of(sample_graph)
    for mode in MODES:
        retriever.search(question, mode=mode)
    for filters in (Filters(sources=(question,)), Filters(types=(question,)), Filters(since=question)):
        with pytest.raises(InputError):
            retriever.search("asthma", filters=filters)
    retriever.candidates(naming(retriever, [question, "sample:asthma"]))
    assert state_of(sample_graph) == before


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (n:Evil) RETURN n",
        "MATCH (n:Chunk) SET n.text = '' RETURN count(n)",
        "MATCH (n) DETACH DELETE n",
        "CREATE INDEX evil FOR (n:Evil) ON (n.x)",
        "CALL db.createLabel('Evil')",
        "CREATE DATABASE evil",
    ],
)
def test_a_reading_session_cannot_write(sample_graph, text, tmp_path):
    before = state_of(sample_graph)
    with pytest.raises(QueryError, match="query evil: Writing in read access mode not allowed"):
        sample_graph.read(Query("evil", "", {}, (), text, tmp_path))
    assert state_of(sample_graph) == before


@pytest.mark.parametrize("mode", MODES)
def test_an_empty_graph_has_no_results(database, encoder, mode):
    retriever = Retriever(database, lambda: encoder, names_of(database))
    assert retriever.search("What are the symptoms of asthma?", mode=mode) == []
    assert retriever.search("asthma", mode=mode, filters=Filters(types=("symptoms",), since="2020")) == []
    assert retriever.candidates(naming(retriever, ["sample:asthma"])) == []
    with pytest.raises(InputError, match="there is no source 'sample' in the graph; known are none: load one"):
        retriever.search("asthma", mode=mode, filters=Filters(sources=("sample",)))


# A database that goes away.


@pytest.fixture
def proxy(settings):
    proxy = Proxy(settings.bolt_port)
    yield proxy
    proxy.close()


def test_a_database_that_goes_away_during_a_search_and_comes_back(sample_graph, server, encoder, proxy, monkeypatch):
    monkeypatch.setattr(database_module, "RETRY_TIME", 1.0)
    with Database(f"bolt://127.0.0.1:{proxy.port}", "neo4j", server.password()) as distant:
        retriever = Retriever(distant, lambda: encoder, names_of(distant))
        assert retriever.search("How is gout treated?")[0].section == "sample:gout#6"
        proxy.cut()
        for mode in ("semantic", "learned"):
            with pytest.raises(DatabaseUnavailableError, match=f"no answer .* bolt://127.0.0.1:{proxy.port}"):
                retriever.search("How is gout treated?", mode=mode)
        proxy.mend()
        assert retriever.search("How is gout treated?")[0].section == "sample:gout#6"


def test_what_is_made_of_a_question_takes_names_from_where_it_did(sample_graph, encoder):
    linker, opened = names_of(sample_graph), []

    def opening():
        opened.append(True)
        return linker()

    question = Retriever(sample_graph, lambda: encoder, opening).question("How is gout treated?")
    assert question.reworded(question.text).mentions == question.mentions != ()
    assert question.reworded("Is asthma treated?").mentions != question.mentions
    assert len(opened) == 1


def test_a_message_finds_what_it_asks_and_as_typed_what_it_tells(retriever):
    story = "My brother has asthma and cannot breathe, he wheezes and coughs at night. "
    asking = "SUBJECT: gout MESSAGE: " + story + "I have gout. What is the treatment for my gout?"
    assert retriever.search(asking)[0].section == "sample:gout#6"
    typed = retriever.search(retriever.question(asking, as_typed=True))
    assert [hit.score for hit in typed] != [hit.score for hit in retriever.search(asking)]


def test_each_question_of_a_message_has_its_turn(retriever):
    asked = retriever.question("I am 60. What are the symptoms of asthma? How is gout treated?")
    assert len(asked.searches) == 3
    assert {"sample:asthma#2", "sample:gout#6"} <= set(ids(retriever.search(asked, mode="learned", top_k=4)))
    found = retriever.search(asked, mode="learned", top_k=7)
    assert len(found) == 7 == len({hit.section for hit in found})
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
