"""Words of the UMLS: which of two directions is taken, and which label a concept gets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.loaders.sources.umls.words import INVERSES, TYPES, is_taken, label_of
from medgraph.schema.vocabulary import RELATION_TYPES


@pytest.mark.parametrize("given_direction", [0, 1])
def test_one_direction_is_taken_of_every_pair(given_direction):
    for word, inverse in INVERSES.items():
        pair = (word, inverse)[:: 1 - 2 * given_direction]
        if word == inverse:
            assert is_taken(*pair) is None
        else:
            assert is_taken(*pair) is not is_taken(*pair[::-1])
    assert TYPES.keys() <= INVERSES.keys()
    assert set(TYPES.values()) <= RELATION_TYPES.keys()


@given(st.text("abc_ofhasby", min_size=1), st.text("abc_ofhasby", min_size=1))
def test_one_direction_is_taken_of_any_pair(word, inverse):
    if word != inverse:
        assert is_taken(word, inverse) is not is_taken(inverse, word)


def test_labels():
    assert label_of(("T121", "T116")) == "Drug"
    assert label_of(()) == label_of(("T078", "T999")) == "Topic"
