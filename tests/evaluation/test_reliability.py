"""How far probabilities can be believed, and the threshold of "none of these"."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.embeddings.rerankers.calibration import Calibration
from medgraph.errors import InputError
from medgraph.evaluation import reliability
from medgraph.evaluation.coverage import Tried
from medgraph.evaluation.reliability import UNCALIBRATED, Case, Reading, fit, measure
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of
from tests.support.rerankers import WordReader

PASSAGES = st.lists(st.tuples(st.floats(-20, 20), st.booleans()), min_size=2, max_size=40)


def reading(passages, kind="question"):
    logits, answers = zip(*passages, strict=True)
    return Reading(kind, logits, answers)


def made(questions, wrong=lambda logit: logit, passages=10):
    """Questions whose passages answer as often as the logistic function says, told of by wrong logits."""
    chance = np.random.default_rng(5)
    logits = chance.normal(-1, 2, (questions, passages))
    answers = chance.random(logits.shape) < 1 / (1 + np.exp(-logits))
    return [
        reading(list(zip(wrong(a).tolist(), b.tolist(), strict=True))) for a, b in zip(logits, answers, strict=True)
    ]


@given(PASSAGES)
def test_what_is_fitted_keeps_the_order_and_says_as_many_as_there_are(passages):
    try:
        found = fit([reading(passages)])
    except InputError:
        return
    logits, answers = (np.array(column, dtype=np.float64) for column in zip(*passages, strict=True))
    likely = found.probabilities(logits)
    assert (np.diff(likely[np.argsort(logits)]) >= 0).all()
    right = answers.sum()
    targets = np.where(answers == 1, (right + 1) / (right + 2), 1 / (len(answers) - right + 2))
    assert likely.mean() == pytest.approx(targets.mean(), abs=1e-6)
    assert 0 <= found.threshold <= 1


@pytest.mark.parametrize(("slope", "offset"), [(3, 0), (0.2, 1), (1, -2), (5, 4)])
def test_logits_that_say_too_much_or_too_little_are_put_right(slope, offset):
    readings = made(300, lambda logits: slope * logits + offset)
    found = fit(readings)
    assert (found.slope * slope, found.intercept + found.slope * offset) == pytest.approx((1, 0), abs=0.15)
    measured = measure(readings, found)
    assert measured["ece"] < 0.03 < measured["ece before"]
    assert measured["brier"] < measured["brier before"]


def test_what_is_right_already_stays():
    readings = made(300)
    measured = measure(readings, fit(readings))
    assert measured["ece"] < measured["ece before"] + 0.01
    assert measured["ece before"] < 0.03


@pytest.mark.parametrize("answers", [True, False])
def test_there_must_be_passages_that_answer_and_others(answers):
    with pytest.raises(InputError, match=f"of 2 passages that were judged {2 * answers} answer, and"):
        fit([reading([(1.0, answers), (2.0, answers)])])
    with pytest.raises(InputError, match="of 0 passages"):
        fit([])


def test_logits_that_mislead_are_refused():
    with pytest.raises(InputError, match=r"higher logits answer less often \(slope -"):
        fit([reading([(3.0, False), (2.0, False), (-2.0, True), (-3.0, True)])])
    with pytest.raises(InputError, match="it has learned nothing"):
        fit([reading([(1.0, False), (1.0, True)])])


def test_the_threshold_is_where_most_questions_are_rightly_told():
    likely = [(2.0, True), (-2.0, False)]
    unlikely = [(-1.0, False), (-2.0, False)]
    readings = [reading(likely)] * 5 + [reading(unlikely)] * 4 + [reading([(-1.5, True), (-3.0, False)])]
    found = fit(readings)
    low, high = found.probabilities(np.array([-1.0, 2.0]))
    assert found.threshold == pytest.approx((low + high) / 2)
    measured = measure(readings, found)
    assert (measured["accuracy"], measured["accepting all"]) == (0.9, 0.6)
    unsure = [replace(one, others=[2.0]) for one in readings]  # what nobody judged may be what seems to answer
    assert measure(unsure, found)["accuracy"] == measure(unsure, found)["accepting all"] == 0.6


@pytest.mark.parametrize(
    ("right", "threshold"), [((True, True), 0.0), ((False, False), 0.0), ((True, False), 0.0), ((False, True), 0.5)]
)
def test_of_equal_thresholds_the_lowest_is_taken_and_none_that_gains_nothing(right, threshold):
    some = [Tried(0.2, right[0]), Tried(0.8, right[1])]
    assert reliability._threshold(some) == pytest.approx(threshold)
    sure = zip((0.2, 0.5, 0.6, 0.8, 0.9), (False, True, False, True, True), strict=True)
    assert reliability._threshold([Tried(*one) for one in sure]) == pytest.approx(0.35)


def test_the_curve_and_its_error_by_hand():
    curve = reliability.bins(np.array([0.0, 0.05, 0.55, 0.55, 1.0]), np.array([0.0, 0.0, 1.0, 0.0, 1.0]))
    assert curve == [
        {"predicted": 0.025, "observed": 0.0, "count": 2},
        {"predicted": pytest.approx(0.55), "observed": 0.5, "count": 2},
        {"predicted": 1.0, "observed": 1.0, "count": 1},
    ]
    assert reliability.ece(curve) == pytest.approx((2 * 0.025 + 2 * 0.05) / 5)


def test_what_search_reads_is_compared_with_what_is_known(sample_graph, encoder):
    retriever = Retriever(sample_graph, lambda: WordReader(encoder, "urate"), names_of(sample_graph))
    known = {"sample:gout#6": True, "sample:gout#7": False}
    cases = [Case("question", "How is gout treated?", known.get), Case("message", "gout", lambda _: None)]
    (found,) = reliability.read(retriever, cases)
    assert (found.kind, sorted(found.answers), len(found.others)) == ("question", [False, True], 8)
    assert set(found.logits) <= {2.0, -2.0}
    tables = reliability.tables([found, reading([(0.0, True)], "message")], UNCALIBRATED)
    assert [(row["asked"], row["passages"], row["unjudged"]) for row in tables["rows"]] == [
        ("question", 2, 8), ("message", 1, 0),
    ]  # fmt: skip
    assert [row["asked"] for row in tables["curve"]][-1] == "message"
    with pytest.raises(InputError, match="no section that was read has a grade"):
        reliability.tables([], Calibration())
