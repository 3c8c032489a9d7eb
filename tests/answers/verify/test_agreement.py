"""Sentences that say the same are told from those that only sound alike, as people told them who read them."""

from pathlib import Path

import pytest

from medgraph.answers.verify.agreement import apart_of, same_subject, says
from medgraph.queries.retriever import SectionText

PAIRS = Path(__file__).parents[2] / "data" / "answers" / "agreeing.tsv"


def section(title, *aliases, concepts=()):
    return SectionText("s", "d", title, list(aliases), "", "a", "", "CC0", "", "", "", "", [], list(concepts))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (section("Huntington's Disease"), section("Huntington disease"), True),
        (section("Wilson"), section("Wilson's disease"), True),
        (section("Thalassemias"), section("Thalassemia", concepts=["C0039730"]), True),
        (section("What I need to know about Diarrhea"), section("Diarrhea"), True),
        (section("Impotence", "ED"), section("Erectile dysfunction", "Impotence"), True),
        (section("Gout"), section("Pseudogout"), False),
        (section("Gout", concepts=["C0018099"]), section("Gout", concepts=["C9999999"]), False),
        (section("Syndrome"), section("Disease"), False),
        (section(""), section(""), False),
    ],
)
def test_a_subject_is_told_by_its_names_without_endings_and_kinds_and_by_its_concept(one, other, same):
    assert same_subject(one, other) is same
    assert same_subject(other, one) is same


@pytest.mark.parametrize(("used", "found"), [("choosing", 0.75), ("apart", 0.55)])
def test_who_agrees_does_and_most_who_do_are_found(used, found):
    rows = [line.split("\t") for line in PAIRS.read_text(encoding="utf-8").splitlines() if line.startswith(used)]
    assert len(rows) >= 60
    told = [
        (same == "1", says(other, text, apart_of(section(title), section(its)), float(cosine)))
        for _, same, cosine, title, its, text, other in rows
    ]
    assert not [said for same, said in told if said and not same]
    assert sum(said for same, said in told if same) >= found * sum(same for same, _ in told)


APART = apart_of(section("Gout"))


@pytest.mark.parametrize(
    ("text", "claimed", "cosine", "same"),
    [
        ("Crystals of uric acid in kidneys cause gout.", "Crystals of uric acid in joints cause gout.", 0.99, False),
        ("Gout does not run in families of patients.", "Gout runs in families of patients.", 0.99, False),
        ("Drink 2 liters of plain water a day.", "Drink 3 liters of plain water a day.", 0.99, False),
        ("It is passed on in families in a dominant pattern.", "Gout is passed on in families in a dominant manner, "
         "meaning that one gene suffices.", 0.0, True),
        ("Uric acid crystals gather in joints.", "Gout hurts.", 0.99, False),
        ("Gout hurts.", "Gout hurts.", 0.0, True),
        ("", "Crystals of uric acid in joints cause gout.", 0.99, False),
    ],
)  # fmt: skip
def test_what_differs_in_a_number_a_negation_or_a_part_of_the_body_does_not_say_the_same(text, claimed, cosine, same):
    assert says(text, claimed, APART, cosine) is same
