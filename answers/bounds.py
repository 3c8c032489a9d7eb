"""What an answer keeps to: beside an emergency nothing that only comes near, and nothing outside health."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns, small
from ..text import is_english
from .answer import ANSWERED, NOT_ENOUGH_EVIDENCE, Answer
from .reading import EXAMPLE

if TYPE_CHECKING:
    from ..queries.entities import Mention

OUTSIDE: Final = (
    "This does not seem to be about health, and medgraph answers questions on health from what is loaded, such as "
    f"{EXAMPLE}."
)

_TABLE: Final = Path(__file__).with_name("health_words.tsv")
_FAR: Final = 0.08
"""How likely what was found answers, at most, where a question is held to be outside health; chosen on the half dev."""

_FARTHEST: Final = 0.009
"""The same where it has a word that no lexicon of English has, such as a drug's name; chosen on the half dev."""

_FEWEST: Final = 3
"""Words of such a question, at least: a name by itself may be one of health; set by hand."""

_SURE: Final = 0.85
"""How sure a name is from which on it counts: not a short form in small letters (`cars`), nor what is put right."""

_LONGEST: Final = 15
"""Words of a question outside health, at most: who writes more is heard; set by hand."""

_WORD: Final = re.compile(r"[^\W\d_]+")


def bounded(answer: Answer) -> Answer:
    """Keep an answer to what it should say.

    Returns:
        The answer; what to do alone, where it tells of an emergency and nothing answers it; a remark and nothing that
        was found, where the question is not about health.
    """
    if answer.status == ANSWERED and answer.urgent:
        return replace(answer, closest=(), parts=tuple(replace(part, closest=()) for part in answer.parts))
    if answer.status == ANSWERED or answer.remark:
        return answer
    if answer.urgent:
        parts = tuple(replace(part, status=NOT_ENOUGH_EVIDENCE, sentences=()) for part in answer.parts)
        answer = replace(
            answer, status=NOT_ENOUGH_EVIDENCE, sentences=(), evidence=(), parts=parts, ask_back=None, apart=()
        )
    elif is_outside(answer):
        answer = Answer(
            answer.question,
            NOT_ENOUGH_EVIDENCE,
            remark=OUTSIDE,
            timing_ms=answer.timing_ms,
            understood=answer.understood,
            within=answer.within,
        )
    return answer


def is_outside(answer: Answer) -> bool:
    """Tell whether a question is not about health: no name, no word of it is, and nothing that was found comes near.

    Args:
        answer: What there is for an answer.

    Returns:
        Whether it is; in doubt it is not.
    """
    text = small(answer.understood or answer.question)
    words = _WORD.findall(text)
    if not 0 < len(words) <= _LONGEST or any(map(_counts, answer.entities)) or _health().search(" ".join(words)):
        return False
    if all(map(is_english, words)):
        return answer.confidence < _FAR
    return len(words) >= _FEWEST and answer.confidence < _FARTHEST


def _counts(mention: Mention) -> bool:
    """Tell whether a name is one of health: of what texts are about, or neither a topic nor a side effect alone."""
    named = bool(mention.documents) or mention.label not in {"SideEffect", "Topic"}
    return named and mention.similarity >= _SURE


@cache
def _health() -> re.Pattern[str]:
    return read_patterns(_TABLE)["word"]
