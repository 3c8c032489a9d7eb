"""An answer written as text: each sentence with what it is about, its numbers, and what its short forms stand for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .answer import RELATED
from .outline import (
    CLOSEST_HEADING,
    cited_by,
    glosses_of,
    leads_of,
    lines_said,
    mark_of,
    nearest_of,
    numbers_of,
    parts_of,
    understood_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .answer import Answer, Sentence


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence of an answer, with what stands around it.

    Attributes:
        sentence: The sentence.
        lead: What it is about, where readers would take it for something else.
        said: What it says, line by line where it quotes a list.
        numbers: Of what it rests on, each once.
        gloss: What its short forms stand for.
    """

    sentence: Sentence
    lead: str
    said: Sequence[str]
    numbers: tuple[int, ...]
    gloss: str

    def lines(self, *, marked: bool = False) -> list[str]:
        """Write it; `marked` adds what checking it found."""
        *before, last = self.said
        mark = mark_of(self.sentence) if marked else ""
        last = " ".join(filter(None, (last, "".join(f"[{n}]" for n in self.numbers), mark, self.gloss)))
        first, *others = (*before, last)
        return [f"{self.lead} {first}".lstrip(), *others]


def written(sentences: Sequence[Sentence], numbers: Mapping[str, int]) -> list[WrittenSentence]:
    """Write sentences that are read together; `numbers` is of all that the answer rests on."""
    return [
        WrittenSentence(one, lead, lines_said(one), tuple(numbers[name] for name in cited_by(one)), gl)
        for one, lead, gl in zip(sentences, leads_of(sentences), glosses_of(sentences), strict=True)
    ]


def with_text(answer: Answer) -> Answer:
    """Add to an answer its text, what the numbers in that stand for, and what it was understood to ask, in words."""
    numbers = numbers_of(answer)
    parts = [nearest_of(answer)] if answer.sentences and answer.status == RELATED else []
    for part in parts_of(answer):
        heading = [f"{part.asked}:"] * bool(part.asked) + [CLOSEST_HEADING] * part.beside
        lines = (line for one in written(part.sentences, numbers) for line in one.lines())
        parts.append("\n".join([*heading, *lines]))
    names = ", ".join(f"{mention.name} ({mention.label})" for mention in answer.entities)
    within = f"within {answer.within}" if answer.within else ""
    understood = filter(None, (*understood_of(answer), names, ", ".join(answer.intents), within))
    return replace(answer, text="\n\n".join(parts), cited=tuple(numbers), understood_as="; ".join(understood))
