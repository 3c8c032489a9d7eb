"""The sentences of sections, with their vectors."""

import pytest

from medgraph.answers.quotable import QuotableSentences
from medgraph.embeddings.sentence_vectors import made_by
from tests.support.answers import answerer_of
from tests.support.asked import section
from tests.support.graphs import run

KEPT = "MATCH (s:Section) RETURN s.id AS id, s.sentence_model AS model, s.sentence_vectors AS vectors"


def test_sections_without_vectors_are_encoded_at_once_and_once(counting):
    sections = [
        section("Gout", "Ice helps most people."),
        section("Asthma", "…"),
        section("Flu", "Rest helps most people."),
    ]
    quotable = QuotableSentences(lambda: counting)
    for _ in range(2):
        found = quotable.of(sections)
        assert [[(one.section, one.text) for one in each] for each, _ in found] == [
            [(0, "Ice helps most people.")],
            [],
            [(2, "Rest helps most people.")],
        ]
        assert [vectors.shape for _, vectors in found] == [(1, 384), (0, 384), (1, 384)]
    assert counting.texts == ["Gout: Ice helps most people.", "Flu: Rest helps most people."]
    assert quotable.of([]) == []


def test_answers_are_the_same_whether_or_not_vectors_are_kept(sample_graph, encoder):
    asked = "How is gout treated?"
    kept = answerer_of(sample_graph, encoder).evidence(asked)
    assert all(item.section.sentence_model == made_by(encoder.name) for item in kept)
    rows = run(sample_graph, KEPT)
    try:
        run(sample_graph, "MATCH (s:Section) REMOVE s.sentence_vectors, s.sentence_model")
        found = answerer_of(sample_graph, encoder).evidence(asked)
    finally:
        back = "SET s.sentence_model = row.model, s.sentence_vectors = row.vectors"
        run(sample_graph, f"UNWIND $rows AS row MATCH (s:Section {{id: row.id}}) {back}", rows=rows)
    assert [item.section.section for item in found] == [item.section.section for item in kept]
    for one, other in zip(found, kept, strict=True):
        assert [said.candidate for said in one.sentences] == [said.candidate for said in other.sentences]
        assert [said.cosine for said in one.sentences] == pytest.approx(
            [said.cosine for said in other.sentences], abs=0.01
        )


def test_nothing_is_encoded_where_vectors_are_kept(sample_graph, counting):
    answerer = answerer_of(sample_graph, counting)
    answerer.evidence("How is gout treated?")
    assert counting.texts == ["How is gout treated?"]
