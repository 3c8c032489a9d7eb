"""Relationships of the UMLS: MRREL, which reads from the second concept to the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ....errors import RecordError
from ....schema.records import Relation
from ... import polarity
from ...base import Reject, Row
from ...remarks import LeftOut
from .concepts import TAKEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...base import Item
    from .parts import VocabularyChoice
    from .rrf import Meta

_COLUMNS: Final = "CUI1 REL CUI2 RELA SAB DIR SUPPRESS"

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
# Relationship that is taken → our relation type; others that are taken are `RELATED_TO`.
_TYPES: Final = {word: kind for kind, word, _ in _PAIRS}
_INVERSES: Final = {word: inverse for _, word, inverse in _PAIRS} | {inverse: word for _, word, inverse in _PAIRS}
# Relationships whose type says all, so that they need no predicate.
_PLAIN: Final = frozenset({"isa", "part_of", "treats", "develops_from", "has_member", "interacts_with", "regulates"})
_UNWANTED: Final = frozenset({"XR", "DEL"})  # what relates nothing: not related, no mapping; deleted


class Relations:
    """Reads relationships.

    MRREL gives each one twice, from either end. Which of the two becomes a relation is fixed by their names: the one in
    our table, else the one of a pair in MRDOC that does not end with `_of` or `_by`, else the first by the alphabet.
    Where both have one name it is the one that starts at the smaller CUI; where MRDOC does not pair them, the one that
    the vocabulary states (DIR).

    Args:
        seen: What is known of each concept, from `Concepts`.
    """

    def __init__(self, meta: Meta, choice: VocabularyChoice, seen: bytearray) -> None:
        self._meta = meta
        self._choice = choice
        self._seen = seen
        self._file = str(meta.file("MRREL"))
        self._directions: dict[str, bool | None] = {}
        self._inverses: dict[str, str] = {}
        self._lost: list[tuple[int, str]] = []
        self._lost_count = 0
        self._denied = LeftOut()

    def records(self) -> Iterator[Item]:
        """Read every relationship: relations, each once a vocabulary, and rejects."""
        yield from self._read_inverses()
        first = ""
        given: dict[tuple[str, str], set[str]] = {}
        for item in self._meta.sorted_rows("MRREL", _COLUMNS):
            if isinstance(item, Reject):
                yield item
                continue
            line, (one, rel, two, rela, vocabulary, stated, suppressed) = item
            if one != first:
                first, given = one, {}
            word = rela or rel
            if self._is_wanted(line, one, rel, two, suppressed) and self._is_direction(word, stated, two < one):
                part = self._choice.part(vocabulary)
                others = given.setdefault((vocabulary, word), set())
                if part and two not in others:
                    others.add(two)
                    if why := polarity.denial(word):
                        self._denied.add(why, f"UMLS:{two} {word} UMLS:{one}", self._file, line)
                    else:
                        yield self._row(line, one, two, word, part.id)
        for line, concept in self._lost:
            more = f", and {self._lost_count - 1:,} rows more like it" if self._lost_count > 1 else ""
            yield Reject(self._file, line, f"{concept} is not in MRCONSO{more}; take all files from one release")
        yield from self._denied.remarks()

    def _read_inverses(self) -> Iterator[Reject]:
        for item in self._meta.rows("MRDOC", "VALUE TYPE EXPL"):
            if isinstance(item, Reject):
                yield item
            elif item[1][1] in {"rela_inverse", "rel_inverse"}:
                self._inverses[item[1][0]] = item[1][2]
        self._inverses |= _INVERSES

    def _is_wanted(self, line: int, one: str, rel: str, two: str, suppressed: str) -> bool:
        if one == two:
            self._choice.left_out["rows of MRREL left out: they relate a concept to itself"] += 1
        elif suppressed != "N":
            self._choice.left_out["rows of MRREL left out: suppressed (SUPPRESS is not N)"] += 1
        elif rel in _UNWANTED:
            self._choice.left_out["rows of MRREL left out: they say that nothing is related (XR, DEL)"] += 1
        else:
            return self._is_known(line, one, two)
        return False

    def _is_known(self, line: int, one: str, two: str) -> bool:
        states = [self._state(concept) for concept in (one, two)]
        if min(states) == TAKEN:
            return True
        if min(states):
            self._choice.left_out["rows of MRREL left out: one of their concepts was left out"] += 1
        else:
            self._lost = self._lost or [(line, one if not states[0] else two)]
            self._lost_count += 1
        return False

    def _state(self, concept: str) -> int:
        return self._seen[int(concept[1:])] if concept[1:].isdecimal() and len(concept) == 8 else 0

    def _is_direction(self, word: str, stated: str, is_smaller: bool) -> bool:
        """Tell whether this is the one row of two that becomes a relation."""
        if word not in self._directions:
            self._directions[word] = _is_taken(word, self._inverses.get(word))
        taken = self._directions[word]
        if taken is None and word not in self._inverses and stated in {"Y", "N"}:
            return stated == "Y"
        return is_smaller if taken is None else taken

    def _row(self, line: int, one: str, two: str, word: str, part: str) -> Item:
        predicate = "" if word in _PLAIN else word
        try:
            record = Relation(f"UMLS:{two}", _TYPES.get(word, "RELATED_TO"), f"UMLS:{one}", predicate)
        except RecordError as error:
            return Reject(self._file, line, str(error))
        return Row(record, self._file, line, part)


def _is_taken(word: str, inverse: str | None) -> bool | None:
    """Tell whether MRREL's direction of this word becomes a relation; None where either will do."""
    if inverse is None or inverse == word:
        return None
    if word in _TYPES or inverse in _TYPES:
        return word in _TYPES
    backwards, other = _is_backwards(word), _is_backwards(inverse)
    return other if backwards != other else word < inverse


def _is_backwards(word: str) -> bool:
    return word.startswith("inverse_") or word.endswith(("_of", "_by"))
