"""What turns logits into probabilities, and the cards that say so."""

import json
import math

import pytest

from medgraph.embeddings.encoders.layers import CARD
from medgraph.embeddings.rerankers.cross import Calibration
from medgraph.embeddings.rerankers.cross import read_calibration as read
from medgraph.errors import EncoderError


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
