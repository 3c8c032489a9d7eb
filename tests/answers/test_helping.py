"""How likely a sentence helps to answer."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from medgraph.answers import helping
from medgraph.answers.scored_sections import ScoredSection, features_of
from medgraph.answers.scored_sentences import ScoredSentence
from medgraph.embeddings.candidate_sentences import CandidateSentence

TELLING = "Colchicine and other medicines relieve the pain of gout, and others keep uric acid low."


def described(text=TELLING, *, order=0, told=True, of_kind=True, best=True, answers=0.8, exact=1.0):
    said = ScoredSentence(
        CandidateSentence(0, order, 0, len(text), text), 0.7, told, 1.0, 0.5, np.ones(3, dtype=np.float32)
    )
    item = ScoredSection(SimpleNamespace(), {"exact": exact}, answers, 0.9, [said], of_kind, True)
    return features_of(said, item, best=best)


def test_every_feature_is_given_from_0_to_1():
    found = described("A study is on its way. " * 40, order=3, told=False, of_kind=False, best=False)
    assert tuple(found) == helping.FEATURES
    assert all(0 <= value <= 1 for value in found.values())
    assert {name: found[name] for name in ("lead", "length", "research", "apart", "best section")} == {
        "lead": 0.25, "length": 1.0, "research": 1.0, "apart": 1.0, "best section": 0.0
    }  # fmt: skip


def test_features_are_what_they_are_called():
    assert described() == {
        "near": pytest.approx(0.7), "told": 1.0, "names": 1.0, "words": 0.5, "vague": 0.0, "leans": 0.0, "lead": 1.0,
        "length": len(TELLING) / 400, "research": 0.0, "section": 0.8, "best section": 1.0, "exact": 1.0, "apart": 0.0,
    }  # fmt: skip
    assert described("Talk to your doctor.")["vague"] == 1.0
    assert described("It is a great relief to all of them.")["leans"] == 1.0
    assert described("Drugs are tested in clinical trials.")["research"] == 1.0


@pytest.mark.parametrize(("told", "of_kind", "apart"), [(True, False, 0.0), (False, True, 0.0), (False, False, 1.0)])
def test_what_tells_nothing_stands_apart_in_a_section_of_another_kind_only(told, of_kind, apart):
    assert described(told=told, of_kind=of_kind)["apart"] == apart


def test_weights_make_odds():
    weights = helping.model(helping.FILE, "helps").weights
    features = dict.fromkeys(helping.FEATURES, 0.0) | {"told": 1.0}
    likely = helping.helps(features)
    assert math.log(likely / (1 - likely)) == pytest.approx(weights["intercept"] + weights["told"])


def test_what_tells_helps_more_than_what_does_not():
    best = helping.helps(described())
    assert 0.5 < best < 1
    assert best > helping.helps(described("Talk to your doctor."))
    assert best > helping.helps(described("It is a great relief to all of them, and so it should be at all times."))
    assert best > helping.helps(described(told=False, of_kind=False))
    assert best > helping.helps(described(answers=0.3, exact=0.0, best=False))
    assert best > helping.helps(described(TELLING.replace("gout", "gout in a clinical trial")))


def test_what_reading_tells_adds_to_the_signs():
    signs, numbers = helping.reading()
    assert set(signs.weights) == {*helping.FEATURES, "intercept"}
    features = described()
    nothing = helping.reads(features, 0 * numbers)
    assert math.log(nothing / (1 - nothing)) == pytest.approx(signs.logit(features))
    assert helping.reads(features, numbers) > nothing > helping.reads(features, -numbers)


def test_what_is_of_another_kind_promises_less():
    assert helping.promises(described()) > helping.promises(described(told=False, of_kind=False))
    assert helping.promises(described()) > helping.promises(described("Talk to your doctor."))
