"""Answers to real questions, measured by grades that people gave to sections by reading them.

The questions are MeQSum's: long messages of consumers, each with the short question that an expert made of it; a
section that answers one answers the other. What answers is graded before any score is seen; sections that nobody graded
count as wrong, and are told apart.

Questions of MEDIQA 2019, task 3, are measured by what experts said of the sections that are quoted. Each is asked three
times: of all answers of MEDIQA, of all but those that were graded for it, and of all but those that were graded for any
question about the same. What is left the second time is at most related by MEDIQA's word, but MEDIQA asks up to five
things of a disease, and nobody looked whether a page that was found for one of them answers another: that share is an
upper bound. What is left the third time answers nothing. Nothing is fitted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.answer import ANSWERED, RELATED
from medgraph.answers.answerer import Answerer
from medgraph.answers.signs import FEATURES, KINDS, LEVELS
from medgraph.errors import InputError
from medgraph.progress import progress
from medgraph.queries.retriever import CANDIDATES, Retriever

from . import logistic
from .sets.grades import GOOD, NEAR
from .sets.mediqa import styles
from .statistics import share

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from medgraph.answers.answer import Answer
    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.embeddings.reranking import SentenceReader
    from medgraph.graph.database import Database, Row
    from medgraph.queries.entities import LinkerOf, Mention
    from medgraph.queries.question import Question

    from .abstention import Case
    from .sets.grades import Grades
    from .sets.mediqa import JudgedQuestion
    from .sets.meqsum import Message

_CHUNKS: Final = 4  # passages more that are looked at for each section that is left out; set by hand

RIDGE: Final = 0.3
WORST, BEST = 1, 4
# What questions made from MedQuAD count beside real ones, in all; chosen by cross-validation on the half dev.
MADE: Final = 0.1
_LEAST: Final = {"answers": GOOD, "related": NEAR}


class SeparateRetriever(Retriever):
    """Searches a graph apart for questions that are made with the names of the user's."""

    def __init__(
        self,
        database: Database,
        encoder: Callable[[], TextEncoder],
        linker: LinkerOf,
        mentions: Callable[[str], list[Mention]],
    ) -> None:
        super().__init__(database, encoder, linker)
        self._mentions = mentions
        self.hidden: Collection[str] = ()

    def named(self, text: str, *_: object, **__: object) -> list[Mention]:
        """Find the entities of the user's graph that a question names, whatever filters and linker are given."""
        return self._mentions(text)

    def candidates(self, question: Question, fetch: int = CANDIDATES) -> list[Row]:
        """Find what may answer a question, without sections that are hidden."""
        rows = super().candidates(question, fetch + _CHUNKS * len(self.hidden))
        return [row for row in rows if row["section"] not in self.hidden]


def ask(
    questions: Sequence[JudgedQuestion],
    searching: SeparateRetriever,
    encoder: Callable[[], TextEncoder],
    sentence_reader: Callable[[], SentenceReader | None] = lambda: None,
) -> list[dict[str, Any]]:
    """Ask every question, with its own answers, without them, and without all about the same.

    Returns:
        Rows, one a style, as `graded.evaluate` has them; `false` is the share answered without its own sections, and
        `false afar` and `related afar` are the shares answered and related without those of all about the same.
    """
    answerer = Answerer(searching, encoder, sentence_reader=sentence_reader)
    nothing, own = [frozenset[str]()] * len(questions), [frozenset(judged.grades) for judged in questions]
    came: list[list[dict[str, Any]]] = []
    with progress("asking", "question", 3 * len(questions)) as bar:
        for hidden in (nothing, own, about_the_same(questions, searching)):
            came.append([])
            for judged, searching.hidden in zip(questions, hidden, strict=True):
                came[-1].append(case_of(answerer.ask(judged.text), judged.grades))
                bar.update(1)
    return table(questions, *came)


def table(
    questions: Sequence[JudgedQuestion],
    given: Sequence[Mapping[str, Any]],
    without: Sequence[Mapping[str, Any]],
    afar: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Sum up what came of the questions with their own sections, without them, and without all about the same."""
    rows = []
    for style, places in styles(questions).items():
        answered, apart = (np.array([case["status"] == ANSWERED for case in some]) for some in (without, afar))
        related = np.array([case["status"] == RELATED for case in afar])
        mine = summary([case for case, is_of in zip(given, places, strict=True) if is_of])
        mine["false"] = float(answered[places].mean())
        more = {"false afar": float(apart[places].mean()), "related afar": float(related[places].mean())}
        rows.append({"style": style} | mine | more)
    return rows


def about_the_same(questions: Sequence[JudgedQuestion], searching: SeparateRetriever) -> list[frozenset[str]]:
    """Find what was graded for questions about the same: those that name the same, or share a graded section."""
    names = [{mention.entity for mention in searching.named(judged.text)} for judged in questions]
    graded = [frozenset(judged.grades) for judged in questions]
    return [
        frozenset[str]().union(
            *(theirs for other, theirs in zip(names, graded, strict=True) if own & other or mine & theirs)
        )
        for own, mine in zip(names, graded, strict=True)
    ]


def graded_messages(messages: Sequence[Message], grades: Grades) -> list[Message]:
    """Keep the messages that have grades."""
    kept = [one for one in messages if one.id in grades]
    if not kept:
        raise InputError("the grades are of none of these messages; give the table of MeQSum that they were made from")
    return kept


def evaluate(answerer: Answerer, messages: Sequence[Message], grades: Grades) -> list[dict[str, Any]]:
    """Answer short questions and messages, and compare what is quoted with the grades.

    Returns:
        Rows of `asked` (`question` or `message`), `questions`, `answerable` (the share with a section of grade 3 or 4),
        `answered`, `related` (shares of all), `right` (of those answered, the share that quotes a section of grade 3 or
        4 first), `ungraded` (the share whose first section nobody graded), `near` (of those answered or related, the
        share with a first section of grade 2 or more), `helpful` (of the answerable ones, the share that quotes a
        section of grade 3 or 4, answered or related) and `false` (of the others, the share answered).
    """
    rows = []
    with progress("asking", "question", len(KINDS) * len(messages)) as bar:
        for kind in KINDS:
            cases = []
            for one in messages:
                if text := text_of(one, kind):
                    cases.append(case_of(answerer.ask(text), grades[one.id]))
                bar.update(1)
            if cases:
                rows.append({"asked": kind} | summary(cases))
    return rows


def text_of(message: Message, kind: str) -> str:
    """Give what is asked."""
    return message.short if kind == "question" else message.text


def case_of(answer: Answer, grades: Mapping[str, int]) -> dict[str, Any]:
    """Compare an answer with grades; `first` is the grade of what is quoted first, None where nobody graded it."""
    cited = [citation.section for sentence in answer.sentences for citation in sentence.citations]
    return {
        "answerable": max(grades.values()) >= GOOD,
        "status": answer.status,
        "first": grades.get(cited[0]) if cited else None,
        "best": max((grades.get(section, 0) for section in cited), default=0),
    }


def summary(cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Sum up what `case_of` gave of questions."""
    answered = [case for case in cases if case["status"] == ANSWERED]
    shown = [case for case in cases if case["status"] in {ANSWERED, RELATED}]
    answerable = [case for case in cases if case["answerable"]]
    others = [case for case in cases if not case["answerable"]]
    return {
        "questions": len(cases),
        "answerable": share([case["answerable"] for case in cases]),
        "answered": len(answered) / len(cases),
        "related": (len(shown) - len(answered)) / len(cases),
        "right": share([(case["first"] or 0) >= GOOD for case in answered]),
        "near": share([(case["first"] or 0) >= NEAR for case in shown]),
        "ungraded": share([case["first"] is None for case in shown]),
        "helpful": share([case["best"] >= GOOD for case in answerable]),
        "false": share([case["status"] == ANSWERED for case in others]),
    }


def train(
    answerer: Answerer, messages: Sequence[Message], grades: Grades, made: Sequence[Case]
) -> dict[str, dict[str, float]]:
    """Fit how likely sections answer, or are related, to their grades: kind and level → feature → weight."""
    found: dict[str, list[tuple[list[float], int]]] = {kind: [] for kind in (*KINDS, "made")}
    with progress("weighing", "question", len(KINDS) * len(messages) + len(made)) as bar:
        for one in messages:
            for kind in KINDS:
                if text := text_of(one, kind):
                    found[kind] += _described(answerer, text, grades[one.id])
                bar.update(1)
        for case in made:
            known = dict.fromkeys(case.relevant, BEST)
            found["made"] += _described(answerer, case.text, known, 0 if case.relevant else WORST)
            bar.update(1)
    weights = {}
    for kind in KINDS:
        others = found["made"] if kind == "question" else []
        counts = [1.0] * len(found[kind]) + [MADE * len(found[kind]) / max(1, len(others))] * len(others)
        if not found[kind]:
            raise InputError("no section that has a grade was found; give more grades, of sections in the graph")
        rows, grades_of = zip(*found[kind], *others, strict=True)
        for level in LEVELS:
            labels = [float(grade >= _LEAST[level]) for grade in grades_of]
            weights[f"{kind} {level}"] = logistic.train_named(FEATURES, rows, labels, RIDGE, counts)
    return weights


def _described(
    answerer: Answerer, text: str, grades: Mapping[str, int], otherwise: int = 0
) -> list[tuple[list[float], int]]:
    """Describe the sections that are found for a question, with their grades; those that have none are left out."""
    found = [(item, grades.get(item.section.section, otherwise)) for item in answerer.evidence(text) if item.sentences]
    return [([item.features[name] for name in FEATURES], grade) for item, grade in found if grade]
