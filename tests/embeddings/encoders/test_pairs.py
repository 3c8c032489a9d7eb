"""Pairs of texts are read together, and each token is known to be of one of them."""

import numpy as np

from medgraph.embeddings.encoders.bert import load_tokenizer
from medgraph.embeddings.encoders.pairs import FIRST, MAX_TOKENS, NEITHER, SECOND, PairEncoder, read, sides_of

PAIRS = [("gout hurts", "it hurts"), ("a longer text about gout", "")]


def test_tokens_are_of_the_first_text_or_the_second_or_special(folder):
    one, two = read(load_tokenizer(folder, 10), PAIRS)
    assert sides_of(one) == [NEITHER, FIRST, FIRST, FIRST, NEITHER, SECOND, SECOND, NEITHER]
    assert SECOND not in sides_of(two)
    (cut,) = read(load_tokenizer(folder, 10), [("gout " * 50, "it hurts")])
    assert sides_of(cut).count(SECOND) == 2
    assert len(cut) == 10


def test_each_text_is_read_in_sight_of_the_other_and_as_its_own_segment(folder):
    encoder = PairEncoder(folder)
    found = {place: (states[row], sides[row]) for places, states, sides in encoder.states(PAIRS * 2) for row, place in
             enumerate(places)}  # fmt: skip
    assert found.keys() == set(range(4))
    states, sides = found[0]
    assert states.shape[1] == encoder.dimension
    assert np.array_equal(found[2][0], states)
    ((_, turned, _),) = encoder.states([PAIRS[0][::-1]])
    ((_, alone, _),) = encoder.states([("gout hurts", "another")])
    assert np.abs(turned[0][1] - states[5]).max() > 0.01
    assert np.abs(alone[0][1] - states[1]).max() > 0.01
    assert (sides[1], sides[5]) == (FIRST, SECOND)
    (long,) = encoder.states([("gout " * 1000, "it hurts")])
    assert long[1].shape[1] == MAX_TOKENS
