"""Filters of search: sources, collections, section types and dates restrict every mode, exactly."""

import json
import re

import pytest

from medgraph.embeddings.index import index
from medgraph.errors import InputError, NotInGraphError
from medgraph.loaders.commands import Wish, load_named
from medgraph.queries.filters import Filters, restrict
from medgraph.queries.modes import MODES
from medgraph.queries.retriever import Retriever
from tests.support.graphs import prepared, run
from tests.support.linking import names_of
from tests.support.questions import naming

SHORT_TEXT = "People with a wheeze breathe with effort."
LONG_TEXT = " ".join(f"Sentence {i} speaks of a wheeze in room {i} of the old house by the sea." for i in range(60))


def _document(
    number, source, collection, published, kind, text="People with a wheeze breathe with effort.", question=""
):
    return source, {
        "id": f"{source}-{number}",
        "title": f"Document {number}",
        "collection": collection,
        "published": published,
        "sections": [{"type": kind, "question": question or f"What is wheeze number {number}?", "text": text}],
    }


def _corpus():
    yield _document(
        1, "journal", "NO", "2024-06-15", "treatment", "Garden, boats, sea and in one corner a wheeze of the symptoms."
    )
    yield _document(2, "journal", "IT", "2024-06", "Diagnosis")
    yield _document(3, "journal", "IT", "2024", "Risk factors")
    yield _document(4, "journal", "", "", "???")
    yield _document(5, "journal", "", "2023-12-31", "the")
    yield _document(6, "journal", "Lungs", "2025-01-01", "symptoms", LONG_TEXT)
    yield _document(7, "wards", "Wards", "2019", "symptoms")
    yield _document(8, "wards", "", "2021-02-03", "")
    yield _document(9, "it", "", "1999-12-31", "exams and tests")
    for number in range(100, 160):
        text = "Wheeze wheeze wheeze: symptoms of a wheeze, and what a wheeze is."
        yield _document(
            number, "wards", "Mass", f"2020-01-{number % 28 + 1:02}", "symptoms", text, "Is it a wheeze symptom?"
        )


DOCUMENTS = {data["id"]: (source, data) for source, data in _corpus()}
SOURCES = {source for source, _ in DOCUMENTS.values()}
LICENCES = {"journal": "CC-BY-4.0", "wards": "CC0-1.0", "it": "CC-BY-4.0"}
TYPES = {"Diagnosis": "exams and tests", "Risk factors": "susceptibility"}


@pytest.fixture
def corpus_graph(graph, encoder, settings, tmp_path):
    """A graph with documents of three sources, some in collections, some dated, with names that try the index."""

    def fill():
        for source in SOURCES:
            path = tmp_path / f"{source}.jsonl"
            path.write_text("".join(json.dumps(data) + "\n" for name, data in _corpus() if name == source))
            load_named(graph, settings, "documents", path, Wish(name=source, licence=LICENCES[source]))
        index(graph, encoder, "all")

    return prepared(graph, "corpus", fill)


@pytest.fixture
def corpus_retriever(corpus_graph, encoder):
    return Retriever(corpus_graph, lambda: encoder, names_of(corpus_graph))


def _in_dates(published, since, until):
    if not since and not until:
        return True
    return bool(published) and published >= since and published[: len(until) or None] <= (until or "9999")


def expected(sources=(), types=(), since="", until="", licences=()):
    """Say which documents filters let pass, without the code that is tested."""
    ids = {source for source in sources if source in SOURCES}
    collections = {source.lower() for source in sources if source not in SOURCES}
    found = set()
    for key, (source, data) in DOCUMENTS.items():
        kind = TYPES.get(data["sections"][0]["type"], data["sections"][0]["type"])
        named = not sources or source in ids or data["collection"].lower() in collections
        named = named and (not licences or LICENCES[source] in licences)
        if named and (not types or kind in types) and _in_dates(data["published"], since, until):
            found.add(key)
    return found


FILTERS = [
    {"sources": ("journal",)},
    {"sources": ("it",)},
    {"sources": ("it", "wards")},
    {"sources": ("NO",)},
    {"sources": ("no", "lungs")},
    {"sources": ("Mass",)},
    {"types": ("exams and tests",)},
    {"types": ("susceptibility", "treatment")},
    {"types": ("???",)},
    {"types": ("the",)},
    {"types": ("symptoms",)},
    {"types": ("dose",)},
    {"since": "2024"},
    {"since": "2024-06"},
    {"since": "2024-06-16"},
    {"until": "2019"},
    {"until": "1999"},
    {"since": "2023", "until": "2024-06"},
    {"since": "2024-06", "until": "2024-06"},
    {"since": "2020-01-05", "until": "2020-01-05"},
    {"since": "2021", "until": "2020"},
    {"since": "2024", "sources": ("journal",), "types": ("exams and tests", "susceptibility")},
    {"until": "2024", "sources": ("IT",)},
    {"licences": ("CC-BY-4.0",)},
    {"licences": ("CC0-1.0",)},
    {"licences": ("CC0-1.0", "CC-BY-4.0")},
    {"licences": ("CC-BY-4.0",), "sources": ("it", "wards")},
    {"licences": ("CC0-1.0",), "sources": ("journal",)},
    {"licences": ("CC-BY-4.0",), "sources": ("Mass", "NO")},
    {"licences": ("CC-BY-4.0",), "types": ("symptoms",), "since": "2024"},
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("given", FILTERS, ids=str)
def test_filters_restrict_exactly(corpus_retriever, mode, given):
    assert expected() == DOCUMENTS.keys()
    hits = corpus_retriever.search("symptoms of a wheeze", mode=mode, filters=Filters(**given), top_k=1000)
    assert {hit.document for hit in hits} == expected(**given)
    few = corpus_retriever.search("symptoms of a wheeze", mode=mode, filters=Filters(**given), top_k=3)
    assert len(few) == min(3, len(hits))
    assert {hit.document for hit in few} <= expected(**given)


@pytest.mark.parametrize("licence", ["cc-by-4.0", "CC BY 4.0", " cc_by_4.0 "])
def test_licences_may_be_written_as_people_do(corpus_retriever, licence):
    hits = corpus_retriever.search("wheeze", filters=Filters(licences=(licence,)), top_k=1000)
    assert {hit.document for hit in hits} == expected(licences=("CC-BY-4.0",))


def test_results_name_their_licence(corpus_retriever):
    for mode in MODES:
        hits = corpus_retriever.search("symptoms of a wheeze", mode=mode, top_k=1000)
        assert {(hit.source, hit.licence) for hit in hits} == set(LICENCES.items())


@pytest.mark.parametrize("licence", ["MIT", "", "CC-BY", "x'}) //"])
def test_a_licence_that_no_source_has_is_told_with_those_there_are(corpus_retriever, licence):
    message = f"no source in the graph has the licence {licence!r}; known are CC-BY-4.0, CC0-1.0"
    for filters in (Filters(licences=(licence,)), Filters(licences=("CC0-1.0", licence), sources=("it",))):
        with pytest.raises(NotInGraphError, match=re.escape(message)):
            corpus_retriever.search("wheeze", filters=filters)


def test_sections_about_an_entity_heed_licences(database, encoder):
    run(
        database,
        "CREATE (e:Entity:Disease {id: 'e', name: 'E'}) WITH e UNWIND ['A', 'B'] AS l "
        "CREATE (:Source {id: 's' + l, licence: l, types: ['x']})<-[:FROM]-(d:Document {id: 'd' + l})-[:ABOUT]->(e) "
        "CREATE (d)-[:HAS_SECTION]->(:Section {id: 'd' + l + '#1', source: 's' + l, collection: '', type: 'x', "
        "published: '', position: 1})",
    )
    retriever = Retriever(database, lambda: encoder, names_of(database))

    def about(**filters):
        return [row["section"] for row in retriever.candidates(naming(retriever, ["e"], filters=Filters(**filters)))]

    assert about() == ["dA#1", "dB#1"]
    assert about(licences=("B",)) == ["dB#1"]
    assert about(licences=("B",), sources=("sA",)) == []


def test_a_source_has_its_parts_with_it_each_under_its_own_licence(database):
    run(
        database,
        "CREATE (:Source {id: 'umls', licence: 'UMLS'}), "
        "(:Source {id: 'umls-a', licence: 'CC0-1.0', part_of: 'umls'}), "
        "(:Source {id: 'umls-b', part_of: 'umls'}), (:Source {id: 'x', licence: 'UMLS'})",
    )

    def sources(**given):
        return restrict(database, Filters(**given)).sources

    assert sources(sources=("umls",)) == ["umls", "umls-a", "umls-b"]
    assert sources(sources=("umls-a",)) == ["umls-a"]
    assert sources(licences=("UMLS",)) == ["umls", "x"]
    assert sources(sources=("umls",), licences=("CC0-1.0",)) == ["umls-a"]
    assert restrict(database, Filters()) is restrict(database, None) is None
    assert restrict(database, Filters(sources=("x",), licences=("CC0-1.0",))).nothing


def test_without_filters_undated_documents_are_there(corpus_retriever):
    for mode in MODES:
        hits = corpus_retriever.search("symptoms of a wheeze", mode=mode, top_k=1000, filters=Filters())
        assert {hit.document for hit in hits} == DOCUMENTS.keys()


@pytest.mark.parametrize(("word", "kind"), [("Diagnosis", "exams and tests"), ("  risk   FACTORS ", "susceptibility")])
def test_types_go_by_other_names(corpus_retriever, word, kind):
    for mode in MODES:
        hits = corpus_retriever.search("wheeze", mode=mode, filters=Filters(types=(word,)))
        assert hits
        assert {hit.type for hit in hits} == {kind}


def test_sources_and_collections_are_not_mixed(corpus_retriever):
    with pytest.raises(InputError, match="wards is a source and IT a collection; give sources or collections"):
        corpus_retriever.search("wheeze", filters=Filters(sources=("wards", "IT")))


def test_a_section_of_many_chunks_is_found_once_with_its_nearest_chunk(corpus_retriever, corpus_graph, encoder):
    chunks = run(
        corpus_graph, "MATCH (:Section {id: 'journal-6#1'})-[:HAS_CHUNK]->(c) RETURN c.text AS text ORDER BY c.position"
    )
    assert len(chunks) > 3
    last = chunks[-1]["text"]
    for mode in ("semantic", "hybrid", "linked"):
        hits = corpus_retriever.search(last, mode=mode, filters=Filters(sources=("Lungs",)), top_k=50)
        assert [(hit.section, hit.text) for hit in hits] == [("journal-6#1", last)]
        assert LONG_TEXT[hits[0].start : hits[0].end] == last


@pytest.mark.parametrize(("other", "hidden"), [("wards", "graph"), ("my-graphs", "")])
def test_what_relations_tell_is_left_out_unless_asked_for(database, other, hidden):
    run(database, "UNWIND ['graph', $other] AS id CREATE (:Source {id: id})", other=other)
    found = restrict(database, None)
    assert (found.all_sources, found.sources, found.hidden) == ([other], [], hidden)
    assert restrict(database, Filters(types=("causes",))).all_sources == [other]
    assert restrict(database, Filters(sources=("graph",))).sources == ["graph"]
    assert restrict(database, Filters(graph=True)) is None
