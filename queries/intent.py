"""The section type that a question asks for: symptoms, treatment, causes and so on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..schema.kinds import GENERAL, patterns

if TYPE_CHECKING:
    from collections.abc import Iterable


_TELLING_MORE: Final = re.compile(r"contagious|spread|transmi", re.IGNORECASE)

# Words that a section which answers need not have: what goes before a kind, and how bad something is.
_TELLING_NOTHING: Final = re.compile(
    r"\b(?:i\w?clud\w{1,3}|options?|especially|particularly|specifically|acute|chronic|sudden|severe|mild|serious|someone|"
    r"constant|persistent|extreme)\b",
    re.IGNORECASE,
)
_KEYWORDS: Final = (
    "symptoms treatment treatments diagnosed diagnosis causes complications prevention prevented prevent prognosis "
    "inherited hereditary genetic surgery medicine effects research stages dosage"
).split()
MIN_KEYWORD: Final = 82.0
# Words that are no key words misspelt, however near they are to one.
_SPELT_SO: Final = frozenset(
    "affects defects event generic medicinal present presented search stage stakes states".split()
)


def find_intents(question: str) -> tuple[str, ...]:
    """Find the section types that a question asks for, its key words misspelt or not, the plainest first.

    What something is counts only where nothing else is asked.
    """
    return _matched(question) or _matched(_corrected(question))


def tells(sentence: str, intents: Iterable[str]) -> bool:
    """Tell whether a sentence has words with which one says what a question asks for."""
    telling = patterns("tells")
    return any(name in telling and telling[name].search(sentence) for name in intents)


def without_kind(question: str, intents: Iterable[str]) -> str:
    """Leave out the words by which a question asks for section types, and words that tell nothing.

    A word that tells more than a kind (`contagious`) stays.
    """
    question = question if _matched(question) else _corrected(question)
    for name in intents:
        question = patterns("asks")[name].sub(
            lambda found: found[0] if _TELLING_MORE.match(found[0]) else " ", question
        )
    return _TELLING_NOTHING.sub(" ", question)


def in_order(question: str, intents: Iterable[str]) -> dict[str, int]:
    """Put section types in the order in which a question asks for them, each with where its key word stands."""
    ends = len(question)
    places = {name: found.start() if (found := patterns("asks")[name].search(question)) else ends for name in intents}
    return dict(sorted(places.items(), key=lambda item: item[1]))


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
