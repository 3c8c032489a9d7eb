"""What was typed is understood: an emergency, a turn of a dialogue, what it is about, and whether to answer it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ..queries.filters import Filters
from ..queries.message import brief
from .answer import NOT_ENOUGH_EVIDENCE, Answer
from .composers.composer import no_model
from .emergencies import urgent_in
from .model_reading import ModelReading
from .offers import ask_back
from .reading import plainly, remark_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..progress import Clock
    from ..queries.question import Question
    from ..queries.retriever import Retriever

UNFILTERED: Final = "Filters choose documents, and answers from relations rest on none: leave the filters out."


@dataclass(frozen=True, slots=True)
class Understood:
    """What was typed, understood.

    Attributes:
        answer: What is known of the answer so far; with a remark where there will be none.
        question: What is asked.
        whole: The same, whole by itself.
        reading: What a language model reads of it.
    """

    answer: Answer
    question: Question
    whole: str
    reading: ModelReading


def understand(
    retriever: Retriever,
    load_reading: Callable[[], ModelReading],
    text: str,
    filters: Filters | None,
    previous: Sequence[str],
    clock: Clock,
    *,
    graph: bool = False,
) -> Understood:
    """Understand what was typed.

    Args:
        load_reading: Gives what lets a language model read; none reads in an emergency.
        previous: Earlier questions of the same dialogue, oldest first.
        graph: Whether relations alone are to answer.

    Raises:
        InputError: The text, an earlier one or a filter cannot be used.
    """
    urgent = urgent_in(text) or urgent_in("\n".join((*previous[-1:], text)))
    reading = ModelReading(no_model) if urgent else load_reading()
    with clock.step("understand"):
        whole = plainly(_completed(retriever, reading, text, previous) if previous else text)
        question, remark = retriever.question(whole, filters), remark_on(whole)
        remark = remark or (UNFILTERED if graph and filters not in {None, Filters()} else "")
        answer = Answer(text, NOT_ENOUGH_EVIDENCE, urgent=urgent, remark=remark, understood=brief(whole))
        if not remark:
            answer = replace(
                answer,
                entities=question.mentions,
                intent=question.intent,
                intents=question.intents,
                ask_back=ask_back(retriever, question),
            )
    return Understood(answer, question, whole, reading)


def _completed(retriever: Retriever, reading: ModelReading, text: str, previous: Sequence[str]) -> str:
    """Make a turn of a dialogue whole."""
    from .dialogue import understood

    by_rules = understood(text, previous, retriever.mentions)
    return reading.turn(text, previous) or by_rules
