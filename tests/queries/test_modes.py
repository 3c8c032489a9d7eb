"""Modes of search: which one is meant, and how those with two branches weigh them."""

import pytest

from medgraph.errors import InputError
from medgraph.queries.modes import MODES, PRESETS, mode_of, weights_of


def test_without_a_mode_learned_weights_rank_unless_others_are_given():
    assert mode_of(None, weighed=False) == "learned"
    assert mode_of(None, weighed=True) == "linked"


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_that_is_given_is_kept(mode):
    assert mode_of(mode, weighed=False) == mode_of(mode, weighed=True) == mode


def test_an_unknown_mode_is_refused_with_those_that_are_there():
    with pytest.raises(InputError, match="known are lexical, semantic, questions, hybrid, linked, learned"):
        mode_of("magic", weighed=False)


@pytest.mark.parametrize("weights", ["", "1", "0.5;0.5", "1,2,3", "-1,2", "0,0", "nan,1", "inf,1", "1,1e999", "a,b"])
def test_weights_that_are_none_are_refused(weights):
    with pytest.raises(InputError, match=r"not two numbers such as 0\.7,0\.3"):
        weights_of("default", weights)


def test_weights_are_looked_up_or_given():
    assert weights_of("literature") == (0.7, 0.3)
    assert weights_of("default") == PRESETS["default"]
    assert weights_of("default", " 2, 1e1 ") == (2.0, 10.0)
    assert (weights_of("default", "0,1"), weights_of("default", "1,0")) == ((0.0, 1.0), (1.0, 0.0))
    with pytest.raises(InputError, match="known are default, literature"):
        weights_of("best")
