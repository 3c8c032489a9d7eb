"""Interprets a typed message: emergency, turn of a dialogue, subject, and the decision to answer or decline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns
from ..queries.filters import Filters
from ..queries.message import brief
from ..queries.question import without_background
from ..schema.languages import KINDS, WEIGHTS, foreign_to, weights, words_of
from .answer import NOT_ENOUGH_EVIDENCE, Answer
from .outline import with_text
from .part_answers import EXAMPLE
from .populations import find_populations

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..progress import Clock
    from ..queries.question import Question
    from ..queries.retriever import Retriever
    from .emergencies import Emergencies
    from .model_reading import ModelReading
    from .populations import Population

_RULES: Final = read_patterns(Path(__file__).with_name("understanding.tsv"))
_GREETING, _THANKS, _ASSENT, _KIND, _REPLY = KINDS
_SURE: Final = WEIGHTS["sure"]


# What is said of a text that is no more than that.
_REMARKS: Final = {
    _THANKS: f"You are welcome! Ask what else you want to know about health, such as {EXAMPLE}.",
    _REPLY: f"This chooses nothing that was offered, and asks nothing. Ask in words, such as {EXAMPLE}.",
    _ASSENT: f"All right. Ask what else you want to know about health, such as {EXAMPLE}.",
    _GREETING: f"Hello! Ask a question about health, such as {EXAMPLE}.",
    _KIND: f"This does not say of what. Name the disease, the drug or the symptom, too, such as {EXAMPLE}.",
}


def plainly(text: str) -> str:
    """Leave out of a question how it should be answered, and take what is asked as an afterthought into it.

    `What is gout in simple words?` is `What is gout?`, and `Can it cause a rash? Or hives?` is `… a rash or hives?`.
    """
    asked = _RULES["how"].sub("", text)
    asked = asked if asked.strip(" ?.!") else text
    return _RULES["and too"].sub(lambda found: f" {found['joined'].lower()} {found['thing']}?", asked)


def remark_on(text: str) -> str:
    """Say why a text is not answered, where it is no question in English about something; empty in doubt."""
    if foreign := foreign_to(text):
        return foreign
    words = words_of(text)
    if _RULES["number"].fullmatch(text):
        return _REMARKS[_REPLY]
    return next((remark for kind, remark in _REMARKS.items() if _is_only(kind, words)), "")


def _is_only(kind: str, words: Sequence[str]) -> bool:
    """Tell whether all words of a text are of a kind, and one at least is so for sure."""
    known = weights()[kind]
    return all(word in known for word in words) and any(known[word] == _SURE for word in words)


UNFILTERED: Final = "Filters choose documents, and answers from relations rest on none: leave the filters out."


@dataclass(frozen=True, slots=True)
class Understood:
    """What was typed, understood."""

    answer: Answer  # what is known of the answer so far; with a remark where there will be none
    question: Question  # what is asked
    whole: str  # the same, whole by itself
    reading: ModelReading | None  # what a language model reads of it; None where rules read all
    populations: tuple[Population, ...] = ()  # for whom it is asked, where an answer for everybody may be wrong


def understand(
    retriever: Retriever,
    load_reading: Callable[[], ModelReading | None],
    emergencies: Emergencies,
    text: str,
    filters: Filters | None,
    previous: Sequence[str],
    clock: Clock,
    *,
    graph: bool = False,
) -> Understood:
    """Understand what was typed, after the earlier questions of a dialogue (`previous`), oldest first.

    Args:
        load_reading: Gives what lets a language model read; none reads in an emergency.
    """
    said = "" if (remark := remark_on(text)) in _REMARKS.values() else text
    urgent = emergencies.urgent_in(said, previous)
    reading = None if urgent else load_reading()
    with clock.step("understand"):
        # Who tells of an emergency speaks of that, and of nothing that was asked before.
        is_turn = previous and not (urgent and emergencies.urgent_in(said))
        whole = plainly(_completed(retriever, reading, text, previous, filters) if is_turn else text)
        question = without_background(retriever.question(whole, filters))
        remark = remark if whole == text else remark_on(whole)
        remark = remark or (UNFILTERED if graph and filters not in {None, Filters()} else "")
        answer = Answer(
            text, NOT_ENOUGH_EVIDENCE, notice=emergencies.notice, urgent=urgent, remark=remark, understood=brief(whole)
        )
        if not remark:
            from .offers import ask_back

            answer = replace(
                answer,
                entities=question.mentions,
                intent=question.intent,
                intents=question.intents,
                ask_back=ask_back(retriever, question),
            )
        populations = () if remark else find_populations(whole, question.mentions, previous, question.asks)
    return Understood(answer, question, whole, reading, populations)


UNREACHED: Final = "Nothing was looked up, as the service cannot answer now."


def first_steps(emergencies: Emergencies, text: str, previous: Sequence[str] = ()) -> Answer | None:
    """Say what to do first in an emergency that a message tells of, where nothing can be looked up; else None."""
    if not (urgent := emergencies.urgent_in(text, previous)):
        return None
    answer = Answer(text, NOT_ENOUGH_EVIDENCE, notice=emergencies.notice, urgent=urgent, remark=UNREACHED)
    return with_text(replace(answer, understood=brief(text)))


def _completed(
    retriever: Retriever, reading: ModelReading | None, text: str, previous: Sequence[str], filters: Filters | None
) -> str:
    from .dialogue import understood

    by_rules = understood(text, previous, partial(retriever.named, filters=filters))
    return (reading.turn(text, previous) if reading else None) or by_rules
