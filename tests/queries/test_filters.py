"""Filters of search: sources, collections, section types and dates restrict every mode, exactly."""

import functools
import re
from itertools import product

import pytest

from medgraph.errors import InputError, NotInGraphError
from medgraph.queries import filters as filters_module
from medgraph.queries.filters import Filters, restrict
from medgraph.queries.fusion import MODES
from medgraph.queries.retriever import Retriever
from tests.support.corpus import DOCUMENTS, LONG_TEXT, expected
from tests.support.graphs import run
from tests.support.linking import names_of
from tests.support.points import few
from tests.support.questions import naming

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
    {"journals": ("lancet",)},
    {"journals": ("c++ (online)", "lancet oncology")},
    {"authors": ("smith j",)},
    {"headings": ("asthma",), "since": "2000"},
    {"headings": ("asthma", "humans"), "journals": ("lancet",)},
    {"concepts": ("C0000007",)},
    {"concepts": ("C0000007",), "sources": ("wards",), "authors": ("Smith",)},
    {"concepts": ("C0000007",), "types": ("symptoms",)},
    {"journals": ("肺",), "headings": ("asthma",)},
    {"studies": ("Guideline", "meta analysis")},
    {"studies": ("case report",), "sources": ("journal",)},
    {"studies": ("RCT",)},
]


TRIED = [
    *few(product(["hybrid"], FILTERS), 2),
    *few(product(("lexical", "semantic", "learned"), FILTERS), 13),
]


@pytest.mark.parametrize(("mode", "given"), TRIED, ids=str)
def test_filters_restrict_exactly(corpus_retriever, mode, given):
    assert expected() == DOCUMENTS.keys()
    hits = corpus_retriever.search("symptoms of a wheeze", mode=mode, filters=Filters(**given), top_k=1000)
    assert {hit.document for hit in hits} == expected(**given)
    few = corpus_retriever.search("symptoms of a wheeze", mode=mode, filters=Filters(**given), top_k=3)
    assert len(few) == min(3, len(hits))
    assert {hit.document for hit in few} <= expected(**given)


def test_a_result_says_what_study_it_is_and_only_kinds_that_are_known_are_taken(corpus_retriever):
    def found(*studies):
        hits = corpus_retriever.search("wheeze", filters=Filters(studies=studies), top_k=1000)
        return {hit.document: hit.study for hit in hits}

    known = {"wards-7": "guideline", "journal-3": "meta-analysis, systematic review", "journal-4": "case report"}
    assert found("practice guideline", "SYSTEMATIC review", "case reports") == known
    assert found("rct") == {}
    assert {name: study for name, study in found().items() if study} == known
    with pytest.raises(NotInGraphError, match="there is no kind of study 'cure'; known are guideline, meta-analysis, "):
        found("guideline", "cure")
    assert Filters(studies=("guideline",), since="2020").summary() == "study guideline, since 2020"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("neighbours", [10_000, 1], ids=["", "far-from-the-question"])
def test_what_passes_is_found_where_it_is_too_much_to_compare(corpus_retriever, monkeypatch, mode, neighbours):
    monkeypatch.setattr(filters_module, "SCANNED", 1)
    monkeypatch.setattr(filters_module, "MOST_SCANNED", 0)
    monkeypatch.setattr(filters_module, "MOST_NEIGHBOURS", neighbours)
    for given in ({"authors": ("Smith",)}, {"headings": ("asthma",), "until": "2019"}, {"journals": ("lancet",)}):
        hits = corpus_retriever.search("symptoms of a wheeze", mode=mode, filters=Filters(**given), top_k=10)
        assert {hit.document for hit in hits} == expected(**given)


@pytest.mark.parametrize("mode", MODES)
def test_a_document_that_is_left_out_is_not_found_and_all_others_are(corpus_retriever, mode):
    search = functools.partial(corpus_retriever.search, "symptoms of a wheeze", mode=mode)
    first = search(top_k=1000)[0].document
    hits = search(top_k=1000, filters=Filters(left_out=(first,)))
    assert {hit.document for hit in hits} == expected() - {first}
    assert len(search(top_k=3, filters=Filters(left_out=(first,), graph=True))) == 3


@pytest.mark.parametrize("licence", ["cc-by-4.0", "CC BY 4.0", " cc_by_4.0 "])
def test_licences_may_be_written_as_people_do(corpus_retriever, licence):
    hits = corpus_retriever.search("wheeze", filters=Filters(licences=(licence,)), top_k=1000)
    assert {hit.document for hit in hits} == expected(licences=("CC-BY-4.0",))


@pytest.mark.parametrize(
    ("licence", "like"), [("MIT", ""), ("", ""), ("CC-BY", " did you mean 'CC-BY-4.0'?"), ("x'}) //", "")]
)
def test_a_licence_that_no_source_has_is_told_with_those_there_are(corpus_retriever, licence, like):
    message = f"no source in the graph has the licence {licence!r};{like} known are CC-BY-4.0, CC0-1.0"
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
        return restrict(database, Filters(**given), None).sources

    assert sources(sources=("umls",)) == ["umls", "umls-a", "umls-b"]
    assert sources(sources=("umls-a",)) == ["umls-a"]
    assert sources(licences=("UMLS",)) == ["umls", "x"]
    assert sources(sources=("umls",), licences=("CC0-1.0",)) == ["umls-a"]
    assert restrict(database, Filters(), None) is restrict(database, None, None) is None
    assert restrict(database, Filters(sources=("x",), licences=("CC0-1.0",)), None).nothing
    for since, until in (("2025", "2024"), ("2024-07", "2024-06-30"), ("2024-07-02", "2024-07-01")):
        assert restrict(database, Filters(since=since, until=until), None).nothing
    for since, until in (("2024", "2024"), ("2024-07", "2024"), ("2024-07-31", "2024-07"), ("2024", ""), ("", "1999")):
        assert not restrict(database, Filters(since=since, until=until), None).nothing


def test_sources_and_collections_are_not_mixed(corpus_retriever):
    with pytest.raises(InputError, match="wards is a source and IT a collection; give sources or collections"):
        corpus_retriever.search("wheeze", filters=Filters(sources=("wards", "IT")))


def test_a_section_of_many_chunks_is_found_once_with_its_nearest_chunk(corpus_retriever, corpus_graph, encoder):
    chunks = run(
        corpus_graph, "MATCH (:Section {id: 'journal-6#1'})-[:HAS_CHUNK]->(c) RETURN c.text AS text ORDER BY c.position"
    )
    assert len(chunks) > 3
    last = chunks[-1]["text"]
    for mode in ("semantic", "hybrid", "learned"):
        hits = corpus_retriever.search(last, mode=mode, filters=Filters(sources=("Lungs",)), top_k=50)
        assert [(hit.section, hit.text) for hit in hits] == [("journal-6#1", last)]
        assert LONG_TEXT[hits[0].start : hits[0].end] == last


@pytest.mark.parametrize(("other", "hidden"), [("wards", "graph"), ("my-graphs", "")])
def test_what_relations_tell_is_left_out_unless_asked_for(database, other, hidden):
    run(database, "UNWIND ['graph', $other] AS id CREATE (:Source {id: id})", other=other)
    restricted = functools.partial(restrict, database, linker=None)
    found = restricted(None)
    assert (found.all_sources, found.sources, found.hidden) == ([other], [], hidden)
    assert restricted(Filters(types=("causes",))).all_sources == [other]
    assert restricted(Filters(sources=("graph",))).sources == ["graph"]
    assert restricted(Filters(graph=True)) is None


def test_a_source_of_which_a_failed_load_left_nothing_is_not_known(database):
    run(
        database,
        "CREATE (:Source {id: 'empty'})<-[:FROM]-(:Load {id: 1, status: 'failed'}) "
        "CREATE (s:Source {id: 'partly'})<-[:FROM]-(:Load {id: 2, status: 'failed'}) "
        "CREATE (s)<-[:FROM]-(:Document {id: 'partly:1', title: 'Gout'}) "
        "CREATE (:Source {id: 'links'})<-[:FROM]-(:Load {id: 3, status: 'finished'})",
    )
    with pytest.raises(NotInGraphError, match=r"no source .empty. in the graph; known are links, partly$"):
        restrict(database, Filters(sources=("empty",)), dict)
