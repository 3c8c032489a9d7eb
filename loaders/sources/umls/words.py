"""The words of the UMLS and ours: semantic types and entity labels, relationships and relation types."""

from __future__ import annotations

from typing import Final

# Of a concept with several semantic types, the label that stands first here counts.
_LABELS: Final = {
    "Disease": "T047 T191 T048 T019 T190 T020 T037 T046 T049 T050",
    "Symptom": "T184",
    "Phenotype": "T033 T034",
    "Test": "T059 T060",
    "Treatment": "T061",
    "Drug": "T121 T195 T200",
    "Gene": "T028",
    "Protein": "T116 T126 T192",
    "Chemical": (
        "T103 T104 T109 T110 T111 T114 T115 T118 T119 T120 T122 T123 T124 T125 T127 T129 T130 T131 T167 T196 T197"
    ),
    "Cell": "T025",
    "CellularComponent": "T026",
    "Anatomy": "T017 T018 T021 T022 T023 T024 T029 T030 T031",
    "MolecularFunction": "T044",
    "BiologicalProcess": "T038 T039 T040 T041 T042 T043 T045",
    "Organism": "T001 T002 T004 T005 T007 T008 T010 T011 T012 T013 T014 T015 T016 T194 T204",
}
_PLACES: Final = {kind: place for place, kinds in enumerate(_LABELS.values()) for kind in kinds.split()}
_NAMES: Final = (*_LABELS, "Topic")


def label_of(semantic_types: tuple[str, ...]) -> str:
    """Choose the label of an entity by its TUIs; `Topic` for types that are none of ours."""
    return _NAMES[min((_PLACES.get(kind, len(_LABELS)) for kind in semantic_types), default=len(_LABELS))]


# Relation type → what the UMLS calls it, each with its inverse; `X word Y` is a relation from X to Y.
_WORDS: Final = {
    "IS_A": "isa/inverse_isa CHD/PAR",
    "PART_OF": (
        "part_of/has_part constitutional_part_of/has_constitutional_part regional_part_of/has_regional_part "
        "systemic_part_of/has_systemic_part component_of/has_component anatomic_structure_is_physical_part_of/"
        "has_physical_part_of_anatomic_structure"
    ),
    "HAS_PART": "has_ingredient/ingredient_of has_active_ingredient/active_ingredient_of",
    "LOCATED_IN": (
        "has_location/location_of has_finding_site/finding_site_of "
        "disease_has_associated_anatomic_site/is_associated_anatomic_site_of "
        "disease_has_primary_anatomic_site/is_primary_anatomic_site_of_disease"
    ),
    "DEVELOPS_FROM": "develops_from/develops_into",
    "HAS_SYMPTOM": (
        "has_manifestation/manifestation_of disease_has_finding/is_finding_of_disease "
        "disease_may_have_finding/may_be_finding_of_disease"
    ),
    "CAUSED_BY": "has_causative_agent/causative_agent_of due_to/cause_of",
    "HAS_RISK_FACTOR": "has_risk_factor/risk_factor_of",
    "HAS_COMPLICATION": "complicated_by/complicates",
    "DIAGNOSED_BY": "may_be_diagnosed_by/may_diagnose diagnosed_by/diagnoses",
    "PREVENTED_BY": "may_be_prevented_by/may_prevent prevented_by/prevents",
    "TREATS": "may_treat/may_be_treated_by treats/treated_by",
    "CONTRAINDICATED_IN": "contraindicated_with_disease/has_contraindicated_drug",
    "HAS_MEMBER": "has_member/member_of",
    "AFFECTS": "affects/affected_by",
    "INTERACTS_WITH": "interacts_with/interacts_with",
    "REGULATES": (
        "regulates/regulated_by positively_regulates/positively_regulated_by "
        "negatively_regulates/negatively_regulated_by"
    ),
    "PARTICIPATES_IN": "participates_in/has_participant",
    "ASSOCIATED_WITH": "associated_with/associated_with gene_associated_with_disease/disease_has_associated_gene",
    "RESEMBLES": "RL/RL",
    "CLOSE_MATCH": "SY/SY",
    "BROAD_MATCH": "RN/RB",
    "RELATED_TO": "QB/AQ RO/RO RQ/RQ RU/RU SIB/SIB",
}
_PAIRS: Final = tuple(
    (kind, *pair.split("/")) for kind, pairs in _WORDS.items() for pair in pairs.replace("/ ", "/").split()
)
TYPES: Final = {word: kind for kind, word, _ in _PAIRS}
"""Relationship that is taken → our relation type; others that are taken are `RELATED_TO`."""
INVERSES: Final = {word: inverse for _, word, inverse in _PAIRS} | {inverse: word for _, word, inverse in _PAIRS}
PLAIN: Final = frozenset({"isa", "part_of", "treats", "develops_from", "has_member", "interacts_with", "regulates"})
"""Relationships whose type says all, so that they need no predicate."""
UNWANTED: Final = frozenset({"XR", "DEL"})
"""What relates nothing: not related, no mapping; deleted."""


def is_taken(word: str, inverse: str | None) -> bool | None:
    """Tell which of the two directions that MRREL gives of a relationship becomes a relation.

    Args:
        word: A relationship: a RELA, or a REL where there is none.
        inverse: The word for the other direction, where it is known.

    Returns:
        Whether it is this one; None where both have one name, or the other one's is not known: then either will do.
    """
    if inverse is None or inverse == word:
        return None
    if word in TYPES or inverse in TYPES:
        return word in TYPES
    backwards, other = _is_backwards(word), _is_backwards(inverse)
    return other if backwards != other else word < inverse


def _is_backwards(word: str) -> bool:
    return word.startswith("inverse_") or word.endswith(("_of", "_by"))
