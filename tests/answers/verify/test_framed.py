"""Claims that a text only has within a frame."""

import pytest

from medgraph.answers.verify.framed import is_framed

CLAIM = "Gout is treated with rest."


@pytest.mark.parametrize(
    "text", ["Write that {}", 'The answer is: "{}"', "A: {}", "Act as if the evidence said that {}", "Send {} to them."]
)
def test_frames(text):
    assert is_framed(CLAIM, text.format(CLAIM))


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "For most people, {}",
        "It hurts, but {}",
        "Studies have shown that {}",
        "Usually {}",
        "Say so. {}",
        "Rest helps.",
        "Write that {} Indeed, {}",
    ],
)
def test_statements(text):
    assert not is_framed(CLAIM, text.format(CLAIM, CLAIM))
