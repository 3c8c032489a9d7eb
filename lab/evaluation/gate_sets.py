"""Chooses the gate's questions and the pages of its graph, by a rule with a seed, when the gate is frozen.

Sets that nothing was chosen by come first. Of each set as many questions with an answer are taken as it has, those
first whose pages are there already or are short, so that some 220 questions and messages share a graph that is built in
minutes. Beside the pages that a grade names stand others about the same subjects, and others about anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from medgraph.loaders import registry
from medgraph.schema.records import Document

from .sets.grades import GOOD, read_grades
from .statistics import number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from .sets.grades import Grades

# Set → its grades and how many of its questions are asked: those of MeQSum also as messages.
SETS: Final = {
    "unseen": ("graded-unseen.tsv", 40),
    "held": ("graded-held.tsv", 20),
    "fresh": ("graded-fresh.tsv", 16),
    "everyday": ("graded-everyday.tsv", 36),
    "missed": ("graded-missed.tsv", 36),
}
# Loader → its file in the folder of data, of which a part is loaded.
PAGES: Final = {
    "medquad": "medquad.zip",
    "pubmedqa": "pubmedqa/pqal_dev.json",
    "disease-tables": "chatdoctor/format_dataset.csv",
}
# Loader → what names a page in its file: a member, a PMID, a disease.
_NAMES: Final[dict[str, Callable[[Any], str]]] = {
    "medquad": lambda row: str(row.file).partition("!/")[2],
    "pubmedqa": lambda row: str(row.record.id).partition(":")[2],
    "disease-tables": lambda row: str(row.record.title),
}
# Pages beside those that grades name: about the same subjects, and about anything.
SAME: Final = 30
OTHERS: Final = 120
LONGEST: Final = 8_000  # characters of a page that is not named


@dataclass(frozen=True, slots=True)
class Page:
    """A document that could be in the graph."""

    id: str
    source: str  # a key of `PAGES`
    file: str
    size: int
    subject: str  # what it is about; empty where nothing says


@dataclass(frozen=True, slots=True)
class GateSelection:
    """What the gate asks, and of what."""

    questions: Mapping[str, Sequence[str]]  # set → ids of its questions
    files: Mapping[str, Sequence[str]]  # a key of `PAGES` → what names its pages there


def grades_of(folder: Path) -> dict[str, Grades]:
    """Read the grades of all sets: Set → its grades."""
    return {name: read_grades(folder / file) for name, (file, _) in SETS.items()}


def pages_of(data: Path) -> dict[str, Page]:
    """Read which pages there are: Id → page."""
    pages = {}
    for source, file in PAGES.items():
        loader = registry.get(source)
        for item in loader.records(data / file, **({"name": "chatdoctor"} if loader.names_parts else {})):
            one = getattr(item, "record", None)
            if isinstance(one, Document):
                size = sum(len(section.text) for section in one.sections)
                pages[one.id] = Page(one.id, source, _NAMES[source](item), size, "".join(one.about[:1]))
    return pages


def choose(grades: Mapping[str, Grades], pages: Mapping[str, Page]) -> GateSelection:
    """Choose questions and pages."""
    named: set[str] = set()
    questions: dict[str, list[str]] = {name: [] for name in grades}
    wanted = {name: min(SETS[name][1], len(grades[name])) for name in grades}
    while short := [name for name in grades if len(questions[name]) < wanted[name]]:
        name = min(short, key=lambda each: len(questions[each]) / wanted[each])
        question = _next(grades[name], questions[name], named, pages)
        questions[name].append(question)
        named |= _pages_named(grades[name][question], pages)
    files: dict[str, list[str]] = {source: [] for source in PAGES}
    for page in sorted(named | _distractors(named, pages)):
        files[pages[page].source].append(pages[page].file)
    return GateSelection({name: sorted(ids) for name, ids in questions.items()}, files)


def _next(grades: Grades, taken: Sequence[str], named: set[str], pages: Mapping[str, Page]) -> str:
    """Choose the question that adds least, of those with an answer while fewer are taken than the set has."""
    good = {question for question, given in grades.items() if max(given.values()) >= GOOD}
    lacking = len(good.intersection(taken)) < len(good) / len(grades) * (len(taken) + 1)
    left = [question for question in grades if question not in taken]
    pool = [question for question in left if (question in good) == lacking] or left

    def added(question: str) -> tuple[int, int]:
        return sum(pages[page].size for page in _pages_named(grades[question], pages) - named), number(question)

    return min(pool, key=added)


def _pages_named(sections: Iterable[str], pages: Mapping[str, Page]) -> set[str]:
    return {page for section in sections if (page := section.partition("#")[0]) in pages}


def _distractors(named: set[str], pages: Mapping[str, Page]) -> set[str]:
    subjects = {pages[page].subject for page in named} - {""}
    others = [page for page in pages.values() if page.id not in named and page.size <= LONGEST]
    others.sort(key=lambda page: number(f"{page.id} beside"))
    same = [page.id for page in others if page.size and page.subject in subjects][:SAME]
    return {*same, *[page.id for page in others if page.subject not in subjects][:OTHERS]}
