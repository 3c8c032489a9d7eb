"""A dialogue that is going on: what was asked so far, and what was asked back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .dialogue import LONGEST_PREVIOUS, MOST_PREVIOUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..queries.filters import Filters
    from .answer import Answer, Reply
    from .answerer import Answerer


def carried(previous: Sequence[str], answer: Answer | None) -> tuple[str, ...]:
    """Give what comes along with the next question.

    Args:
        previous: What came along with this one.
        answer: The answer; None where there is none.

    Returns:
        The questions so far, oldest first, with this one unless it was none; no more and no longer ones than may come
        along. Who asks again what was asked before goes back to there.
    """
    kept = [question for question in previous if len(question) <= LONGEST_PREVIOUS]
    if answer is not None and answer.understood and not answer.remark:
        if answer.understood in kept:
            kept = kept[: kept.index(answer.understood)]
        kept.append(answer.understood)
    return tuple(kept[-MOST_PREVIOUS:])


class Conversation:
    """What somebody asks, turn by turn.

    Args:
        answerer: Answers questions.
        filters: What evidence of all answers may be.
    """

    def __init__(self, answerer: Answerer, filters: Filters | None = None) -> None:
        self._answerer = answerer
        self._filters = filters
        self._previous: tuple[str, ...] = ()
        self._replies: tuple[Reply, ...] = ()

    def say(self, text: str) -> Answer:
        """Answer a turn.

        Args:
            text: What a user typed; a number stands for one of the replies that were offered last.

        Returns:
            The answer.

        Raises:
            InputError: The text cannot be used.
            DatabaseError: The database refused or went away.
        """
        number = text.strip().rstrip(".")
        if number.isdecimal() and 0 < int(number[:9]) <= len(self._replies):
            text = self._replies[int(number[:9]) - 1].question
        answer = self._answerer.ask(text, self._filters, previous=self._previous)
        self._previous = carried(self._previous, answer)
        self._replies = answer.ask_back.replies if answer.ask_back else ()
        return answer
