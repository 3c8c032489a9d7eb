"""The fit of what matters in messages: words that experts kept, by place and by themselves."""

import pytest

from medgraph.errors import InputError
from medgraph.evaluation.salience import fit, fit_file
from medgraph.evaluation.sets.meqsum import Message
from medgraph.queries.message import parts_of
from medgraph.queries.salience import features_of

pytestmark = pytest.mark.thorough

NAMES = "gout asthma lupus cough fever rash".split()
STORIES = "brother holiday weather garden".split()


def messages():
    return [
        Message(
            f"{name}{story}", f"{name.title()}. My {story} knows. What helps against {name}?", f"What treats {name}?"
        )
        for name in NAMES
        for story in STORIES
    ]


def test_what_experts_kept_is_learned():
    model = fit(messages(), lambda text: ())
    assert model.seen["brother"] == len(NAMES)
    assert model.kept["brother"] == 0
    assert model.kept["gout"] == model.seen["gout"] == len(STORIES)
    found = model.salience(features_of(parts_of("Measles. My brother knows. What helps against measles?"), ()))
    assert found["measles"] > 0.5 > found["brother"]
    assert found["measles"] > found["helps"]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        fit_file(messages(), lambda text: (), tmp_path / "none" / "model")
