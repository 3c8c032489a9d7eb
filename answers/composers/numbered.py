"""Numbered evidence for a language model: whole sentences within some tokens, none of which instructs a program."""

from __future__ import annotations

import html
import itertools
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...patterns import read_patterns, small
from ..prompting import escaped
from ..scoring import sentences_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..answer import CitedFact
    from ..scoring import ScoredSection
    from .composer import Material

# What the words of the last kinds count, and from which sum in a sentence on they tell of a program; set by hand.
WEIGHTS: Final = {"machine": 3, "text": 2, "telling": 1}
MOST: Final = 5

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_TABLE: Final = Path(__file__).parents[1] / "instructing.tsv"


def instructs(text: str) -> bool:
    """Tell whether a text speaks to a program that reads it, and tells it what to say; in doubt it does."""
    plain = f". {small(text)}"  # so that the first words stand behind a mark, as those of every sentence do
    patterns = _patterns()
    if any(pattern.search(plain) for kind, pattern in patterns.items() if kind not in WEIGHTS):
        return True
    return any(
        sum(weight * len(set(patterns[kind].findall(sentence))) for kind, weight in WEIGHTS.items()) >= MOST
        for sentence in _SENTENCE.split(plain)
    )


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TABLE)


LIMITS: Final = (8, 8, 3)  # sections, facts and paths that a model is given, at most; set by hand
PASSAGE: Final = 200  # tokens that a section should have, at least, before another one is given; set by hand
_GAP: Final = " \u2026 "


@dataclass(frozen=True, slots=True)
class NumberedEvidence:
    """A piece of evidence with the id by which it is cited: `S1` a section, `F1` a fact, `P1` a path."""

    id: str
    text: str
    section: ScoredSection | None = None
    facts: tuple[CitedFact, ...] = ()


def numbered(
    material: Material, count: Callable[[str], int], budget: int, limits: tuple[int, int, int] = LIMITS
) -> list[NumberedEvidence]:
    """Choose and number what a model is given; what instructs its reader is left out.

    Sections are whole sentences: first those that promise most of each, then as many others as fit; the smaller the
    budget, the fewer sections. Facts and paths have at most half of it.

    Args:
        budget: Tokens of all texts together, at most.
        limits: Sections, facts and paths, at most.
    """
    texts, facts, paths = limits
    related = [*_related("F", [(fact,) for fact in material.facts], facts), *_related("P", material.paths, paths)]
    spent, kept = 0, []
    for item in related:
        cost = count(_element(item))
        if spent + cost <= budget // 2:
            spent += cost
            kept.append(item)
    most = max(2, min(texts, budget // PASSAGE))
    sections = [item for item in material.sections if item.sentences and not instructed(item)][:most]
    chosen = _fitting(sections, count, budget - spent)
    cut = ((item, _text(item, chosen[place])) for place, item in enumerate(sections) if chosen[place])
    return [*(NumberedEvidence(f"S{number}", text, item) for number, (item, text) in enumerate(cut, 1)), *kept]


def fenced(items: Sequence[NumberedEvidence]) -> str:
    """Write evidence for a prompt, an element each; nothing in it can end the element that it stands in."""
    return "\n".join(_element(item) for item in items)


def _element(item: NumberedEvidence) -> str:
    about = ""
    if item.section:
        section = item.section.section
        about = f' page="{html.escape(section.title)}" heading="{html.escape(section.question or section.heading)}"'
    return f'<evidence id="{item.id}"{about}>{escaped(item.text)}</evidence>'


def _related(letter: str, found: Sequence[Sequence[CitedFact]], most: int) -> list[NumberedEvidence]:
    texts = ((facts, " ".join(fact.text for fact in facts)) for facts in found)
    plain = itertools.islice(((facts, text) for facts, text in texts if not instructs(text)), most)
    return [
        NumberedEvidence(f"{letter}{number}", text, facts=tuple(facts)) for number, (facts, text) in enumerate(plain, 1)
    ]


def instructed(item: ScoredSection) -> bool:
    """Tell whether a section's title, heading or text speaks to a program that reads it."""
    section = item.section
    return any(map(instructs, (section.title, section.question, section.heading, section.text)))


def _fitting(sections: Sequence[ScoredSection], count: Callable[[str], int], budget: int) -> list[set[int]]:
    """Choose sentences of sections, by their order, as far as the budget goes."""
    chosen: list[set[int]] = [set() for _ in sections]
    first = [(place, one.candidate) for place, item in enumerate(sections) for one in item.sentences]
    rest = [(place, one) for place, item in enumerate(sections) for one in item.other_sentences]
    for place, one in (*first, *rest):
        cost = (
            count(one.text) + 1 + (0 if chosen[place] else count(_element(NumberedEvidence("S0", "", sections[place]))))
        )
        if cost <= budget:
            chosen[place].add(one.order)
            budget -= cost
    return chosen


def _text(item: ScoredSection, orders: set[int]) -> str:
    kept = [one for one in sentences_of(item) if one.order in orders]
    gaps = (_GAP if after.order - before.order > 1 else " " for before, after in itertools.pairwise(kept))
    return "".join(itertools.chain.from_iterable(zip((one.text for one in kept), (*gaps, ""), strict=True)))
