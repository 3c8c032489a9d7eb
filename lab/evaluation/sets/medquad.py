"""Development questions made from the graph itself.

MedQuAD's collections ask the same of the same diseases in their own documents, so the answer of one collection is a
relevance judgement for the question of another. Its questions are templates that name the disease as its page does;
people do not. Each therefore comes in three styles: as the source asks it, in everyday words with one of the disease's
synonyms, and like that with a slip of the finger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from medgraph.errors import InputError
from medgraph.graph import catalogue

from ..retrieval import Case, but, measure
from ..retrieval import results as results_of
from ..statistics import number, part_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medgraph.graph.database import Database

    from ..retrieval import Bench, SearchResult

STYLES: Final = ("source", "everyday", "misspelt")

_EVERYDAY: Final[dict[str, tuple[str, ...]]] = {
    "information": (
        "My doctor mentioned {x}. Can you tell me more about it?",
        "I have never heard of {x}, could someone explain it?",
        "I was just diagnosed with {x} and want to understand it.",
    ),
    "symptoms": (
        "How would I know that I have {x}?",
        "My son might have {x}, what should I look out for?",
        "What does {x} feel like?",
    ),
    "treatment": (
        "Is there anything that can be done for {x}?",
        "My mother has {x}. Which therapies could help her?",
        "Can {x} be cured?",
    ),
    "causes": ("Why do people get {x}?", "Where does {x} come from?", "How did my daughter get {x}?"),
    "exams and tests": (
        "How can a doctor tell whether it is {x}?",
        "Which tests are there for {x}?",
        "My father is being checked for {x}, how is that done?",
    ),
    "outlook": ("How long can someone live with {x}?", "What is the future for a person with {x}?"),
    "prevention": ("How can I keep from getting {x}?", "Can {x} be avoided?"),
    "susceptibility": ("Who gets {x}?", "Am I likely to get {x}?"),
    "inheritance": ("Does {x} run in families?", "Will my children get {x} from me?"),
    "genetic changes": ("Which gene is behind {x}?",),
    "frequency": ("How common is {x}?", "How many people have {x}?"),
    "complications": ("What can {x} lead to?",),
    "research": ("Are there any trials for {x} I could join?",),
    "stages": ("How far advanced can {x} be?",),
    "considerations": ("How should someone live with {x}?",),
}


@dataclass(frozen=True, slots=True)
class DevQuestion:
    """A question with what is known to answer it."""

    id: str
    text: str
    type: str
    name: str
    collection: str  # the collection it is from; its own sections do not count as results
    relevant: frozenset[str]


def dev_questions(database: Database, style: str, sample: int, *, part: str = "dev") -> list[DevQuestion]:
    """Make development questions from MedQuAD as it is in the graph."""
    rows = database.read(catalogue.get("cross_source_questions"), source="medquad")
    if not rows:
        raise InputError("the questions are made from MedQuAD, which the graph lacks; run: medgraph load medquad PATH")
    mine = [row for row in rows if part_of(row["name"].lower()) == part]
    mine.sort(key=lambda row: number(row["id"]))
    return [
        DevQuestion(
            id=row["id"],
            text=in_style(row["question"], row["type"], [row["name"], *row["synonyms"]], style, number(row["id"])),
            type=row["type"],
            name=row["name"],
            collection=row["collection"],
            relevant=frozenset(row["relevant"]),
        )
        for row in mine[:sample]
    ]


def in_style(question: str, kind: str, names: Sequence[str], style: str, seed: int) -> str:
    """Ask in a style."""
    patterns = _EVERYDAY.get(kind)
    if style == "source" or not patterns:
        return question
    text = patterns[seed % len(patterns)].format(x=names[seed // 7 % len(names)])
    return _misspelt(text, names[seed // 7 % len(names)], seed) if style == "misspelt" else text


def _misspelt(text: str, name: str, seed: int) -> str:
    """Swap two letters, drop one or double one inside the name's longest word."""
    longest = max(name.split(), key=len)
    if len(longest) < 5:
        return text
    at = 1 + seed // 11 % (len(longest) - 3)
    slips = (
        longest[:at] + longest[at + 1] + longest[at] + longest[at + 2 :],
        longest[:at] + longest[at + 1 :],
        longest[:at] + longest[at] + longest[at:],
    )
    return text.replace(longest, slips[seed // 13 % 3].lower(), 1)


def results(bench: Bench) -> Iterator[SearchResult]:
    """Measure every way on every style; results of a question's own collection do not count."""
    searched = but("messages")
    for style in STYLES:
        cases = [
            Case(one.id, one.text, one.relevant, but=one.collection)
            for one in dev_questions(bench.database, style, bench.sample, part=bench.part)
            if one.relevant
        ]
        rows = measure(bench, f"MedQuAD, {style}", cases, searched, "ndcg@10")
        yield from results_of("medquad", style, rows, "ndcg@10")
