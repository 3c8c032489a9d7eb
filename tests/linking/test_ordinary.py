"""Where words that a source has as a name are one, and where they are words of everyday English."""

import csv
from pathlib import Path

import pytest

from medgraph.linking.judging import Verdict, judge, speaks_of_genes
from medgraph.linking.lexicon import ANY_ORDER, LISTED, LOOSE, NAME, ORDERED, SYNONYM

LABELLED = Path(__file__).parents[1] / "data" / "linking" / "ordinary.tsv"


@pytest.mark.parametrize(
    ("surface", "name", "kind", "how", "label", "called", "verdict"),
    [
        ("down", "Down's", SYNONYM, ORDERED, "Disease", False, Verdict.NEVER),
        ("Down's", "Down's", SYNONYM, ORDERED, "Disease", False, Verdict.NAME),
        ("West", "West's", SYNONYM, ORDERED, "Disease", False, Verdict.NEVER),
        ("Alzheimer's", "Alzheimer's", SYNONYM, ORDERED, "Disease", False, Verdict.NAME),
        ("another syndrome", "ANOTHER syndrome", LISTED, ORDERED, "Disease", False, Verdict.NEVER),
        ("KID syndrome", "KID syndrome", LISTED, ORDERED, "Disease", False, Verdict.NAME),
        ("crystals", "Crystal", LISTED, ORDERED, "Drug", False, Verdict.DOUBTFUL),
        ("cavity", "Cavities", LISTED, ORDERED, "Disease", False, Verdict.DOUBTFUL),
        ("dizzy", "dizzy", SYNONYM, ORDERED, "Symptom", False, Verdict.NAME),
        ("pain", "Pain", NAME, ORDERED, "Symptom", True, Verdict.NAME),
        ("severe", "Severe", NAME, ORDERED, "Phenotype", True, Verdict.NEVER),
        ("benign", "Benign", NAME, ORDERED, "Topic", True, Verdict.NEVER),
        ("olive", "Olive", NAME, ORDERED, "Drug", True, Verdict.NAME),
        ("overweight", "Overweight", NAME, ORDERED, "Symptom", True, Verdict.NAME),
        ("air", "Air", NAME, ORDERED, "Drug", True, Verdict.DOUBTFUL),
        ("oils", "Oil", LISTED, ORDERED, "Topic", False, Verdict.DOUBTFUL),
        ("PET", "PET", SYNONYM, ORDERED, "Disease", False, Verdict.DOUBTFUL),
        ("Ca", "Ca++", LISTED, ORDERED, "Topic", False, Verdict.NEVER),
        ("heart valves", "heart valve disease", NAME, LOOSE, "Disease", False, Verdict.NEVER),
        ("nerve disorder", "nerve", NAME, LOOSE, "Anatomy", False, Verdict.NEVER),
        ("Wilson's syndrome", "Wilson disease", NAME, LOOSE, "Disease", False, Verdict.NAME),
        ("rare condition", "Rare Diseases", NAME, LOOSE, "Disease", False, Verdict.NAME),
        ("breast-ovarian cancer", "breast and ovarian cancer syndrome", NAME, LOOSE, "Disease", False, Verdict.NAME),
        ("mild form", "Mild", NAME, LOOSE, "Phenotype", False, Verdict.NEVER),
        ("skin abnormalities", "Abnormality of the skin", NAME, ANY_ORDER, "Phenotype", False, Verdict.NAME),
        ("low calcium", "Calcium low", NAME, ANY_ORDER, "SideEffect", False, Verdict.NAME),
        ("cancer. Breast", "Cancer - breast", LISTED, ORDERED, "Disease", False, Verdict.NEVER),
        ("sodium, chloride", "Sodium Chloride", LISTED, ORDERED, "Drug", False, Verdict.NEVER),
        ("St. Vitus dance", "St Vitus dance", SYNONYM, ORDERED, "Disease", False, Verdict.NAME),
    ],
)
def test_what_words_are_by_themselves(surface, name, kind, how, label, called, verdict):
    assert judge(surface, name, kind, how, label, called=called) == verdict


def test_who_types_an_eponym_leaves_its_marks_out():
    assert judge("alzheimers", "Alzheimer's", SYNONYM, ORDERED, "Disease", called=False, asked=True) == Verdict.NAME
    assert judge("down", "Down's", SYNONYM, ORDERED, "Disease", called=False, asked=True) == Verdict.NEVER


def test_symbols_of_genes_stand_beside_words_of_genes():
    assert speaks_of_genes("mutations in HR are rare", 13, 15)
    assert not speaks_of_genes("an HR of 1.7", 3, 5)


def test_the_labelled_pairs_are_labelled():
    with LABELLED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert {row["label"] for row in rows} == {"right", "wrong", "unclear"}
    assert len({(row["surface"], row["concept"]) for row in rows}) == len(rows) >= 1500
    assert sum(row["part"] == "top" for row in rows) == 500
