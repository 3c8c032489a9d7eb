"""Names that are near each other: by spelling, and by vectors that are kept in a file."""

import csv
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.joining import join
from medgraph.linking.nearest import NameVectors, UnknownPairs, are_distinct, nearest, still_near
from medgraph.linking.pairing import Member
from medgraph.linking.spelling import Similar, plain
from tests.support.encoders import Counting
from tests.support.examples import examples
from tests.support.paths import FILES

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


LUNG = Member("DOID:1", "Disease", "Abscess of the lung", ("Vomica",))
PAGE = Member("pages:1", "Disease", "Pulmonary abscesses and such", ("Empyema",))
SIGN = Member("HP:1", "Phenotype", "Festering lungs")
VECTORS = {
    "abscess of the lung": (1.0, 0.0, 0.0),
    "vomica": (0.0, 0.0, 1.0),
    "pulmonary abscesses and such": (0.96, 0.28, 0.0),
    "empyema": (0.0, 0.0, 1.0),
    "festering lungs": (0.936, 0.352, 0.0),
}


def vectors(names):
    return np.array([VECTORS.get(name, (0.0, 1.0, 0.0)) for name in names], np.float32)


def found(*members, decisions=None):
    by_id = {member.id: member for member in members}
    untold = UnknownPairs(by_id, join(members, decisions), decisions or {})
    return nearest(by_id, untold, vectors)


def ids(pairs):
    return [(pair.one, pair.other) for pair in pairs]


def test_the_nearest_names_of_two_sources_wait_with_both_and_their_cosine():
    assert ids(found(LUNG)) == []
    (pair,) = found(LUNG, SIGN)
    assert (pair.one, pair.other, pair.method, pair.score) == ("DOID:1", "HP:1", "embedding", 0.936)
    assert pair.evidence == "Abscess of the lung ~ Festering lungs"
    # The page is nearer to the sign than the term is, so the term's nearest is not its own.
    assert ids(found(LUNG, PAGE, SIGN)) == [("HP:1", "pages:1")]


@pytest.mark.parametrize(
    ("members", "decisions"),
    [
        ((LUNG, Member("DOID:2", "Disease", "Festering lungs")), None),
        ((LUNG, Member("HP:1", "Gene", "Festering lungs")), None),
        ((LUNG, Member("HP:1", "Phenotype", "Festering lungs", obsolete=True)), None),
        ((LUNG, Member("HP:1", "Phenotype", "Sore", ("Festering lungs", "Vomica"))), None),
        ((LUNG, SIGN), {("DOID:1", "HP:1"): False}),
        ((LUNG, SIGN), {("DOID:1", "HP:1"): True}),
        ((LUNG, SIGN, Member("DOID:3", "Disease", "festering lungs")), None),
        # A list's synonyms are those of broader and narrower things, too.
        ((Member("DOID:4", "Disease", "Vomica"), PAGE), None),
    ],
    ids=["one source", "category", "given up", "something else says so", "rejected", "accepted", "two terms", "list"],
)
def test_what_does_not_wait(members, decisions):
    assert ids(found(*members, decisions=decisions)) == []


def test_what_was_found_before_waits_as_long_as_it_holds():
    (pair,) = found(LUNG, SIGN)
    noted = [{"one": pair.one, "other": pair.other, "evidence": pair.evidence, "score": pair.score}]

    def still(*members, decisions=None):
        by_id = {member.id: member for member in members}
        return still_near(by_id, UnknownPairs(by_id, join(members, decisions), decisions or {}), noted)

    assert still(LUNG, SIGN) == [pair]
    assert still(LUNG) == []
    assert still(LUNG, Member("HP:1", "Phenotype", "Healthy lungs")) == []
    assert still(LUNG, Member("HP:1", "Phenotype", "Festering lungs", obsolete=True)) == []
    assert still(LUNG, Member("HP:1", "Phenotype", "Festering lungs", xrefs=("DOID:1",))) == []
    assert still(LUNG, SIGN, decisions={("DOID:1", "HP:1"): False}) == []


def test_rules_spare_what_was_labelled_as_the_same():
    with (FILES / "linking" / "nearest.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    apart = {
        same: [r for r in rows if r["same"] == same and are_distinct(*r["names"].split(" ~ "))]
        for same in ("yes", "no")
    }
    assert len(rows) == 197
    assert len(apart["yes"]) <= 4
    assert len(apart["no"]) >= 20


NAMES_NAME_VECTORS = ["gout", "podagra", "mal de débarquement", "痛風"]


class Letters:
    """Encodes a text to how many of each of eight kinds of letters it has."""

    name = "letters"

    def encode(self, texts):
        counts = np.array([[1 + sum(ord(c) % 8 == n for c in text) for n in range(8)] for text in texts], np.float32)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


@pytest.fixture
def encoder():
    return Counting(Letters())


@pytest.fixture
def file(tmp_path):
    return tmp_path / "vectors.npz"


def test_only_new_names_are_encoded_and_no_others_kept(encoder, file):
    first = NameVectors(file, encoder)(NAMES_NAME_VECTORS)
    assert encoder.texts == NAMES_NAME_VECTORS
    assert np.allclose(first, Letters().encode(NAMES_NAME_VECTORS), atol=1e-3)
    again = NameVectors(file, encoder)(["asthma", *reversed(NAMES_NAME_VECTORS)])
    assert encoder.texts == [*NAMES_NAME_VECTORS, "asthma"]
    assert np.array_equal(again[1:], first[::-1])
    NameVectors(file, encoder)(["gout"])
    NameVectors(file, encoder)(["gout", "asthma"])
    assert encoder.texts == [*NAMES_NAME_VECTORS, "asthma", "asthma"]
    assert len(NameVectors(file, encoder)([])) == 0
