"""What turns logits into probabilities, and the cards that say so."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.embeddings.encoders.layers import CARD
from medgraph.embeddings.rerankers.calibration import Calibration, read
from medgraph.errors import EncoderError

NUMBERS = st.floats(-1e6, 1e6)


@given(st.lists(NUMBERS, min_size=2), st.floats(1e-3, 1e3), NUMBERS)
def test_a_higher_logit_is_never_less_likely(logits, slope, intercept):
    found = Calibration(slope, intercept, 0.5).probabilities(np.sort(np.array(logits)))
    assert (np.diff(found) >= 0).all()
    assert ((found >= 0) & (found <= 1)).all()


def test_probabilities_are_those_of_the_logistic_function():
    logits = np.array([[-2.0, 0.0, 3.0]], dtype=np.float32)
    expected = [[1 / (1 + math.exp(-(0.5 * logit - 1))) for logit in (-2, 0, 3)]]
    assert Calibration(0.5, -1.0).probabilities(logits) == pytest.approx(np.array(expected))
    assert Calibration().probabilities(np.array([-1e30, 1e30])).tolist() == [0.0, 1.0]


@pytest.fixture
def card(tmp_path):
    def write(told):
        (tmp_path / CARD).write_text(json.dumps(told))
        return tmp_path

    return write


def test_a_card_has_a_calibration_or_none(card):
    whole = {"slope": 2, "intercept": -0.5, "threshold": 0.4, "ece": 0.01}
    assert read(card({"calibration": whole})) == Calibration(2.0, -0.5, 0.4)
    assert read(card({"base": "x"})) is None
    assert read(card({"calibration": None})) is None


@pytest.mark.parametrize(
    "told",
    [
        "sure", [1, 0, 0.5], {}, {"slope": 1, "intercept": 0}, {"slope": "1", "intercept": 0, "threshold": 0.5},
        {"slope": 0, "intercept": 0, "threshold": 0.5}, {"slope": -1, "intercept": 0, "threshold": 0.5},
        {"slope": 1, "intercept": math.nan, "threshold": 0.5}, {"slope": math.inf, "intercept": 0, "threshold": 0.5},
        {"slope": 1, "intercept": 0, "threshold": 1.1}, {"slope": 1, "intercept": None, "threshold": 0.5},
    ],
)  # fmt: skip
def test_a_damaged_calibration_is_named_with_what_to_do(card, told):
    with pytest.raises(EncoderError, match=r"card\.json: its 'calibration' is damaged .* take 'calibration' out"):
        read(card({"calibration": told}))


def test_a_model_without_a_card_has_no_calibration(card, tmp_path):
    assert read(tmp_path) is None
    assert read(card([])) is None
