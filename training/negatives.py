"""Questions with a passage that answers and passages that only seem to: of the same concept, or of the same kind.

Hard negatives are of two sorts, by turns: sections about the same subject that tell something else, and sections of
other subjects that the graph's own vectors take for near, of the same kind where there are such. What answers as well,
being of the same subject and kind, is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from .matches import topic
from .questions import asked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from numpy.typing import NDArray

    from .corpus import Embedded, Vectors
    from .questions import Example

NEAREST: Final = 100
"""Chunks nearest to a question, of which those of other subjects are drawn."""

BARE: Final = 0.5
"""The share of passages without the question that their source poses, as most documents have none."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What a question meets.

    Attributes:
        text: The text.
        tells: What it tells of what, by `topic`.
    """

    text: str
    tells: frozenset[str]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question.

    Attributes:
        text: The question.
        answer: What answers it.
        wrong: What does not.
    """

    text: str
    answer: Passage
    wrong: Sequence[Passage] = ()


class Sections:
    """Draws questions that sections answer.

    Args:
        examples: Sections and how they are asked for.
        passages: Chunks; only those of the examples' sections are used.
        questions: Vectors of the questions that sections pose, by which wrong passages are found.
    """

    def __init__(self, examples: Sequence[Example], passages: Embedded, questions: Vectors) -> None:
        self._of = {one.section: one for one in examples}
        self._passages = passages.of(self._of)
        self._values = self._passages.units()
        self._rows = self._passages.rows()
        posed, rows = questions.units(), questions.rows()
        self.examples = [one for one in examples if one.section in self._rows]
        self._asking = {
            one.section: posed[rows[one.section][0]]
            if one.section in rows
            else self._values[self._rows[one.section]].mean(axis=0)
            for one in self.examples
        }

    def draw(self, batch: Sequence[Example], wrong: int, chance: Random) -> list[Drawn]:
        """Ask for sections.

        Args:
            batch: The sections, of `examples`.
            wrong: Hard negatives of each, at most.
            chance: Draws words, answers and negatives.

        Returns:
            A question a section.
        """
        cosines = np.stack([self._asking[one.section] for one in batch]) @ self._values.T
        return [self._one(one, near, wrong, chance) for one, near in zip(batch, cosines, strict=True)]

    def _one(self, example: Example, near: NDArray[np.float32], wrong: int, chance: Random) -> Drawn:
        right = sorted(example.answers & self._rows.keys())
        others = [one for one in right if self._of[one].collection != example.collection]
        answer = chance.choice(others) if others else example.section
        text = asked(example, chance)
        chosen = self._wrong(example, near, wrong, chance)
        return Drawn(text, self._passage(answer, near, chance), [self._passage(one, near, chance) for one in chosen])

    def _wrong(self, example: Example, near: NDArray[np.float32], most: int, chance: Random) -> list[str]:
        """Choose sections of both sorts by turns, beginning with either."""
        same = sorted((example.near - example.answers) & self._rows.keys())
        sorts = [chance.sample(same, min(most, len(same))), self._mistaken(example, near, most, chance)]
        chance.shuffle(sorts)
        turns = [sort[turn] for turn in range(most) for sort in sorts if turn < len(sort)]
        return turns[:most]

    def _mistaken(self, example: Example, near: NDArray[np.float32], most: int, chance: Random) -> list[str]:
        count = min(NEAREST, len(near))
        rows = np.argpartition(-near, count - 1)[:count].tolist()
        found = dict.fromkeys(self._passages.sections[row] for row in sorted(rows))
        others = [one for one in found if not self._of[one].subjects & example.subjects]
        alike = [one for one in others if self._of[one].type == example.type] or others
        return chance.sample(alike, min(most, len(alike)))

    def _passage(self, section: str, near: NDArray[np.float32], chance: Random) -> Passage:
        """Give the chunk of a section that is nearest, as it is embedded or without a question."""
        row = max(self._rows[section], key=lambda place: float(near[place]))
        of, passages = self._of[section], self._passages
        bare = f"{passages.titles[row]}\n{passages.texts[row]}"
        text = bare if chance.random() < BARE else passages.stored[row]
        return Passage(text, frozenset(topic(subject, of.type) for subject in of.subjects))
