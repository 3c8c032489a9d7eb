"""Relationships of the UMLS: MRREL, which reads from the second concept to the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ....errors import RecordError
from ....schema.records import Relation
from ... import polarity
from ...base import Reject, Row
from ...remarks import LeftOut
from .concepts import TAKEN
from .words import INVERSES, PLAIN, TYPES, UNWANTED, is_taken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...base import Item
    from .parts import VocabularyChoice
    from .rrf import Meta

_COLUMNS: Final = "CUI1 REL CUI2 RELA SAB DIR SUPPRESS"


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
        self._inverses |= INVERSES

    def _is_wanted(self, line: int, one: str, rel: str, two: str, suppressed: str) -> bool:
        if one == two:
            self._choice.left_out["rows of MRREL left out: they relate a concept to itself"] += 1
        elif suppressed != "N":
            self._choice.left_out["rows of MRREL left out: suppressed (SUPPRESS is not N)"] += 1
        elif rel in UNWANTED:
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
            self._directions[word] = is_taken(word, self._inverses.get(word))
        taken = self._directions[word]
        if taken is None and word not in self._inverses and stated in {"Y", "N"}:
            return stated == "Y"
        return is_smaller if taken is None else taken

    def _row(self, line: int, one: str, two: str, word: str, part: str) -> Item:
        predicate = "" if word in PLAIN else word
        try:
            record = Relation(f"UMLS:{two}", TYPES.get(word, "RELATED_TO"), f"UMLS:{one}", predicate)
        except RecordError as error:
            return Reject(self._file, line, str(error))
        return Row(record, self._file, line, part)
