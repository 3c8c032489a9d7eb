"""MedicationQA: do the first sections hold what an expert cites for a consumer's question on a medicine?

A section holds it where its document is about the medicine, by the name that is asked for or that the expert's passage
gives it (levothyroxine for Synthroid), and the section is of a kind that the question's type asks
for, or has half of the words of the expert's passage. Ben Abacha et al., Bridging the Gap Between Consumers' Medication
Questions and Trusted Answers, MedInfo 2019. No licence is stated: the figures are for development only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from medgraph.errors import SourceFileError
from medgraph.progress import progress

from ..statistics import share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medgraph.queries.retriever import Retriever, SectionText

DEPTH: Final = 5
HALF: Final = 0.5  # share of the words of the expert's passage that a section has
_WORD: Final = re.compile(r"[a-z0-9]{3,}")
_WARNING: Final = {"important warning", "precautions", "contraindication", "severe reaction"}
_TAKING: Final = {"usage", "dose", "forget a dose", "availability"}
# Type of question, or its part before a slash → kinds of section that it asks for.
KINDS: Final = {
    "Action": {"how does it work", "indication"},
    "Appearance": {"appearance", "availability"},
    "Availability": {"availability"},
    "Brand names": {"ingredients", "availability", "brand names"},
    "Contraindication": {"pregnancy", "breastfeeding", "children", "older adults", "kidney and liver", *_WARNING},
    "Dose": _TAKING,
    "Indication": {"indication"},
    "Information": {"information", "indication", "how does it work", *_WARNING},
    "Ingredient": {"ingredients"},
    "Interaction": {"interactions with medications", "interactions with foods", *_WARNING},
    "Overdose": {"emergency or overdose"},
    "Side effects": {"side effects", *_WARNING},
    "Stopping": {"stopping", "usage", *_WARNING},
    "Storage and disposal": {"storage and disposal"},
    "Usage": _TAKING,
}


class MedicationQuestion(msgspec.Struct):
    """A question, and what an expert cites for it."""

    question: str
    drug: str
    type: str
    answer: str

    def about(self, section: SectionText) -> bool:
        """Tell whether a section is about the medicine: by its name, or a label by what the expert calls it."""
        called = " ".join((section.title, *section.aliases)).lower()
        words, named = _WORD.findall(self.drug.lower()), _WORD.findall(section.title.lower())
        by_name = bool(words) and words[0] in called
        return by_name or bool(section.label and named and named[0] in _WORD.findall(self.answer.lower()))

    def holds(self, section: SectionText) -> bool:
        """Tell whether a section of the medicine holds the answer."""
        kinds = KINDS.get(self.type.partition("/")[0], set())
        wanted = {*_WORD.findall(self.answer.lower())}
        has = {*_WORD.findall(section.text.lower())}
        return section.type in kinds or len(wanted & has) >= HALF * max(1, len(wanted))


def load(path: Path) -> Iterator[MedicationQuestion]:
    """Read the questions that are on a medicine and can be answered."""
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            asked = msgspec.json.decode(line, type=MedicationQuestion)
        except msgspec.DecodeError as error:
            raise SourceFileError(f"is not a question of MedicationQA: {error}", path, number) from error
        if asked.type not in {"not_drug_question", "unanswerable"}:
            yield asked


def measure(retriever: Retriever, path: Path) -> list[dict[str, Any]]:
    """Measure by types how often a section of the medicine is among the first, and one that holds the answer."""
    asked = list(load(path))
    found: dict[str, list[tuple[bool, bool]]] = {"all": []}
    with progress("searching", "question", len(asked)) as bar:
        for one in asked:
            hits = retriever.search(one.question, mode="learned", top_k=DEPTH)
            sections = retriever.texts([hit.section for hit in hits if hit.section])
            about = [section for section in sections if one.about(section)]
            row = bool(about), any(map(one.holds, about))
            found["all"].append(row)
            found.setdefault(one.type.partition("/")[0], []).append(row)
            bar.update(1)
    return [{"type": name, "n": len(rows), **_shares(rows)} for name, rows in found.items()]


def _shares(rows: Sequence[tuple[bool, bool]]) -> dict[str, float]:
    medicine, holds = zip(*rows, strict=True)
    return {"medicine": round(share(medicine), 3), "holds": round(share(holds), 3)}
