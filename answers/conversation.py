"""A dialogue that is going on: what was asked so far, and what was asked back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..queries.message import LONGEST_PREVIOUS
from .dialogue import MOST_PREVIOUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..queries.filters import Filters
    from .answer import Answer
    from .answerer import Answerer


def carried(previous: Sequence[str], answer: Answer | None) -> tuple[str, ...]:
    """Give the questions that come along with the next one, oldest first: those so far, and this one if it was any.

    No more and no longer ones than may come along; who asks again what was asked before goes back to there.
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
        filters: What evidence of all answers may be.
    """

    def __init__(self, answerer: Answerer, filters: Filters | None = None) -> None:
        self._answerer = answerer
        self._filters = filters
        self._previous: tuple[str, ...] = ()
        self._offered: tuple[str, ...] = ()

    def say(self, text: str) -> Answer:
        """Answer a turn; a number stands for one of the questions that were offered last.

        Raises:
            InputError: The text cannot be used.
        """
        number = text.strip().rstrip(".")
        if number.isdecimal() and 0 < int(number[:9]) <= len(self._offered):
            text = self._offered[int(number[:9]) - 1]
        answer = self._answerer.ask(text, self._filters, previous=self._previous)
        self._previous = carried(self._previous, answer)
        if not answer.remark:
            replies = answer.ask_back.replies if answer.ask_back else ()
            self._offered = tuple(reply.question for reply in replies) or answer.follow_ups
        return answer
