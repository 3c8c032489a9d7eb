"""What a training holds out, and how a reranker's scores come to be probabilities."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.embeddings.encoders.layers import CARD
from medgraph.embeddings.rerankers.cross import read_calibration
from medgraph.errors import InputError
from medgraph.queries.retriever import Retriever
from medgraph_lab.training.calibrating import (
    NOT,
    RankedQuestion,
    apart,
    calibrate,
    fit,
    read,
)
from medgraph_lab.training.questions import GradedQuestion, examples, passages
from medgraph_lab.training.reranker import Material
from tests.support.linking import names_of
from tests.support.rerankers import WordReader

pytestmark = pytest.mark.thorough

PASSAGES = st.lists(st.tuples(st.floats(-20, 20), st.booleans()), min_size=2, max_size=40)


@pytest.fixture
def material(medquad_graph):
    return Material(examples(medquad_graph), passages(medquad_graph))


def test_graded_questions_are_held_out_as_they_are_asked(material):
    graded = [GradedQuestion((f"What helps against {n}?", f"Hello. I have {n}."), {"s": 4, "t": 2}) for n in range(80)]
    left, held = apart(replace(material, graded=graded), 7)
    kept, out = {text for one in left.graded for text in one.texts}, {text for text, _ in held}
    assert kept.isdisjoint(out)
    assert len(kept) + len(out) == 160
    assert 10 < len(out) / 2 < 35
    assert [held[0][1](section) for section in "stx"] == [True, False, None]


def reading(*pairs):
    logits, answers = zip(*pairs, strict=True)
    return RankedQuestion(logits, answers)


@given(PASSAGES)
def test_what_is_fitted_keeps_the_order_and_says_as_many_as_there_are(pairs):
    try:
        found = fit([reading(*pairs)])
    except InputError:
        return
    logits, answers = (np.array(column, dtype=np.float64) for column in zip(*pairs, strict=True))
    likely = found.probabilities(logits)
    assert (np.diff(likely[np.argsort(logits)]) >= 0).all()
    right = answers.sum()
    targets = np.where(answers == 1, (right + 1) / (right + 2), 1 / (len(answers) - right + 2))
    assert likely.mean() == pytest.approx(targets.mean(), abs=1e-5)
    assert 0 <= found.threshold <= 1


@pytest.mark.parametrize(
    ("readings", "message"),
    [
        ([reading((1.0, True), (2.0, True))], "of 2 passages that were judged 2 answer, and"),
        ([], "of 0 passages"),
        ([reading((3.0, False), (-3.0, True))], r"higher logits answer less often \(slope -"),
        ([reading((1.0, False), (1.0, True))], "it has learned nothing"),
    ],
)
def test_what_tells_nothing_is_refused(readings, message):
    with pytest.raises(InputError, match=message):
        fit(readings)


@pytest.fixture
def retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: WordReader(encoder, "urate"), names_of(sample_graph))


def test_what_search_reads_is_compared_with_what_is_known(retriever):
    known = {"sample:gout#6": True, "sample:gout#7": False}
    (found,) = read(retriever, [("How is gout treated?", known.get), ("gout", lambda _: None)])
    assert (sorted(found.answers), len(found.others)) == ([False, True], 8)
    assert set(found.logits) <= {2.0, -2.0}


def test_the_card_gets_a_calibration_or_says_why_not(retriever, tmp_path, capsys):
    (tmp_path / CARD).write_text('{"base": "x"}')
    card = calibrate(retriever, [("gout", lambda _: False)], tmp_path)
    assert "0 answer, and probabilities are fitted to such as do and such as do not" in card[NOT]
    assert f"the reranker gives no probabilities: {card[NOT]}" in capsys.readouterr().err
    assert read_calibration(tmp_path) is None
    rows = retriever.ranked(retriever.question("How is gout treated?"))
    best = {row["section"] for row in rows if row.get("reading") == 2.0}
    card = calibrate(retriever, [("How is gout treated?", best.__contains__)], tmp_path)
    assert card == json.loads((tmp_path / CARD).read_text())
    assert card["calibration"]["slope"] > 0
    assert card["calibration"]["accuracy"] == 1.0
    assert read_calibration(tmp_path).slope == card["calibration"]["slope"]
