"""How many rejects a curator puts up with."""

import pytest

from medgraph.errors import InputError
from medgraph.loaders.life.outcome import Counts, Tolerance


@pytest.mark.parametrize(
    ("text", "rejected", "position", "exceeded"),
    [
        ("500", 500, 500, False),
        ("1,500", 1501, 100_000, True),
        ("20%", 20, 100, False),
        ("20%", 21, 100, True),
        ("0", 1, 1000, True),
        ("100%", 7, 7, False),
        (" ALL ", 9, 9, False),
    ],
)
def test_a_number_a_share_or_all(text, rejected, position, exceeded):
    assert Tolerance.of(text).exceeded(Counts(rejected=rejected, position=position)) is exceeded


@pytest.mark.parametrize("text", ["", "some", "-1", "10 %%", "1.5", "101%"])
def test_what_is_no_limit(text):
    with pytest.raises(InputError, match="is no limit of rejects"):
        Tolerance.of(text)
