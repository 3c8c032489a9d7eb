"""Ways of searching: every mode and stage is among them, and each searches as its name says."""

import pytest

from medgraph.evaluation.retrieval import ALL, FLOOR, Way, asked, but
from medgraph.queries.modes import DEFAULT, MODES
from medgraph.queries.retriever import Retriever
from medgraph.queries.stages import STAGES
from tests.support.linking import names_of


def test_every_mode_and_every_stage_is_measured():
    assert {way.name for way in ALL if way.beside == FLOOR} == set(MODES)
    less = [way for way in ALL if way.without]
    assert {way.without for way in less} > {(stage,) for stage in STAGES}
    assert {(way.mode, way.beside) for way in less} == {(DEFAULT, DEFAULT)}
    assert [way.name for way in less if way.without == ("words", "fields")] == ["learned without words and fields"]
    assert len({way.name for way in ALL}) == len(ALL)


def test_what_a_set_has_nothing_for_is_not_measured():
    left = [way for way in ALL if way not in but("questions", "messages")]
    assert [way.name for way in left] == ["questions", "learned without questions", "learned without messages"]
    assert but() == ALL
    plain = {way.name for way in but("names", "types", "questions")}
    assert {"learned without names", "learned without names and types and questions"}.isdisjoint(plain)
    assert "learned without words and fields" in plain


@pytest.mark.parametrize(
    ("way", "options"),
    [
        (Way("lexical", "lexical"), {"mode": "lexical"}),
        (Way("less", "learned", without=("names", "types")), {"mode": "learned", "without": ["names", "types"]}),
    ],
    ids=lambda one: one.name if isinstance(one, Way) else "",
)
def test_a_way_searches_by_its_mode_and_without_its_stages(sample_graph, encoder, way, options):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    text = "My toe is red. What helps against gout?"
    found = way.search(retriever, asked(retriever, text), 5)
    assert found == retriever.search(text, top_k=5, **options)
    assert len(found) == 5


def test_words_count_alike_where_a_way_takes_messages_as_typed(sample_graph, encoder):
    retriever = Retriever(sample_graph, lambda: encoder, names_of(sample_graph))
    both = asked(retriever, "My toe is red since Monday. What helps against gout?")
    assert {as_typed: question.is_message for as_typed, question in both.items()} == {False: True, True: False}
    plain, typed = (Way("linked", "linked", as_typed).search(retriever, both, 5) for as_typed in (False, True))
    assert [hit.score for hit in plain] != [hit.score for hit in typed]
