"""Dashes, blanks and apostrophes that pages lost."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.loaders.sources.lost_marks import mended, words

COUNTS = Counter(
    dict.fromkeys(
        "urologist tract pregnant inflammation kidney failure sudden diabetes heart disease valves cells skin systemic "
        "infection care giving sponge like mercury basic major hepatic".split(),
        500,
    )
    | dict.fromkeys("a or may about the is and for that such typically than normal bipolar".split(), 5000)
    | {"urologista": 10, "tractmay": 2, "gallbladders": 20, "hereditaryand": 1, "hereditary": 8}
)


@pytest.mark.parametrize(
    ("text", "collection", "expected"),
    [
        ("See a urologista doctor.", "NIDDK", "See a urologist\u2014a doctor."),
        ("The urinary tractmay be blocked.", "NIDDK", "The urinary tract\u2014may be blocked."),
        ("Kidney failuresudden and severe.", "NIDDK", "Kidney failure\u2014sudden and severe."),
        ("Kidney failuresudden and severe.", "GARD", "Kidney failuresudden and severe."),
        ("Damage to heartvalves.", "NHLBI", "Damage to heart valves."),
        ("High blood pressure, ordiabetes.", "NHLBI", "High blood pressure, or diabetes."),
        ("It works harder thannormal.", "NHLBI", "It works harder than normal."),
        ("Kinds of diabetessuch as type 2.", "NHLBI", "Kinds of diabetes\u2014such as type 2."),
        ("Systemicinfection kills.", "NIDDK", "Systemic infection kills."),
        ("In diabetesthe most common form.", "GHR", "In diabetes\u2014the most common form."),
        ("Her caregiving is like a spongelike thing.", "NIDDK", "Her caregiving is like a spongelike thing."),
        ("Go to www.kidneyfailure.org/urologista for it.", "NIDDK", "Go to www.kidneyfailure.org/urologista for it."),
        ("Some hereditaryand rare forms.", "NIDDK", "Some hereditaryand rare forms."),
        ("Fused labia majora and Fasciola hepatica.", "NIDDK", "Fused labia majora and Fasciola hepatica."),
        ("BASICA is a name, and so is DiabetesAnd.", "NIDDK", "BASICA is a name, and so is DiabetesAnd."),
    ],
)
def test_words_that_run_together_are_parted(text, collection, expected):
    assert mended(text, collection, COUNTS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It doesnt and Cant hurt the bodys cells.", "It doesn't and Can't hurt the body's cells."),
        ("Youre at risk of Crohns disease.", "You're at risk of Crohn's disease."),
        ("He cannot want a bodysuit.", "He cannot want a bodysuit."),
        ("It is on www.parkinsons.org and parkinsons.org/x.", "It is on www.parkinsons.org and parkinsons.org/x."),
        ("Parkinsons. Then more.", "Parkinson's. Then more."),
        ("The ten women didn't.", "The ten women didn't."),
    ],
)
def test_apostrophes_come_back_where_a_word_is_none_without(text, expected):
    assert mended(text, "NIDDK", Counter()) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("methotrexate (1525 mg once weekly)", "methotrexate (15\u201325 mg once weekly)"),
        ("less than 1020 milligrams daily", "less than 10\u201320 milligrams daily"),
        ("about 515 percent of people", "about 5\u201315 percent of people"),
        ("between 100125 mg/dL", "between 100\u2013125 mg/dL"),
        ("as early as 810 weeks", "as early as 8\u201310 weeks"),
        ("120 days, 126 mg/dL, 250 micrograms, 150 minutes", "120 days, 126 mg/dL, 250 micrograms, 150 minutes"),
        ("2,300 mg or 1500 mg or 1000 percent", "2,300 mg or 1500 mg or 1000 percent"),
        ("0.1525 mg and $1525 and 1525 people in 1998", "0.1525 mg and $1525 and 1525 people in 1998"),
        ("24 hours, 2510 mg, 12 months", "24 hours, 2510 mg, 12 months"),
    ],
)
def test_two_numbers_that_run_together_are_a_range_again(text, expected):
    assert mended(text, "NIDDK", Counter()) == expected


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


@given(st.text(), st.sampled_from(["NIDDK", "NHLBI", "GARD", ""]))
def test_nothing_is_lost_and_nothing_but_marks_added(text, collection):
    found = mended(text, collection, words([text]))
    assert len(found) >= len(text)
    left = iter(found)
    assert all(character in left for character in text)
    assert mended(found, collection, words([text])) == found
