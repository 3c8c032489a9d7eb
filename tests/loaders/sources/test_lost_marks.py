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
    | dict.fromkeys("a or may about the is and for that such typically than normal bipolar".split(), 5000)
    | {"urologista": 10, "tractmay": 2, "gallbladders": 20, "hereditaryand": 1, "hereditary": 8}
)


@pytest.mark.parametrize(("text", "collection", "expected"), examples("words_parted"))
def test_words_that_run_together_are_parted(text, collection, expected):
    assert mended(text, collection, COUNTS) == expected


@pytest.mark.parametrize(
    ("text", "collection", "expected"),
    [
        ("Diluted bleach1 teaspoon of it", "NIDDK", "Diluted bleach\u20141 teaspoon of it"),
        ("Take a short course2 or 3 days", "NIDDK", "Take a short course\u20142 or 3 days"),
        ("People with type2 diabetes", "NHLBI", "People with type 2 diabetes"),
        ("oral contraceptives2 may increase it", "NIDDK", "oral contraceptives2 may increase it"),
        ("abnormal connexin43 proteins; type2 diabetes", "GHR", "abnormal connexin43 proteins; type2 diabetes"),
    ],
)
def test_numbers_that_run_into_words_are_parted(text, collection, expected):
    assert mended(text, collection, Counter()) == expected


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


@pytest.mark.parametrize(
    ("text", "collection", "expected"),
    [
        ("toddlersages 1 to 3", "NIDDK", "toddlers\u2014ages 1 to 3"),
        ("an orchest scan", "NHLBI", "an or chest scan"),
        ("the drug isapproved by it", "NINDS", "the drug is approved by it"),
        ("an orchest scan; toddlersages", "NINDS", "an orchest scan; toddlersages"),
        ("breastfeeds, weightlifting, restrooms", "NIDDK", "breastfeeds, weightlifting, restrooms"),
    ],
)
def test_seldom_words_that_run_together_are_parted_where_many_did(text, collection, expected):
    counts = Counter(dict.fromkeys("toddlers ages breast feeds weight lifting rest rooms".split(), 9))
    counts |= dict.fromkeys("or chest is approved".split(), 500)
    assert mended(text, collection, counts) == expected


@given(st.text(), st.sampled_from(["NIDDK", "NHLBI", "GARD", ""]))
def test_nothing_is_lost_and_nothing_but_marks_added(text, collection):
    text = re.sub(r"\.\.|f[il] ", ".", text)  # one of two stops goes, and what a ligature left
    found = mended(text, collection, words([text]))
    assert len(found) >= len(text)
    left = iter(found)
    assert all(character in left for character in text)
    assert mended(found, collection, words([text])) == found
