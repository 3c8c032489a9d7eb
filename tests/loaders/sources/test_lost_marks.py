"""Dashes, blanks and apostrophes that pages lost."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.loaders.sources.lost_marks import mended, words
from tests.support.examples import examples

COUNTS = Counter(
    dict.fromkeys(
        "urologist tract pregnant inflammation kidney failure sudden diabetes heart disease valves cells skin systemic "
        "infection care giving sponge like mercury basic major hepatic".split(),
        500,
    )
    | dict.fromkeys("a or may about the is and for that such typically than normal bipolar higher".split(), 5000)
    | {"urologista": 10, "tractmay": 2, "gallbladders": 20, "hereditaryand": 1, "hereditary": 8, "hyperlipidemia": 20}
)


@pytest.mark.parametrize(("text", "collection", "expected"), examples("words_parted"))
def test_words_that_run_together_are_parted(text, collection, expected):
    assert mended(text, collection, COUNTS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a persons age and an older persons skin", "a person's age and an older person's skin"),
        ("the hearts of the patients age", "the hearts of the patient's age"),
        ("reduce your hearts workload", "reduce your heart's workload"),
        ("the patients immune system", "the patient's immune system"),
        ("the persons affected, a mothers and babies unit", "the persons affected, a mothers and babies unit"),
        ("As the patients age, they risk it", "As the patients age, they risk it"),
        ("The patients general health", "The patient's general health"),
        ("the patients who had it; many persons think", "the patients who had it; many persons think"),
        ("a doctors office, the doctors said", "a doctor's office, the doctors said"),
    ],
)
def test_apostrophes_of_possessives_come_back(text, expected):
    assert mended(text, "CancerGov", Counter()) == expected


@given(st.text(), st.sampled_from(["NIDDK", "NHLBI", "GARD", ""]))
def test_nothing_is_lost_and_nothing_but_marks_added(text, collection):
    text = re.sub(r"\.\.|f[il] ", ".", text)  # one of two stops goes, and what a ligature left
    found = mended(text, collection, words([text]))
    assert len(found) >= len(text)
    left = iter(found)
    assert all(character in left for character in text)
    assert mended(found, collection, words([text])) == found
