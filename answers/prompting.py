"""Prompts, one file each under `prompts/` with a header, and the numbered evidence that they are filled with.

The header says where a prompt comes from and what is filled in. Evidence is whole sentences within some tokens, none of
which instructs a program.

```
---
paper: VerifAI (Košprdić et al., 2024)
version: 1
variables: question, evidence
---
# system

Answer from the evidence alone.

# user

{question}

{evidence}
```
"""

from __future__ import annotations

import hashlib
import html
import itertools
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from ..errors import CatalogueError, InputError
from ..models.protocol import Message
from ..patterns import read_patterns, small
from .scoring import sentences_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..embeddings.candidate_sentences import CandidateSentence
    from ..models.protocol import Role
    from ..queries.retriever import SectionText
    from .answer import CitedFact
    from .part_answers import Material
    from .scoring import ScoredSection

FOLDER: Final = Path(__file__).parent / "prompts"
_KEYS: Final = ("paper", "version", "variables")
_TURN: Final = re.compile(r"^# (system|user|assistant)$", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: the paper whose prompt it is, or `none`, what is filled in, and its SHA-256 in hex."""

    name: str
    paper: str
    version: str
    variables: tuple[str, ...]
    text: str
    hash: str

    def fill(self, **values: str) -> tuple[Message, ...]:
        """Fill the prompt; what is filled in is text, and nothing in it is filled in; TypeError for other variables."""
        if values.keys() != set(self.variables):
            raise TypeError(f"prompt {self.name} takes {', '.join(self.variables)}, not {', '.join(values)}")
        turns = _TURN.split(_body(self.text))[1:]
        return tuple(
            Message(cast("Role", role), _VARIABLE.sub(lambda found: values[found[1]], text).strip())
            for role, text in zip(turns[::2], turns[1::2], strict=True)
        )


def escaped(text: str) -> str:
    """Write a text so that nothing in it ends the element of a prompt that it stands in."""
    return html.escape(text, quote=False)


@cache
def prompt(name: str, folder: Path = FOLDER) -> Prompt:
    """Read a prompt; InputError for none of this name, CatalogueError, with file and line, for one against rules."""
    path = folder / f"{name}.md"
    if name not in names(folder):
        raise InputError(f"no prompt is called {name!r}; there is {', '.join(names(folder)) or 'none'}")
    text = path.read_text(encoding="utf-8")
    head = _head(path, text)
    variables = tuple(filter(None, re.split(r",\s*", head["variables"])))
    if _TURN.search(_body(text)) is None:
        raise CatalogueError("it has no turn; begin one with `# system` or `# user`", path, len(_KEYS) + 3)
    for number, line in enumerate(text.splitlines(), start=1):
        if unknown := set(_VARIABLE.findall(line)) - set(variables):
            raise CatalogueError(f"{{{min(unknown)}}} is not among its variables", path, number)
    if unused := set(variables) - set(_VARIABLE.findall(_body(text))):
        raise CatalogueError(f"the variable {min(unused)} is not used", path, 2 + _KEYS.index("variables"))
    return Prompt(name, head["paper"], head["version"], variables, text, hashlib.sha256(text.encode()).hexdigest())


def names(folder: Path = FOLDER) -> list[str]:
    """List the prompts, in alphabetical order."""
    return sorted(path.stem for path in folder.glob("*.md"))


def _head(path: Path, text: str) -> dict[str, str]:
    lines = text.splitlines()
    if lines[:1] != ["---"] or lines[len(_KEYS) + 1 : len(_KEYS) + 2] != ["---"]:
        raise CatalogueError(f"it must begin with a header between two lines `---`: {', '.join(_KEYS)}", path, 1)
    head = {}
    for number, (key, line) in enumerate(zip(_KEYS, lines[1:], strict=False), start=2):
        if not line.startswith(f"{key}:"):
            raise CatalogueError(f"the header has `{key}: …` here", path, number)
        head[key] = line.partition(":")[2].strip()
    return head


def _body(text: str) -> str:
    return text.split("---\n", 2)[2]


# What the words of the last kinds count, and from which sum in a sentence on they tell of a program; set by hand.
WEIGHTS: Final = {"machine": 3, "text": 2, "telling": 1}
MOST: Final = 5
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_TABLE: Final = Path(__file__).with_name("instructing.tsv")


def instructs(text: str) -> bool:
    """Tell whether a text speaks to a program that reads it, and tells it what to say; in doubt it does."""
    plain = f". {small(text)}"  # so that the first words stand behind a mark, as those of every sentence do
    patterns = read_patterns(_TABLE)
    if any(pattern.search(plain) for kind, pattern in patterns.items() if kind not in WEIGHTS):
        return True
    return any(
        sum(weight * len(set(patterns[kind].findall(sentence))) for kind, weight in WEIGHTS.items()) >= MOST
        for sentence in _SENTENCE.split(plain)
    )


LIMITS: Final = (12, 8, 3)  # sections, facts and paths that a model is given, at most; set by hand
PASSAGE: Final = 200  # tokens that a section should have, at least, before another one is given; set by hand
SAME: Final = 90  # the likeness of letters, of 100, from which on two passages are one; set by hand
LEAD: Final = 3  # sentences of a label's section of which none was chosen that are given first; set by hand
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
    budget, the fewer sections. Each thing asked about has one before another has two, and of sections that are nearly
    the same the newest is given. Facts and paths have at most half of the budget.

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
    sound = [item for item in material.sections if _first(item) and not instructed(item)]
    sections = covering(_unique(sound))[:most]
    chosen = _fitting(sections, count, budget - spent)
    cut = ((item, _text(item, chosen[place])) for place, item in enumerate(sections) if chosen[place])
    return [*(NumberedEvidence(f"S{number}", text, item) for number, (item, text) in enumerate(cut, 1)), *kept]


def fenced(items: Sequence[NumberedEvidence]) -> str:
    """Write evidence for a prompt, an element each; nothing in it can end the element that it stands in."""
    return "\n".join(_element(item) for item in items)


def covering(sections: Sequence[ScoredSection]) -> list[ScoredSection]:
    """Order sections so that the first ones are, together, about as much of what is asked about as possible."""
    ahead: list[ScoredSection] = []
    for item in sections:
        if not item.naming <= frozenset().union(*(one.naming for one in ahead)):
            ahead.append(item)
    return [*ahead, *(item for item in sections if item not in ahead)]


def _unique(sections: Sequence[ScoredSection]) -> list[ScoredSection]:
    """Leave out sections that nearly say the same of the same, at the place of the first, of which the newest stays."""
    kept: list[ScoredSection] = []
    for item in sections:
        place = next((n for n, one in enumerate(kept) if _says_the_same(one.section, item.section)), None)
        if place is None:
            kept.append(item)
        elif item.section.published > kept[place].section.published:
            kept[place] = item
    return kept


def _says_the_same(one: SectionText, other: SectionText) -> bool:
    from rapidfuzz import fuzz

    of_same = one.title.lower() == other.title.lower() or not set(one.concepts).isdisjoint(other.concepts)
    return of_same and fuzz.ratio(one.text, other.text) >= SAME


def _element(item: NumberedEvidence) -> str:
    about = ""
    if item.section:
        section = item.section.section
        named = {"page": section.title, "heading": section.question or section.heading}
        more = {"form": ", ".join(section.forms).lower(), "from": section.publisher, "date": section.published}
        told = named | {name: value for name, value in more.items() if value}
        about = "".join(f' {name}="{html.escape(value)}"' for name, value in told.items())
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
    first = [(place, one) for place, item in enumerate(sections) for one in _first(item)]
    led = {(place, one.order) for place, one in first}
    others = ((place, one) for place, item in enumerate(sections) for one in item.other_sentences)
    rest = [(place, one) for place, one in others if (place, one.order) not in led]
    for place, one in (*first, *rest):
        cost = (
            count(one.text) + 1 + (0 if chosen[place] else count(_element(NumberedEvidence("S0", "", sections[place]))))
        )
        if cost <= budget:
            chosen[place].add(one.order)
            budget -= cost
    return chosen


def _first(item: ScoredSection) -> Sequence[CandidateSentence]:
    """Give the sentences of a section that are given before others: those chosen, or of a label the lead."""
    if item.section.label and not item.sentences:
        return item.other_sentences[:LEAD]
    return [one.candidate for one in item.sentences]


def _text(item: ScoredSection, orders: set[int]) -> str:
    kept = [one for one in sentences_of(item) if one.order in orders]
    gaps = (_GAP if after.order - before.order > 1 else " " for before, after in itertools.pairwise(kept))
    return "".join(itertools.chain.from_iterable(zip((one.text for one in kept), (*gaps, ""), strict=True)))
