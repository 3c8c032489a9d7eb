"""Answers to all questions of a file, kept as they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ..errors import InputError, RequestsWaitError
from ..files import KeptLines, json_lines
from ..progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .answer import Answer


class FileQuestion(msgspec.Struct):
    """A line of a file of questions; other fields are left alone."""

    question: str
    id: str | int | None = None


class KeptAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a file of answers, with the way in which it was made."""

    question: str
    way: str
    answer: dict[str, Any]
    id: str | int | None = None


def answer_all(questions: Path, out: Path, way: str, answer_to: Callable[[str], Answer]) -> None:
    """Answer the questions of a file of JSON lines, but for those that `out` has answers to that were made this way.

    Raises:
        InputError: A line of either file cannot be read (nothing is asked then), or questions were refused.
        RequestsWaitError: Answers wait for replies of a batch; the others are kept.
    """
    lines = list(json_lines(questions, FileQuestion, "question"))
    kept = KeptLines(out, KeptAnswer, lambda one: (one.question, one.way), "answer")
    refused: list[str] = []
    waiting = 0
    with progress("answering", "question", len(lines)) as bar:
        for number, one in lines:
            if (one.question, way) not in kept.found:
                try:
                    kept.add(KeptAnswer(one.question, way, answer_to(one.question).as_dict(), one.id))
                except InputError as error:
                    refused.append(f"{questions}:{number}: {error}")
                except RequestsWaitError:
                    waiting += 1
            bar.update(1)
    if refused:
        raise InputError("\n".join([*refused, "the other questions are answered; mend these and run it again"]))
    if waiting:
        raise RequestsWaitError(f"{waiting} answers wait for replies")
