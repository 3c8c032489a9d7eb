"""Names that are spelt nearly as a text spells them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.spelling import Similar, plain
from tests.support.examples import examples

NAMES = [
    "asthma", "diabetes mellitus", "type 2 diabetes mellitus", "hypertension", "hyperthyroidism", "macroglossia",
    "hepatitis B", "osteoarthritis", "typical pneumonia", "Parkinson's disease", "pneumonoultramicroscopic condition",
    "rheumatoid arthritis", "gastrotomy", "tachycardia", "vitamin B12 deficiency", "MODY", "psoriasis", "stable angina",
    "myelination",
]  # fmt: skip


@pytest.fixture(params=["built", "saved"])
def find(request, tmp_path):
    """Finds names that are spelt nearly so; in an index as it was built, or as it is after it was saved and loaded."""

    def give(name, names=NAMES, **options):
        index = Similar.build(enumerate(map(plain, names)), names.__getitem__)
        if request.param == "saved":
            index.save(tmp_path)
            index = Similar.load(tmp_path, names.__getitem__)
        return [(names[number], likeness) for number, likeness in index.find(name, **options)]

    return give


@pytest.mark.parametrize(("slip", "meant"), examples("slips"))
def test_slips_are_found(find, slip, meant):
    (first, likeness), *_ = find(slip)
    assert first == meant
    assert 0.8 <= likeness < 1 or plain(slip).replace(" ", "") == plain(meant).replace(" ", "")


@pytest.mark.parametrize(
    "other",
    [
        "hypotension", "hypothyroidism", "microglossia", "micro glossia", "hepatitis C", "type 3 diabetes mellitus",
        "type 1 diabetes mellitus", "diabetes mellitus 2", "atypical pneumonia", "bradycardia", "vitamin B6 deficiency",
        "vitamin B 12 deficiency", "unstable angina", "osteoarthropathy", "MODI", "MODY3", "", "-", "ab",
        "glossitis", "demyelination",
        "\u55d8\u606f", "\U0001f9ec\U0001f9ec\U0001f9ec\U0001f9ec", "\ud800\ud800\ud800\ud800\ud800\ud800",
    ],
)  # fmt: skip
def test_other_things_are_not_taken_for_slips(find, other):
    assert find(other) == []


def test_made_up_slips_are_found_among_many_names():
    chance = random.Random(7)
    parts = ["cardio", "neuro", "gastro", "hepato", "nephro", "osteo", "derma", "myo", "angio", "encephalo"]
    ends = ["pathy", "titis", "sclerose", "megaly", "plegia", "dystrophy", "malacia", "lith", "ptose", "genesis"]
    names = [f"{one}{two}{end}" for one in parts for two in parts for end in ends if one != two]
    index = Similar.build(enumerate(map(plain, names)), names.__getitem__)
    right = 0
    for number in chance.sample(range(len(names)), 100):
        name = names[number]
        place = chance.randrange(len(name) - 1)
        slipped = [
            name[:place] + name[place + 1 :],
            name[:place] + "q" + name[place:],
            name[:place] + name[place + 1] + name[place] + name[place + 2 :],
        ][number % 3]
        right += next((found == number for found, _ in index.find(slipped)), False)
    assert right >= 95


@given(st.text(max_size=40), st.lists(st.text(max_size=20), max_size=5))
def test_any_text_may_be_looked_for(name, names):
    index = Similar.build(enumerate(map(plain, names)), names.__getitem__)
    assert all(0 <= likeness <= 1 and 0 <= number < len(names) for number, likeness in index.find(name))
