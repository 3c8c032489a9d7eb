"""The section type that a question asks for: symptoms, treatment, causes and so on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..schema.kinds import GENERAL, patterns

if TYPE_CHECKING:
    from collections.abc import Iterable


_TELLING_MORE: Final = re.compile(r"contagious|spread|transmi", re.IGNORECASE)
_HANDED_ON: Final = re.compile(r"\btransmi(?:t|ss)|\bpass(?:ed)? on\b", re.IGNORECASE)

_TELLING_NOTHING: Final = re.compile(
    r"\b(?:i\w?clud\w{1,3}|options?|especially|particularly|specifically|acute|chronic|sudden|severe|mild|serious|someone|"
    r"constant|persistent|extreme)\b",
    re.IGNORECASE,
)
"""Words that a section which answers need not have: what goes before a kind, and how bad something is."""

_BESIDES: Final = re.compile(
    r"\binfo\w*\b(?:(?: (?:on|about|regarding))? and\b|.*?\b(?:i\w?clud\w{1,3}|such as|especially|particularly)\b)",
    re.IGNORECASE,
)

_CAUSING: Final = re.compile(
    r"\b(?:caus(?:es?|ed|ing)\b(?! by)|leads? to|leading to|results? in|resulting in|be (?:the|a) causes? of)\b",
    re.IGNORECASE,
)
_CAUSED: Final = re.compile(
    r"\b(?:caused by|(?<!be the )(?<!be a )causes? of|cause is|due to|because|results? from|inherited|genetic|"
    r"mutations?|infections? with)\b",
    re.IGNORECASE,
)

_HELPERS: Final = (
    r"(?:physicians?|doctors?|dentists?|specialists?|surgeons?|hospitals?|clinics?|centers?|experts?|\w+ologists?|"
    r"support groups?|counsel(?:l?ors?|l?ing)|organi[sz]ations?)(?:\(s\))?"
)
_WHOM: Final = re.compile(
    rf"\b(?:find|locate|recommend|suggest|look(?:ing)? for|know of|names? of|list of|including|on)\s[^.?!]{{0,40}}?"
    rf"\b{_HELPERS}(?!\w)(?![^.?!]*\b(?:say|think|believe)\b)|\bwho specialize|\bspecializ(?:es|ing) in\b",
    re.IGNORECASE,
)
_TELLS_WHOM: Final = re.compile(
    rf"\b(?:find|finding|locat\w+|list of|directory|referr?al|contact|call)\b[^.]{{0,60}}\b{_HELPERS}(?!\w)"
    r"|\b(?:foundation|association|society|support groups?|organi[sz]ations?)\b",
    re.IGNORECASE,
)

_KEYWORDS: Final = (
    "symptoms treatment treatments diagnosed diagnosis causes complications prevention prevented prevent prognosis "
    "inherited hereditary genetic surgery medicine effects research stages dosage"
).split()
MIN_KEYWORD: Final = 82.0
_SPELT_SO: Final = frozenset(
    "affects defects event generic medicinal present presented search stage stakes states".split()
)
"""Words that are no key words misspelt, however near they are to one."""


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
    telling = patterns("tells")
    return any(name in telling and telling[name].search(sentence) for name in intents)


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
        The rest of it, misspelt key words gone too, and words that tell nothing; a word that tells more than a kind
        (`contagious`) stays.
    """
    question = question if _matched(question) else _corrected(question)
    for name in intents:
        question = patterns("asks")[name].sub(
            lambda found: found[0] if _TELLING_MORE.match(found[0]) else " ", question
        )
    return _TELLING_NOTHING.sub(" ", question)


def asks_besides(question: str) -> bool:
    """Tell whether a question asks about something as a whole, and for kinds of section besides.

    Args:
        question: What a user typed.

    Returns:
        Whether it does (`information on gout, including treatment`), and not only for these.
    """
    found = _BESIDES.search(question)
    return bool(found and _matched(question[found.end() :]) and set(_matched(found[0])) <= {GENERAL})


def handed_on(question: str) -> bool:
    """Tell whether a question asks how something gets from one to another, be it caught or inherited.

    Args:
        question: What a user typed.

    Returns:
        Whether it does.
    """
    return bool(_HANDED_ON.search(question))


def in_order(question: str, intents: Iterable[str]) -> dict[str, int]:
    """Put section types in the order in which a question asks for them.

    Args:
        question: What a user typed.
        intents: The types.

    Returns:
        Each type with where its key word stands; those whose key words are misspelt come last, with the text's end.
    """
    ends = len(question)
    places = {name: found.start() if (found := patterns("asks")[name].search(question)) else ends for name in intents}
    return dict(sorted(places.items(), key=lambda item: item[1]))


def asks_whom(question: str) -> bool:
    """Tell whether a question asks where to turn: for a doctor, a hospital, a group, rather than for what is known.

    Args:
        question: What a user typed.

    Returns:
        Whether it does.
    """
    return bool(_WHOM.search(question))


def tells_whom(sentence: str) -> bool:
    """Tell whether a sentence says where to turn.

    Args:
        sentence: The sentence.

    Returns:
        Whether it does.
    """
    return bool(_TELLS_WHOM.search(sentence))


def _matched(question: str) -> tuple[str, ...]:
    found = [name for name, pattern in patterns("asks").items() if pattern.search(question)]
    return tuple(name for name in found if name != GENERAL or len(found) == 1)


def _corrected(question: str) -> str:
    """Replace words by key words that they all but are."""
    from rapidfuzz import fuzz, process

    words = []
    for word in question.lower().split():
        near = None
        if len(word) > 4 and word.strip("?.,!") not in _SPELT_SO:
            near = process.extractOne(word, _KEYWORDS, scorer=fuzz.ratio, score_cutoff=MIN_KEYWORD)
        words.append(near[0] if near else word)
    return " ".join(words)
