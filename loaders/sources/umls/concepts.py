"""Concepts of the UMLS: MRCONSO with MRSTY and MRDEF, each vocabulary's names and definitions its own statement."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from ....errors import InputError, RecordError
from ....schema.checks import MAX_ID
from ....schema.prefixes import prefix, standard
from ....schema.records import Entity, SourceInfo
from ...base import Item, Reject, Remark, Row
from .rrf import TABLE, AlignedFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rrf import Cells, Meta


_DOCUMENTED: Final = "https://www.nlm.nih.gov/research/umls/sourcereleasedocs/current"
_LEVELS: Final = frozenset("012349")
_COLUMNS: Final = "RSAB SON SVER IMETA SRL LAT CURVER SABIN SSN SCIT"


@dataclass(frozen=True, slots=True)
class VocabularyPart:
    """A vocabulary that is taken: a part of the source; open if at licence level 0; prefix of its codes' CURIEs."""

    id: str
    is_open: bool
    prefix: str | None


@dataclass(slots=True)
class VocabularyChoice:
    """What a curator wants of the UMLS, empty for all, and what is left out because of it.

    `whole` is the id of the source, with which those of its parts begin; refused vocabularies have the reason, and rows
    that are left out are counted by theirs.
    """

    languages: tuple[str, ...]
    vocabularies: frozenset[str]
    levels: frozenset[str]
    whole: str
    parts: dict[str, VocabularyPart] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def part(self, vocabulary: str) -> VocabularyPart | None:
        """Look a vocabulary up; None when it is not taken, and the row is counted as left out."""
        found = self.parts.get(vocabulary)
        if found is None:
            unlisted = f"rows left out: of {vocabulary}, which MRSAB does not list, so that its licence is unknown"
            self.left_out[self.refused.get(vocabulary, unlisted)] += 1
        return found

    def remarks(self, file: str) -> Iterator[Remark]:
        """Say what was left out."""
        for reason, count in sorted(self.left_out.items()):
            yield Remark(file, 1, f"{reason}: {count:,}", reason, count)


def choose(languages: str, vocabularies: str, levels: str, whole: str) -> VocabularyChoice:
    """Read the options of a load, such as `ENG,SPA`, `MSH,RXNORM` and `0,9`, or `all`; a level may be none."""
    spoken, named, wanted = (_words(text) for text in (languages, vocabularies, levels))
    if unknown := set(wanted) - _LEVELS:
        raise InputError(f"{min(unknown)!r} is no licence level of the UMLS; levels are 0, 1, 2, 3, 4 and 9, or all")
    return VocabularyChoice(spoken, frozenset(named), frozenset(wanted), whole)


def _words(text: str) -> tuple[str, ...]:
    words = text.replace(",", " ").upper().split()
    return () if "ALL" in words else tuple(dict.fromkeys(words))


def parts(meta: Meta, choice: VocabularyChoice, release: str) -> Iterator[Item]:
    """Read MRSAB: which vocabularies there are, and which are taken, with a row of the facts of each.

    Fills `parts` and `refused` of the choice; a vocabulary without a version has the release of the UMLS.
    """
    current: dict[str, tuple[int, Cells]] = {}
    for item in meta.rows("MRSAB", _COLUMNS):
        if isinstance(item, Reject):
            yield item
        elif item[1][6] == "Y" or item[1][0] not in current:
            current[item[1][0]] = item
    if missing := choice.vocabularies - current.keys():
        raise InputError(f"MRSAB lists no vocabulary {min(missing)}; it has {', '.join(sorted(current))}")
    for name in sorted(current):
        line, cells = current[name]
        yield from _part(str(meta.file("MRSAB")), line, cells, choice, release)


def _part(file: str, line: int, cells: Cells, choice: VocabularyChoice, release: str) -> Iterator[Item]:
    name, full_name, version, _, level, language, _, present, short_name, citation = cells
    if refused := _refusal(choice, name, level, language):
        choice.refused[name] = refused
        if level not in _LEVELS:
            yield Reject(file, line, f"{name} has the licence level {level!r}, which is none; its rows are left out")
        return
    said = "; ".join(dict.fromkeys(filter(None, map(str.strip, citation.split(";"))))) or full_name
    if len(said) > MAX_ID:
        yield Remark(file, line, f"the citation of {name} has {len(said)} characters and is cut to {MAX_ID}")
        said = said[: MAX_ID - 1].rstrip() + "…"
    try:
        info = SourceInfo(
            id=f"{choice.whole}-" + re.sub(r"[^a-z0-9_-]", "-", name.lower()),
            title=(short_name or full_name)[:MAX_ID],
            version=version or release,
            licence=f"LicenseRef-UMLS-level-{level}",
            url=f"{_DOCUMENTED}/{name}/index.html",
            citation=said,
            rank=2,
        )
    except RecordError as error:
        choice.refused[name] = f"rows left out: of {name}, whose row of MRSAB cannot be used"
        yield Reject(file, line, f"{name}: {error}")
        return
    choice.parts[name] = VocabularyPart(info.id, level == "0", prefix(name))
    if present != "N":  # not in this subset
        yield Row(info, file, line)


def _refusal(choice: VocabularyChoice, name: str, level: str, language: str) -> str:
    if choice.vocabularies and name not in choice.vocabularies:
        return "rows left out: of vocabularies that were not asked for (option vocabularies)"
    if level not in _LEVELS or (choice.levels and level not in choice.levels):
        return f"rows left out: under licence level {level} (option levels)"
    if language and choice.languages and language not in choice.languages:
        return f"rows left out: in the language {language} (option languages)"
    return ""


LISTED, TAKEN = 1, 2  # what `records` notes of a concept: whether MRCONSO has it, and whether an entity came of it
_ATOMS: Final = "CUI LAT TS STT ISPREF SAB TTY CODE STR SUPPRESS"
_LANGUAGE, _TS, _STT, _PREFERRED, _SAB, _TTY, _CODE, _NAME, _SUPPRESSED = range(1, 10)
# Types of names, the best first, where MRRANK is missing.
_USUAL: Final = {tty: place for place, tty in enumerate("PN MH PT FN NM HT LN CN CD ET SY".split())}
# Of a concept with several semantic types, the label that stands first here counts.
_LABELS: Final = TABLE["label"]
_TYPE_PLACES: Final = {kind: place for place, kinds in enumerate(_LABELS.values()) for kind in kinds}
_LABEL_NAMES: Final = (*_LABELS, "Topic")

Atom = tuple[int, "Cells"]


class Concepts:
    """Reads concepts; `seen` has `LISTED` or `TAKEN` by the number of each CUI, a byte each."""

    def __init__(self, meta: Meta, choice: VocabularyChoice) -> None:
        self.seen = bytearray(10_000_000)
        self._meta = meta
        self._choice = choice
        self._file = str(meta.file("MRCONSO"))
        self._languages = {language: place for place, language in enumerate(choice.languages)}
        self._ranks: dict[tuple[str, str], int] = {}

    def records(self) -> Iterator[Item]:
        """Read every concept: what the UMLS says of it, if one of its names is free, then what each vocabulary says."""
        for item in self._meta.rows("MRRANK", "RANK SAB TTY"):
            if isinstance(item, Reject):
                yield item
            elif item[1][0].isdecimal():
                self._ranks[item[1][1], item[1][2]] = int(item[1][0])
            else:
                yield Reject(str(self._meta.file("MRRANK")), item[0], f"the rank {item[1][0]!r} is not a number")
        types = AlignedFile(self._meta, "MRSTY", "CUI TUI")
        texts = AlignedFile(self._meta, "MRDEF", "CUI SAB DEF SUPPRESS")
        rows = self._meta.sorted_rows("MRCONSO", _ATOMS)
        for concept, group in groupby(rows, key=lambda item: "" if isinstance(item, Reject) else item[1][0]):
            if not concept:
                yield from (item for item in group if isinstance(item, Reject))
                continue
            atoms = [item for item in group if not isinstance(item, Reject)]
            kinds = tuple(dict.fromkeys(cells[1] for _, cells in types.take(concept)))
            yield from self._concept(concept, atoms, kinds, texts.take(concept))
            yield from types.faults()
            yield from texts.faults()
        yield from types.rest()
        yield from texts.rest()

    def _concept(self, concept: str, atoms: list[Atom], kinds: tuple[str, ...], texts: list[Atom]) -> Iterator[Item]:
        self.seen[int(concept[1:])] = LISTED
        if not kinds:
            self._choice.left_out["concepts without a semantic type, taken as Topic"] += 1
        said: dict[str, list[Atom]] = {}
        for atom in atoms:
            if self._is_wanted(atom[1]):
                said.setdefault(atom[1][_SAB], []).append(atom)
        # Choose the label of an entity by its TUIs; `Topic` for types that are none of ours.
        common: dict[str, Any] = {
            "id": f"UMLS:{concept}",
            "label": _LABEL_NAMES[min((_TYPE_PLACES.get(kind, len(_LABELS)) for kind in kinds), default=len(_LABELS))],
            "concepts": (concept,),
            "semantic_types": kinds,
        }
        free = [atom for name, group in said.items() if self._choice.parts[name].is_open for atom in group]
        if free:
            line, cells = min(free, key=partial(self._standing, whole=True))
            yield from self._row(concept, line, "", common | {"name": cells[_NAME]})
        definitions = self._definitions(texts)
        for name in sorted(said):
            part = self._choice.parts[name]
            group = sorted(said[name], key=self._standing)
            names = _distinct(cells[_NAME] for _, cells in group)
            # Give the CURIEs of the codes that a vocabulary has for a concept.
            codes = (cells[_CODE] for _, cells in group if part.prefix)
            known = (code for code in codes if code != "NOCODE" and code[:4] != "MTHU")
            made = (standard(f"{part.prefix}:{code}") for code in known)
            fields = {
                "name": names[0],
                "synonyms": tuple(names[1:]),
                "definition": "\n".join(definitions.get(name, ())),
                "xrefs": tuple(dict.fromkeys(curie for curie in made if curie)),
            }
            yield from self._row(concept, group[0][0], part.id, common | fields)

    def _row(self, concept: str, line: int, part: str, fields: dict[str, Any]) -> Iterator[Item]:
        try:
            yield Row(Entity(**fields), self._file, line, part)
        except RecordError as error:
            yield Reject(self._file, line, f"{concept}: {error}")
        else:
            self.seen[int(concept[1:])] = TAKEN

    def _is_wanted(self, cells: Cells) -> bool:
        if cells[_SUPPRESSED] != "N":
            self._choice.left_out["rows of MRCONSO left out: suppressed (SUPPRESS is not N)"] += 1
            return False
        if self._languages and cells[_LANGUAGE] not in self._languages:
            self._choice.left_out[f"rows left out: in the language {cells[_LANGUAGE]} (option languages)"] += 1
            return False
        return self._choice.part(cells[_SAB]) is not None

    def _definitions(self, texts: list[Atom]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for _, (_, vocabulary, text, suppressed) in texts:
            if suppressed != "N":
                self._choice.left_out["rows of MRDEF left out: suppressed (SUPPRESS is not N)"] += 1
            elif self._choice.part(vocabulary) and text not in found.setdefault(vocabulary, []):
                found[vocabulary].append(text)
        return found

    def _rank(self, cells: Cells) -> int:
        return -self._ranks.get((cells[_SAB], cells[_TTY]), -_USUAL.get(cells[_TTY], len(_USUAL)))

    def _standing(self, atom: Atom, *, whole: bool = False) -> tuple[Any, ...]:
        """Sort names; of the whole concept the preferred one first of its preferred term, as TS, STT and ISPREF say."""
        cells = atom[1]
        signs = (cells[_TS] != "P", cells[_STT] != "PF", cells[_PREFERRED] != "Y")
        return self._languages.get(cells[_LANGUAGE], 0), whole and any(signs), self._rank(cells), signs, atom[0]


def _distinct(names: Iterator[str]) -> list[str]:
    """Keep the first of names that differ only in small and capital letters."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(name.casefold(), name)
    return list(found.values())
