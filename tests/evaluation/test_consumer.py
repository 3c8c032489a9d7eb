"""Graded answers: the threshold, and every mode beside the floor on a few documents."""

import numpy as np
import pytest

from medgraph.evaluation.consumer import FLOOR, WAYS, evaluate
from medgraph.evaluation.retrieval import Way
from medgraph.evaluation.sets.mediqa import best_threshold, fill, measure, read
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of
from tests.support.mediqa import write_mediqa


def threshold(*pairs):
    scores, good = zip(*pairs, strict=True)
    return best_threshold(np.array(scores, dtype=np.float64), np.array(good))


def test_the_threshold_takes_and_leaves_most_answers_rightly():
    assert threshold((0.9, True), (0.8, True), (0.4, False), (0.1, False)) == 0.8
    assert threshold((0.9, False), (0.8, True), (0.7, True), (0.1, False)) == 0.7
    assert threshold((0.9, False), (0.8, False)) == float("inf")
    assert threshold((0.5, True), (0.5, False), (0.5, False)) == float("inf")
    assert threshold((0.5, True), (0.5, True), (0.5, False), (0.2, False)) == 0.5


def test_modes_and_the_floor_are_measured_on_graded_answers(database, encoder, settings, tmp_path):
    questions, answers = read(write_mediqa(tmp_path))
    fill(database, settings, answers, encoder)
    fill(database, settings, answers, encoder)
    searching = Retriever(database, lambda: encoder, names_of(database))
    rows = evaluate(questions, answers, database, searching, searching, encoder)
    assert [row["search"] for row in rows] == [FLOOR, *(way.name for way in WAYS)] * 3
    assert [row["questions"] for row in rows[:: len(WAYS) + 1]] == [2, 1, 3]
    found = {(row["search"], row["style"]): row for row in rows}
    assert found["hybrid", "all"]["ndcg@10"] == pytest.approx(1, abs=0.05)
    assert found["hybrid", "all"]["mrr"] == 1
    assert all(row["order"] > 0.4 for row in rows if row["style"] == "all")
    assert all(0 <= row["accepted"] <= 1 and row["low"] <= row["more"] <= row["high"] for row in rows)
    assert found[FLOOR, "all"]["more"] == 0
    every, simple, message = (found["semantic", style]["ndcg@10"] for style in ("all", "simple", "message"))
    assert every == pytest.approx((2 * simple + message) / 3)


def test_only_whole_modes_score_all_candidates(database, encoder, settings, tmp_path):
    questions, answers = read(write_mediqa(tmp_path))
    fill(database, settings, answers, encoder)
    searching = Retriever(database, lambda: encoder, names_of(database))
    ways = [Way("whole", "learned"), Way("less", "learned", without=("names",))]
    found = measure(questions, answers, database, searching, searching, encoder, ways)
    assert list(found) == [FLOOR, "whole", "less"]
    assert found["less"]["order"].tolist() == [0, 0, 0]
    assert found["whole"]["order"].all()
    assert found["less"]["ndcg@10"].all()
