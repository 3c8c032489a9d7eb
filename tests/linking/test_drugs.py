"""Drugs by international and American names and by brands: a table that is sound, and what it leads to."""

import csv

import pytest

from tests.support.linking import entity, first, linker_of, named

SAME = """
    Acetaminophen: paracetamol, Tylenol, Panadol, Calpol
    Acetylsalicylic acid: aspirin, Ecotrin
    Ibuprofen: Advil, Motrin, Nurofen
    Metformin: Glucophage
    Atorvastatin: Lipitor
    Furosemide: frusemide, Lasix
    Epinephrine: adrenaline, EpiPen
    Norepinephrine: noradrenaline
    Salbutamol: albuterol, Ventolin, ProAir
    Pethidine: meperidine, Demerol
    Glyburide: glibenclamide, Daonil
    Rifampicin: rifampin
    Aciclovir: acyclovir, Zovirax
    Cephalexin: cefalexin, Keflex
    Cyclosporine: ciclosporin, Neoral
    Levothyroxine: Synthroid
    Nitroglycerin: glyceryl trinitrate
    Scopolamine: hyoscine
    Isoprenaline: isoproterenol
    Lidocaine: lignocaine, Xylocaine
    Succinylcholine: suxamethonium
    Methimazole: thiamazole
    Valproic Acid: Depakote, Epilim
    Phenobarbital: phenobarbitone
    Sertraline: Zoloft, Lustral
    Sildenafil: Viagra
    Warfarin: Coumadin
    Torasemide: torsemide
    Mesalazine: mesalamine, Asacol
    L-DOPA: levodopa
"""


@pytest.fixture(scope="module")
def compounds(data):
    """A linker of the compounds of Hetionet, as it calls them."""
    with (data / "hetionet" / "hetionet-v1.0-nodes.tsv").open(encoding="utf-8", newline="") as file:
        nodes = [row for row in csv.DictReader(file, delimiter="\t") if row["kind"] == "Compound"]
    return linker_of(*(entity(row["id"], row["name"], label="Drug") for row in nodes))


def test_names_lead_to_the_drug_of_a_vocabulary_that_has_one_of_them(compounds):
    lines = [line.strip().split(": ") for line in SAME.strip().splitlines()]
    pairs = [(name, other) for name, others in lines for other in others.split(", ")]
    assert len(pairs) >= 40
    for name, other in pairs:
        assert first(compounds, name) == first(compounds, other), other
        assert first(compounds, other.lower()), other


def test_a_brand_is_one_with_a_capital_in_texts_and_in_any_letters_where_it_is_asked_about():
    linker = linker_of(entity("d:1", "Furosemide", label="Drug"), entity("d:2", "amlodipine", label="Drug"))
    assert named(linker, "Lasix and frusemide, not lasix; norvasc, NORVASC.") == [
        ("Lasix", "d:1"), ("frusemide", "d:1"), ("NORVASC", "d:2"),
    ]  # fmt: skip
    assert named(linker_of(entity("d:1", "rifampin", label="Drug")), "The protein triadin (TRDN) was lost.") == []
    for text in ("side effects of lasix", "What is Lasix?", "lassix"):
        (place,) = linker.question(text)
        assert linker.holdings.id(place[0].entity) == "d:1"
