"""Logistic models: the figures of those that come with medgraph, and files that are refused."""

import numpy as np
import pytest

from medgraph.answers import pages, signs
from medgraph.answers.verify import claims as verify
from medgraph.errors import InputError
from medgraph.logistic import Calibration, read_models
from medgraph.queries import made_questions, salience


def quarters(names):
    """Values that differ: 0, .25, .5, .75, 0 …"""
    return {name: place % 4 / 4 for place, name in enumerate(names)}


def of_section(kind, level):
    return signs.likely(kind, level, quarters(signs.FEATURES))


NUMBERS = np.linspace(-0.2, 0.2, 768, dtype=np.float32)
FIGURES = [
    ("question answers", lambda: of_section("question", "answers"), 0.0067882547708810635),
    ("question related", lambda: of_section("question", "related"), 0.31539849967656935),
    ("message answers", lambda: of_section("message", "answers"), 0.0019023711770405761),
    ("message related", lambda: of_section("message", "related"), 0.06563549453845463),
    ("promises", lambda: signs.promises(quarters(signs.SENTENCE_FEATURES)), 0.05589961540613328),
    ("reads", lambda: signs.helps_when_paired(quarters(signs.SENTENCE_FEATURES), NUMBERS), 0.508924912099452),
    ("page", lambda: pages.model().likely(quarters(pages.FEATURES)), 0.1830602519594656),
    ("supports", lambda: verify.models()["supports"].likely(quarters(verify.SIGNS)), 8.194931297961836e-09),
    ("contradicts", lambda: verify.models()["contradicts"].likely(quarters(verify.SIGNS)), 0.6145846287162192),
    (
        "salience",
        lambda: salience.model().salience({"knee": quarters(salience.FEATURES[:-1])})["knee"],
        0.21471502427054762,
    ),
    ("likeness", lambda: made_questions.patients_model().likeness("Why do I have {x}?", "gout"), 0.9929762682569722),
    ("calibration", lambda: Calibration(1.3, -0.4).probabilities(np.array([0.7]))[0], 0.6248064744684293),
]


@pytest.mark.parametrize(("found", "figure"), [row[1:] for row in FIGURES], ids=[row[0] for row in FIGURES])
def test_models_that_come_with_medgraph_give_the_figures_that_they_were_chosen_by(found, figure):
    assert found() == pytest.approx(figure, abs=1e-6)


LINES = ["# by hand", "# model\tfeature\tweight", "a\tnear\t1.2500", "a\tintercept\t-3.0000", "a\tmore 1\t0.5000"]


@pytest.mark.parametrize(
    "lines",
    [
        LINES[:-2],
        [*LINES, "a\tanother\t1"],
        [*LINES, "b\tnear\t1"],
        [*LINES, "a\tnear\tmany"],
        [*LINES, "a\tnear\tnan"],
        [*LINES, "a"],
    ],
)
def test_a_file_that_is_cut_short_or_of_another_version_is_refused_with_the_remedy(tmp_path, lines):
    (tmp_path / "a.tsv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.tsv.*; make the file anew: make it"):
        read_models(tmp_path / "a.tsv", "make it", {"a": ["near"]}, "more ")
