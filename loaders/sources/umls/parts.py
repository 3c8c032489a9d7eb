"""Vocabularies of the UMLS: each is a part of the source, with a version and a licence of its own."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ....errors import InputError, RecordError
from ....schema.checks import MAX_ID
from ....schema.prefixes import prefix
from ....schema.records import SourceInfo
from ...base import Reject, Remark, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...base import Item
    from .rrf import Cells, Meta

DEFAULT_LANGUAGES: Final = "ENG"
DEFAULT_LEVELS: Final = "0"

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
            reason = self.refused.get(
                vocabulary, f"rows left out: of {vocabulary}, which MRSAB does not list, so that its licence is unknown"
            )
            self.left_out[reason] += 1
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

    Yields:
        Rows, rejects and remarks.

    Raises:
        InputError: A vocabulary that was asked for is not there.
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
