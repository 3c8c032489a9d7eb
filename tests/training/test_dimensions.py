"""Search by the beginnings of vectors, on subjects that are held back."""

import numpy as np
import pytest

from medgraph.training.corpus import embedded
from medgraph.training.dimensions import Held, held, is_held_back, measure, table
from medgraph.training.questions import examples, wordings


class Vectors:
    """Gives vectors of known texts."""

    def __init__(self, known):
        self.known = known

    def encode(self, texts):
        return np.array([self.known[text] for text in texts], dtype=np.float32)


def test_ranks_are_measured_by_dimension():
    given = Held(["q"], [frozenset("a")], ["a", "b", "b"], ["of a", "of b", "also of b"])
    # By two numbers a is behind b, by one number before it.
    known = {"q": [1, 1, 0], "of a": [0.9, 0.1, 0.1], "of b": [0.5, 0.6, 0], "also of b": [-1, 0, 0]}
    assert measure(Vectors(known), given, [2, 1]) == {"2": pytest.approx(1 / np.log2(3), abs=1e-4), "1": 1.0}


def test_what_several_sections_answer_is_found_by_all_of_them():
    given = Held(["q"], [frozenset("ab")], ["a", "b", "c"], ["a", "b", "c"])
    found = measure(Vectors({"q": [1, 0], "a": [1, 0], "b": [0, 1], "c": [0.5, 0.5]}), given, [2])
    assert found["2"] == pytest.approx((1 + 0.5) / (1 + 1 / np.log2(3)), abs=1e-4)


def test_subjects_are_held_back_whole_and_asked_for_in_other_words(medquad_graph):
    every = examples(medquad_graph)
    back = [one for one in every if is_held_back(one)]
    assert {one.names[0] for one in back} == {"Zorblattosis"}
    given = held(back, embedded(medquad_graph, "medquad"))
    assert len(given.questions) == len(given.sections) == 4
    assert {len(one) for one in given.relevant} == {2}
    trained = {text.replace("{x}", "Zorblattosis").lower() for texts in wordings().values() for text in texts}
    assert not {text.lower() for text in given.questions} & trained
    assert all("Zorblattosis" in text for text in (*given.questions, *given.texts))
    assert table({"2": 0.5}, {"2": 0.6}, given)["by"].startswith("4 questions in everyday words, 4 sections")
