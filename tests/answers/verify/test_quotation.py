"""Each citation is checked against the section that it names."""

from dataclasses import replace

import pytest

from medgraph.answers.answer import Citation
from medgraph.answers.citing import verdict

TEXT = "Rest helps. Drink  water\noften every day.\n\nRest helps."


GOOD = Citation("s", "d", "T", "", "sample", "CC0-1.0", 12, 41, "Drink  water\noften every day.", "")


def test_a_citation_that_holds_is_supported():
    assert verdict("Drink water often every day.", GOOD, TEXT) == "supported"


@pytest.mark.parametrize(
    ("sentence", "change"),
    [
        ("Drink water often every day.", {"start": 11}),
        ("Drink water often every day.", {"start": 13, "end": 42}),
        ("Drink water often every day.", {"end": 40}),
        ("Drink water often every day.", {"start": 0, "end": 0}),
        ("Drink water often every day.", {"start": 900, "end": 929}),
        ("Drink water often every day.", {"start": -17, "end": -1}),
        ("Drink water often every day.", {"quote": "Drink water often every day."}),
        ("Drink water often every day.", {"quote": "Drink  wine\noften every day."}),
        ("Drink wine often every day.", {}),
        ("Drink water often.", {}),
        ("drink water often every day.", {}),
        ("", {}),
        ("", {"start": 0, "end": 0, "quote": ""}),
    ],
)
def test_a_citation_that_does_not_hold_is_no_evidence(sentence, change):
    assert verdict(sentence, replace(GOOD, **change), TEXT) == "no_evidence"
