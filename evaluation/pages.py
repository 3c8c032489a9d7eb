"""Pages elsewhere that are shown with a question, measured by grades that people gave to pages by their titles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..answers.helping import INTERCEPT
from ..answers.pages import FEATURES, weighed, worth_showing
from ..errors import InputError, SourceFileError
from ..files import table_lines
from ..progress import progress
from . import logistic
from .statistics import share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from ..answers.pages import Page
    from ..queries.retriever import Retriever
    from .messages import Message

    Graded = tuple[str, str, str]
    """A question's id, as what it is asked, and a page's id."""

QUESTION: Final = "question"
MESSAGE: Final = "message"
RIDGE: Final = 1.0
"""Penalty on large weights; of what lies between .1 and 10 none does better on other folds."""

ANSWERS: Final = 2
"""The grade of a page that most likely answers."""

_GRADES: Final = frozenset("012")


def read(path: Path) -> dict[Graded, int]:
    """Read grades of pages.

    Returns:
        Page of a question → grade.

    Raises:
        SourceFileError: A line is not of the form.
    """
    grades = {}
    for number, line in table_lines(path):
        match line.split("\t"):
            case [question, asked, page, grade] if asked in {QUESTION, MESSAGE} and grade in _GRADES:
                grades[question, asked, page] = int(grade)
            case _:
                told = "write the line as question<TAB>question or message<TAB>page<TAB>grade from 0 to 2"
                raise SourceFileError(told, path, number)
    return grades


def evaluate(retriever: Retriever, messages: Sequence[Message], grades: Mapping[Graded, int]) -> list[dict[str, Any]]:
    """Look for pages elsewhere, and compare those that would be shown with the grades.

    Returns:
        Rows of `asked` (as a short question, or as a message), `questions`, the share with a page that helps (grade 1
        or more) among those graded (`can`), that is shown any (`shown`), and of the graded ones shown the shares of
        first ones that help (`first`) and answer (`answers`), and of all that help (`help`); and of all the share that
        nobody graded.
    """
    found: dict[str, list[tuple[bool, list[int | None]]]] = {QUESTION: [], MESSAGE: []}
    for one, asked, pages in _asked(retriever, messages, grades):
        can = any(grade for (question, form, _), grade in grades.items() if (question, form) == (one, asked))
        shown = [grades.get((one, asked, page.row["document"])) for page in worth_showing(pages)]
        found[asked].append((can, shown))
    return [{"asked": asked, **_summary(told)} for asked, told in found.items() if told]


def _summary(told: Sequence[tuple[bool, Sequence[int | None]]]) -> dict[str, Any]:
    every = [grade for _, shown in told for grade in shown]
    first = [shown[0] for _, shown in told if shown and shown[0] is not None]
    return {
        "questions": len(told),
        "can": share([can for can, _ in told]),
        "shown": share([bool(shown) for _, shown in told]),
        "first": share([grade > 0 for grade in first]),
        "answers": share([grade == ANSWERS for grade in first]),
        "help": share([grade > 0 for grade in every if grade is not None]),
        "ungraded": share([grade is None for grade in every]),
    }


def fit(retriever: Retriever, messages: Sequence[Message], grades: Mapping[Graded, int]) -> dict[str, float]:
    """Fit how likely a page helps to the grades.

    Returns:
        Feature, or `intercept` → weight.

    Raises:
        InputError: The grades are of none of the messages.
    """
    rows, labels = [], []
    for one, asked, pages in _asked(retriever, messages, grades):
        for page in pages:
            grade = grades.get((one, asked, page.row["document"]))
            if grade is not None:
                rows.append([page.features[name] for name in FEATURES])
                labels.append(float(grade > 0))
    if not 0 < sum(labels) < len(labels):
        raise InputError("the graded pages that are found all help, or none does: grade more of them")
    weights = logistic.fit(np.array(rows), np.array(labels), np.ones(len(labels)), RIDGE)
    return dict(zip((*FEATURES, INTERCEPT), map(float, weights), strict=True))


def _asked(
    retriever: Retriever, messages: Sequence[Message], grades: Mapping[Graded, int]
) -> Iterator[tuple[str, str, list[Page]]]:
    """Ask each graded question as it was graded."""
    forms = {(question, asked) for question, asked, _ in grades}
    texts = [
        (one.id, asked, text)
        for one in messages
        for asked, text in ((QUESTION, one.short), (MESSAGE, one.text))
        if (one.id, asked) in forms
    ]
    if not texts:
        raise InputError("no message has grades: the tables of messages and of grades are not of the same questions")
    with progress("asking", "question", len(texts)) as bar:
        for question, asked, text in texts:
            yield question, asked, weighed(retriever, retriever.question(text))
            bar.update(1)
