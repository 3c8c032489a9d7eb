"""How likely a section answers: the more speaks for it, and real questions decide how much that is."""

import pytest

from medgraph.answers.confidence import ANSWERS, FILE, INTERCEPT, KINDS, LEVELS, Model, model, read, write
from medgraph.answers.signs import FEATURES

ALL = dict.fromkeys(FEATURES, 1.0)
NONE = dict.fromkeys(FEATURES, 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_what_speaks_for_a_section_makes_it_likely(kind):
    given = model()
    assert given.likely(kind, "answers", ALL) > ANSWERS[kind] > 0.1 > given.likely(kind, "answers", NONE)
    for name in ("meaning", "sentence"):
        for level in LEVELS:
            assert given.likely(kind, level, ALL | {name: 0.2}) < given.likely(kind, level, ALL)
    # Whatever answers is related too.
    half = dict.fromkeys(FEATURES, 0.5)
    assert given.likely(kind, "related", half) > given.likely(kind, "answers", half)


def test_what_is_named_must_be_there():
    sure = model().likely("question", "answers", ALL | {"meaning": 0.6, "sentence": 0.7})
    other = {"names": 0.3, "typed": 0.3, "exact": 0.0}
    assert model().likely("question", "answers", ALL | {"meaning": 0.6, "sentence": 0.7} | other) < sure - 0.1


def test_a_model_is_read_as_it_was_written(tmp_path):
    weights = {(kind, level): dict.fromkeys((*FEATURES, INTERCEPT), 0.5) for kind in KINDS for level in LEVELS}
    write(Model(weights), tmp_path / "model.tsv", "by hand")
    assert read(tmp_path / "model.tsv") == Model(weights)
    assert "by hand" in (tmp_path / "model.tsv").read_text(encoding="utf-8")
    assert "medgraph evaluate graded" in FILE.read_text(encoding="utf-8")
