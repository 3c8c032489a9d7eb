"""Modes of search: which one is meant, and how the one with two branches weighs them."""

import pytest

from medgraph.errors import InputError
from medgraph.queries.modes import mode_of


def test_without_a_mode_learned_weights_rank_unless_a_preset_is_given():
    assert (mode_of(None), mode_of(None, "literature")) == ("learned", "hybrid")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("magic",), "no mode 'magic'; known are lexical, semantic, hybrid, learned"),
        ((None, "best"), "no preset 'best'; known are default, literature"),
    ],
)
def test_what_is_unknown_is_refused_with_what_is_there(given, message):
    with pytest.raises(InputError, match=message):
        mode_of(*given)
