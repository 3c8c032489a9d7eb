"""How likely a section answers: the more speaks for it, and real questions decide how much that is."""

import pytest

from medgraph.answers.confidence import ANSWERS, KINDS, LEVELS, likely
from medgraph.answers.signs import FEATURES

ALL = dict.fromkeys(FEATURES, 1.0)
NONE = dict.fromkeys(FEATURES, 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_what_speaks_for_a_section_makes_it_likely(kind):
    assert likely(kind, "answers", ALL) > ANSWERS[kind] > 0.1 > likely(kind, "answers", NONE)
    for name in ("meaning", "sentence"):
        for level in LEVELS:
            assert likely(kind, level, ALL | {name: 0.2}) < likely(kind, level, ALL)
    # Whatever answers is related too.
    half = dict.fromkeys(FEATURES, 0.5)
    assert likely(kind, "related", half) > likely(kind, "answers", half)


def test_what_is_named_must_be_there():
    sure = likely("question", "answers", ALL | {"meaning": 0.6, "sentence": 0.7})
    other = {"names": 0.3, "typed": 0.3, "exact": 0.0}
    assert likely("question", "answers", ALL | {"meaning": 0.6, "sentence": 0.7} | other) < sure - 0.1
