"""Biolink's words and ours: its classes and predicates, as KGX files write them, into labels and relation types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..vocabulary import ENTITY_LABELS, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable

LABELS: Final[dict[str, str]] = {
    "SequenceVariant": "Variant",
    "Snv": "Variant",
    "Haplotype": "Variant",
    "Genotype": "Variant",
    "Gene": "Gene",
    "Protein": "Protein",
    "ProteinIsoform": "Protein",
    "Polypeptide": "Protein",
    "ProteinFamily": "Protein",
    "Drug": "Drug",
    "BehavioralFeature": "Phenotype",
    "ClinicalFinding": "Phenotype",
    "PathologicalProcess": "Phenotype",
    "PhenotypicFeature": "Phenotype",
    "Disease": "Disease",
    "DiseaseOrPhenotypicFeature": "Disease",
    "ClinicalIntervention": "Treatment",
    "Hospitalization": "Treatment",
    "Treatment": "Treatment",
    "Procedure": "Test",
    "SmallMolecule": "Chemical",
    "MolecularMixture": "Chemical",
    "ComplexMolecularMixture": "Chemical",
    "ChemicalMixture": "Chemical",
    "ProcessedMaterial": "Chemical",
    "EnvironmentalFoodContaminant": "Chemical",
    "FoodAdditive": "Chemical",
    "Food": "Chemical",
    "MolecularEntity": "Chemical",
    "ChemicalEntity": "Chemical",
    "CellularComponent": "CellularComponent",
    "Cell": "Cell",
    "CellLine": "Cell",
    "GrossAnatomicalStructure": "Anatomy",
    "AnatomicalEntity": "Anatomy",
    "Pathway": "Pathway",
    "MolecularActivity": "MolecularFunction",
    "PhysiologicalProcess": "BiologicalProcess",
    "Behavior": "BiologicalProcess",
    "BiologicalProcess": "BiologicalProcess",
    "OrganismTaxon": "Organism",
    "CellularOrganism": "Organism",
    "Bacterium": "Organism",
    "Virus": "Organism",
    "IndividualOrganism": "Organism",
}
"""Biolink class → label, particular classes first; a class that is not here says no more than `NamedThing`."""

MATCHES: Final[dict[str, str]] = {
    "EXACT_MATCH": "biolink:exact_match",
    "CLOSE_MATCH": "biolink:close_match",
    "BROAD_MATCH": "biolink:broad_match",
    "NARROW_MATCH": "biolink:narrow_match",
    "RELATED_MATCH": "biolink:related_match",
}
"""Mappings have SKOS predicates in the graph; KGX files use Biolink's for them."""

_ANY: Final = "biolink:NamedThing"
_TYPES: Final = {predicate: kind for kind, predicate in (RELATION_TYPES | MATCHES).items()} | {
    predicate: kind for kind, predicate in RELATION_TYPES.items() if kind in MATCHES
}
_ORDER: Final = {name: place for place, name in enumerate(LABELS)}


def label_of(categories: Iterable[str]) -> str | None:
    """Give the label for a node of some Biolink categories.

    Args:
        categories: Such as `biolink:SmallMolecule`, with or without the prefix, in any order.

    Returns:
        A key of `ENTITY_LABELS`, of the most particular category that is known; None when none is.
    """
    names = [name.removeprefix("biolink:") for name in categories]
    known = sorted((name for name in names if name in LABELS), key=_ORDER.__getitem__)
    return LABELS[known[0]] if known else None


def categories_of(label: str) -> list[str]:
    """Give the Biolink categories of an entity.

    Args:
        label: A key of `ENTITY_LABELS`; empty for an entity without a name.

    Returns:
        The one of its label if it has one, and `biolink:NamedThing`.
    """
    return list(dict.fromkeys((ENTITY_LABELS.get(label, _ANY), _ANY)))


def relation_of(predicate: str) -> str | None:
    """Give the relation type for a Biolink predicate, or one of SKOS.

    Args:
        predicate: Such as `biolink:treats`.

    Returns:
        A key of `RELATION_TYPES`; None when the graph has no type for it.
    """
    return _TYPES.get(predicate)


def predicate_of(kind: str) -> str:
    """Give the Biolink predicate of a relation type.

    Args:
        kind: A key of `RELATION_TYPES`.

    Returns:
        Such as `biolink:treats`.
    """
    return MATCHES.get(kind, RELATION_TYPES[kind])
