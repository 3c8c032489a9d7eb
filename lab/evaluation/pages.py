"""Pages elsewhere that are shown with a question, measured by grades that people gave to pages by their titles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from medgraph.answers.pages import FEATURES, weighed, worth_showing
from medgraph.errors import InputError
from medgraph.progress import progress

from . import logistic
from .sets.grades import MESSAGE, QUESTION
from .statistics import share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medgraph.answers.pages import Page
    from medgraph.queries.retriever import Retriever

    from .sets.grades import PageOf
    from .sets.meqsum import Message

RIDGE: Final = 1.0  # penalty on large weights; of what lies between .1 and 10 none does better on other folds
ANSWERS: Final = 2  # the grade of a page that most likely answers


def evaluate(retriever: Retriever, messages: Sequence[Message], grades: Mapping[PageOf, int]) -> list[dict[str, Any]]:
    """Look for pages elsewhere, and compare those that would be shown with the grades.

    Returns:
        Rows of `asked` (as a short question, or as a message), `questions`, the share with a page that helps (grade 1
        or more) among those graded (`can`), that is shown any (`shown`), and of the graded ones shown the shares of
        first ones that help (`first`) and answer (`answers`), and of all that help (`help`); and of all the share that
        nobody graded.
    """
    found: dict[str, list[tuple[bool, list[int | None]]]] = {QUESTION: [], MESSAGE: []}
    for one, asked, pages in _graded_pages(retriever, messages, grades):
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


def train(retriever: Retriever, messages: Sequence[Message], grades: Mapping[PageOf, int]) -> dict[str, float]:
    """Fit how likely a page helps to the grades: Feature, or `intercept` → weight."""
    rows, labels = [], []
    for one, asked, pages in _graded_pages(retriever, messages, grades):
        for page in pages:
            grade = grades.get((one, asked, page.row["document"]))
            if grade is not None:
                rows.append([page.features[name] for name in FEATURES])
                labels.append(float(grade > 0))
    return logistic.train_named(FEATURES, rows, labels, RIDGE)


def _graded_pages(
    retriever: Retriever, messages: Sequence[Message], grades: Mapping[PageOf, int]
) -> Iterator[tuple[str, str, list[Page]]]:
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
