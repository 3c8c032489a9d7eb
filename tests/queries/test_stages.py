"""Stages left out of search: which there are, which features each gives, and what is found without it."""

import re

import numpy as np
import pytest

from medgraph.errors import InputError
from medgraph.queries.fusion import FEATURES
from medgraph.queries.retriever import Retriever
from medgraph.queries.stages import OF_STAGE, STAGES, left_out, silenced
from tests.support.linking import names_of

QUESTION = "How is gout treated?"


@pytest.fixture
def retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: encoder, names_of(sample_graph))


def test_every_feature_belongs_to_a_stage():
    assert set().union(*OF_STAGE.values()) == set(FEATURES)
    assert set(OF_STAGE) < set(STAGES)


def test_a_stage_that_is_left_out_counts_nothing_and_the_others_as_before():
    described = np.arange(1.0, 1 + 2 * len(FEATURES)).reshape(2, -1)
    left = silenced(described, {"types", "messages"})
    silent = [FEATURES.index(name) for name in ("type", "other type", "type where about")]
    assert not left[:, silent].any()
    assert np.array_equal(np.delete(left, silent, 1), np.delete(described, silent, 1))
    assert np.array_equal(silenced(described, ()), described)


def test_stages_that_are_none_and_modes_without_stages_are_refused(retriever):
    assert left_out(["names", "words"], "learned") == {"names", "words"}
    assert left_out([], "hybrid") == frozenset()
    with pytest.raises(InputError, match=re.escape("no stage 'name'; known are words, fields, vectors, names, types")):
        retriever.search(QUESTION, mode="learned", without=["name"])
    with pytest.raises(InputError, match="left out of the mode learned, not of linked"):
        retriever.search(QUESTION, mode="linked", without=["names"])


def without(retriever, *stages, text=QUESTION):
    return retriever.search(text, mode="learned", top_k=20, without=stages)


@pytest.mark.parametrize("stage", OF_STAGE)
def test_no_result_is_ranked_by_what_is_left_out(retriever, stage):
    whole, left = without(retriever), without(retriever, stage)
    assert OF_STAGE[stage] & {name for hit in whole for name in hit.why}
    assert not OF_STAGE[stage] & {name for hit in left for name in hit.why}


def test_what_one_branch_alone_finds_is_not_found_without_it(retriever):
    typed = retriever.question("joint pain at night")
    assert not typed.about
    assert all(row["lexical"] is None for row in retriever.candidates(typed, without={"words"}))
    by_words = {row["section"] for row in retriever.candidates(typed) if row["lexical"] is not None}
    assert {row["section"] for row in retriever.candidates(typed, without={"vectors"})} == by_words
    assert without(retriever, "words", "vectors", "names") == []


def test_a_page_is_about_nothing_without_what_is_named(retriever):
    question = retriever.question(QUESTION)
    assert any(row["far"] == 0 for row in retriever.candidates(question))
    assert all(row["far"] is None for row in retriever.candidates(question, without={"names"}))


def test_stored_questions_are_neither_compared_nor_read_without_them(retriever):
    question = retriever.question(QUESTION)
    assert any(row["asked"] is not None and row["question"] for row in retriever.candidates(question))
    left = retriever.candidates(question, without={"questions"})
    assert {(row["asked"], row["question"]) for row in left} == {(None, "")}
    only = retriever.question("Is it curable or treated?")  # words that stand in questions alone weigh nothing more
    scores = {row["section"]: row["lexical"] for row in retriever.candidates(only)}
    fewer = {row["section"]: row["lexical"] for row in retriever.candidates(only, without={"questions"})}
    assert any(fewer.get(section) != score for section, score in scores.items())


def test_the_type_asked_for_is_not_favoured_by_words_without_types(retriever):
    question = retriever.question(QUESTION)
    score = {row["section"]: row["lexical"] for row in retriever.candidates(question)}["sample:gout#6"]
    left = {row["section"]: row["lexical"] for row in retriever.candidates(question, without={"types"})}
    assert left["sample:gout#6"] < score


def test_a_message_is_searched_for_as_typed_without_understanding_it(retriever):
    text = "SUBJECT: gout\nMESSAGE: My father's big toe is red since Monday. What helps against gout? Thank you all!"
    typed = retriever.search(retriever.question(text, as_typed=True), mode="learned", top_k=20)
    assert without(retriever, "messages", text=text) == typed
    assert without(retriever, text=text) != typed


def test_questions_are_encoded_as_passages_without_layers(sample_graph, encoder):
    class Turned:
        """Encodes what passages are searched for the other way round."""

        encode = encoder.encode

        def encode_questions(self, texts):
            return -encoder.encode(texts)

        def read(self, question, passages):
            return None

    turned = Retriever(sample_graph, Turned, names_of(sample_graph))
    assert without(turned, "layers")[0].section == "sample:gout#6"
    best = {hit.section: hit.scores["semantic"] for hit in without(turned)}
    assert best["sample:gout#6"] < 0 < without(turned, "layers")[0].scores["semantic"]
