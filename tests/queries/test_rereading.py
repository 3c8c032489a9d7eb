"""The best candidates, ranked anew by what reads them."""

import math

import numpy as np
import pytest

from medgraph.embeddings.rerankers.cross import Calibration
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import READ, WEIGHT, reread


class Reader:
    """Finds the passages that hold a word to answer."""

    def __init__(self, word, calibration=None):
        self.word = word
        self.calibration = calibration
        self.read_passages = []

    def read(self, question, passages):
        self.asked = question
        self.read_passages += passages
        return np.array([8.0 if self.word in passage else -8.0 for passage in passages], dtype=np.float32)


def question(reader, text="What helps?"):
    return Question(text, words_of(text), None, lambda _: [], lambda: reader)


def candidates(count):
    return [({"section": f"s{n:02}", "title": "Gout", "text": f"number {n}."}, 5.0 - n / 10) for n in range(count)]


def test_what_answers_comes_first_and_says_how_sure_that_is():
    order, scored = reread(question(Reader("number 2.")), candidates(4))
    assert order == [2, 0, 1, 3]
    assert [row["section"] for row, _ in scored] == ["s02", "s00", "s01", "s03"]
    assert scored[0][0]["reading"] == 8.0
    assert scored[0][1] == pytest.approx(4.8 + 8 * WEIGHT)


def test_what_was_calibrated_says_how_likely_each_answers():
    _, plain = reread(question(Reader("number 2.")), candidates(READ + 1))
    assert all("probability" not in row and "accepted" not in row for row, _ in plain)
    sure = Calibration(0.25, 1.0, 0.7)
    _, scored = reread(question(Reader("number 2.", sure)), candidates(READ + 1))
    told = [(row["probability"], row["accepted"]) for row, _ in scored[:READ]]
    assert told == [(pytest.approx(1 / (1 + math.exp(-3))), True)] + [(pytest.approx(1 / (1 + math.exp(1))), False)] * (
        READ - 1
    )
    assert "probability" not in scored[READ][0]
    assert [score for _, score in scored] == [score for _, score in plain]
