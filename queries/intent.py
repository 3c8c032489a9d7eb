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
    ("stages", r"(?:what|which) stage\b|(?<!early )(?<!late )(?<!later )(?<!last )stages\b|staging"),
    ("research", r"clinical trials?|research"),
    ("usage", r"how (?:should|do) i (?:take|use)"),
    ("dose", r"dos(?:e|es|age)"),
    ("information", r"^\W*what(?:'s| is| are)|\bdefin\w+|tell me about|explain|information (?:on|about)|meaning of"),
)
_COMPILED: Final = {name: re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE) for name, pattern in _PATTERNS}


_TELLING: Final[dict[str, str]] = {
    "information": r"is an?\b|are\b|is the\b|refers to|means\b|called\b",
    "symptoms": r"symptom\w*|signs?\b|include|may (?:have|feel|notice)|experience|feel\w*|characteri[sz]ed",
    "treatment": r"treat\w*|therap\w+|medic(?:ine|ation)s?|surger\w+|surgical|drugs?\b|manag\w+|reliev\w+|relief|"
    r"cure[ds]?\b|help\w*|prescri\w+|antibiotics?|transplant\w*",
    "causes": r"caus\w+|due to|results? (?:from|in)|because|leads? to|spread\w*|contagi\w+|trigger\w*|infect\w+|"
    r"transmi\w+|passed|inherited|genetic|mutations?",
    "exams and tests": r"diagnos\w+|test\w*|exam\w*|scan\w*|screen\w*|biops\w+|x-rays?|measur\w+|imaging",
    "inheritance": r"inherit\w*|autosomal|recessive|dominant|x-linked|parents?\b|famil\w+|hereditary|sporadic",
    "genetic changes": r"genes?\b|mutations?|chromosom\w+|genetic\w*|delet\w+",
    "outlook": r"outlook|prognos\w+|surviv\w+|recover\w*|life expectancy|(?:most|many) people|years?\b|cure[ds]?\b|"
    r"fatal\w*|death|improve\w*|long[- ]term",
    "prevention": r"prevent\w*|avoid\w*|reduc\w+|lower\w*|vaccin\w+|protect\w*|keep\b",
    "complications": r"complicat\w+|leads? to|caus\w+|risk\w*|damage\w*|problems?\b|result in",
    "susceptibility": r"risk\w*|likely|more common|affects?\b|older|children|men\b|women\b",
    "side effects": r"side effects?|adverse|reactions?\b|caus\w+",
    "frequency": r"percent|%|in [\d,]+|rare\b|common\w*|people|cases?\b|prevalen\w+|inciden\w+",
    "research": r"research\w*|trials?\b|stud(?:y|ies|ied)|scientists?|investigat\w+",
    "stages": r"stages?\b|grades?\b|staging|phases?\b|advanced",
    "dose": r"dos\w+|mg\b|daily|times? a day",
    "usage": r"take\w*|use[ds]?\b|using|appl(?:y|ied)|daily",
}
"""Section type → words with which a sentence tells what it asks for; set by hand."""

_TELLS: Final = {name: re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE) for name, pattern in _TELLING.items()}

_CAUSING: Final = re.compile(
    r"\b(?:caus(?:es?|ed|ing)\b(?! by)|leads? to|leading to|results? in|resulting in)\b", re.IGNORECASE
)
_CAUSED: Final = re.compile(
    r"\b(?:caused by|causes? of|cause is|due to|because|results? from|inherited|genetic|mutations?|infections? with)\b",
    re.IGNORECASE,
)

_KEYWORDS: Final = (
    "symptoms treatment treatments diagnosed diagnosis causes complications prevention prevented prevent prognosis "
    "inherited hereditary genetic surgery medicine effects research stages dosage"
).split()
MIN_KEYWORD: Final = 82.0
GENERAL: Final = "information"
"""The type that counts only where nothing else is asked."""


def find_intents(question: str) -> tuple[str, ...]:
    """Find the section types that a question asks for, its key words misspelt or not.

    Args:
        question: What a user typed.

    Returns:
        Section types, the plainest first; none when the question does not say. What something is counts only where
        nothing else is asked.
    """
    return _matched(question) or _matched(_corrected(question))


def tells(sentence: str, intents: Iterable[str]) -> bool:
    """Tell whether a sentence has words with which one says what a question asks for.

    Args:
        sentence: The sentence.
        intents: The section types asked for.

    Returns:
        Whether it has, for any of them.
    """
    return any(name in _TELLS and _TELLS[name].search(sentence) for name in intents)


def effect_at(sentence: str) -> int:
    """Find where a sentence begins to tell what something does, rather than what it comes from.

    Args:
        sentence: The sentence.

    Returns:
        Where its word for causing stands; -1 where it has none, or tells of what comes from something else too.
    """
    found = _CAUSING.search(sentence)
    return found.start() if found and not _CAUSED.search(sentence) else -1


def without_kind(question: str, intents: Iterable[str]) -> str:
    """Leave out the words by which a question asks for section types.

    Args:
        question: What a user typed.
        intents: The types.

    Returns:
        The rest of it.
    """
    for name in intents:
        question = _COMPILED[name].sub(" ", question)
    return question


def in_order(question: str, intents: Iterable[str]) -> list[str]:
    """Put section types in the order in which a question asks for them.

    Args:
        question: What a user typed.
        intents: The types.

    Returns:
        The types; those whose key words are misspelt come last.
    """
    places = {name: found.start() for name in intents if (found := _COMPILED[name].search(question))}
    return sorted(intents, key=lambda name: places.get(name, len(question)))


def _matched(question: str) -> tuple[str, ...]:
    found = [name for name, pattern in _COMPILED.items() if pattern.search(question)]
    return tuple(name for name in found if name != GENERAL or len(found) == 1)


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
