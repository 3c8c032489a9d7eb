"""The section type that a question asks for: symptoms, treatment, causes and so on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_PATTERNS: Final[tuple[tuple[str, str], ...]] = (
    ("side effects", r"side effects?|adverse (?:effects?|reactions?)"),
    (
        "complications",
        r"complications?|lead to|harms?\b|(?:damage|hurt|affect|bad for|effects? on) (?:my|your|the|his|her)\b|"
        r"long[- ]term effects?|what (?:can|could|may) (?:happen|go wrong)",
    ),
    (
        "prevention",
        r"prevent\w*|avoid(?:ing)? (?:getting|catching)|protect (?:myself|yourself|against)|lower (?:my|the) risk",
    ),
    (
        "exams and tests",
        r"diagnos(?:is|es|ed(?! with)|e|ing|tics?)\b|tests?\b(?! positive)|tested|detect\w*|"
        r"screen(?:ing|ed)?|how (?:do|can) (?:i|you) (?:know|tell)",
    ),
    (
        "treatment",
        r"treat\w*|cures?|cured|curable|therap\w+|remed(?:y|ies)|manag(?:e|ed|ing|ement)|get rid of|relie(?:f|ve)|"
        r"what (?:can|should|do|to) (?:i |we |you )?(?:do|take) (?:for|about|against)|medic(?:ine|ation)s? for",
    ),
    ("inheritance", r"inherit\w*|hereditary(?! \w)|run in (?:the |my )?famil\w+|passed (?:on|down)"),
    ("genetic changes", r"genetic changes|genes?\b(?! therap)|mutations?|genetics?\b(?! (?:test|cause))"),
    (
        "susceptibility",
        r"risk factors?|at (?:higher |increased )?risk|who (?:gets|is likely|can get|is affected)|more likely to",
    ),
    ("symptoms", r"symptoms?|signs?\b|feels? like|look(?:s)? like|warning sign"),
    (
        "causes",
        r"caus(?:e|es|ed|ing)\b(?! by (?!what))|caused by\W*$|why (?:do|does|did|am|is|are)|reasons? for|"
        r"due to\W*$|comes? from|how (?:do|does) (?:\w+ ){1,4}get\b|contagious|spread|transmi\w+",
    ),
    ("outlook", r"outlook|prognosis|life expectancy|surviv\w+|how long (?:will|do|does|can)|fatal|die from|deadly"),
    ("frequency", r"how (?:common|many people|often does)|prevalence|incidence|rare\b"),
    ("stages", r"(?:the|what|which|different) stages?\b|stages of|staging"),
    ("research", r"clinical trials?|research"),
    ("usage", r"how (?:should|do) i (?:take|use)"),
    ("dose", r"dos(?:e|es|age)"),
    ("information", r"^\W*what(?:'s| is| are)|\bdefin\w+|tell me about|explain|information (?:on|about)|meaning of"),
)
_COMPILED: Final = tuple((name, re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE)) for name, pattern in _PATTERNS)


_KEYWORDS: Final = (
    "symptoms treatment treatments diagnosed diagnosis causes complications prevention prevented prevent prognosis "
    "inherited hereditary genetic surgery medicine effects research stages dosage"
).split()
MIN_KEYWORD: Final = 82.0
_GENERAL: Final = "information"


def find_intents(question: str) -> tuple[str, ...]:
    """Find the section types that a question asks for, its key words misspelt or not.

    Args:
        question: What a user typed.

    Returns:
        Section types, the plainest first; none when the question does not say. What something is counts only where
        nothing else is asked.
    """
    return _matched(question) or _matched(_corrected(question))


def in_order(question: str, intents: Iterable[str]) -> list[str]:
    """Put section types in the order in which a question asks for them.

    Args:
        question: What a user typed.
        intents: The types.

    Returns:
        The types; those whose key words are misspelt come last.
    """
    patterns = dict(_COMPILED)
    places = {name: found.start() for name in intents if (found := patterns[name].search(question))}
    return sorted(intents, key=lambda name: places.get(name, len(question)))


def _matched(question: str) -> tuple[str, ...]:
    found = [name for name, pattern in _COMPILED if pattern.search(question)]
    return tuple(name for name in found if name != _GENERAL or len(found) == 1)


def _corrected(question: str) -> str:
    """Replace words by key words that they all but are."""
    from rapidfuzz import fuzz, process

    words = []
    for word in question.lower().split():
        near = (
            process.extractOne(word, _KEYWORDS, scorer=fuzz.ratio, score_cutoff=MIN_KEYWORD) if len(word) > 4 else None
        )
        words.append(near[0] if near else word)
    return " ".join(words)
