"""Dashes, blanks, apostrophes and letters that were lost when pages were flattened (`a urologista doctor`, `Sjgren`).

MedQuAD's collections lost them in well over two thousand places, NIDDK's most of all. What counts as a word is told by
the collections themselves and by a lexicon of English, so that nothing is parted that anybody writes as one word.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...files import word_table
from ...patterns import read_patterns
from ...text import is_english, is_word, run_together

if TYPE_CHECKING:
    from collections.abc import Iterable

# Collections whose dashes were lost with the blanks that may have stood around them.
LOST_DASHES: Final = frozenset(("NIDDK", "NIHSeniorHealth"))
LOST_BLANKS: Final = frozenset(("NHLBI",))  # collections that lost blanks as well as dashes
_STRAYS: Final = LOST_DASHES | LOST_BLANKS

_WORD: Final = re.compile(r"(?<![\w./@-])[^\W\d_]{6,}(?![\w@]|\.\w)")
_ANY: Final = re.compile(r"[^\W\d_]+")
_PATTERNS: Final = read_patterns(Path(__file__).with_name("lost_marks_patterns.tsv"))
_TABLE: Final = word_table(Path(__file__).with_suffix(".tsv"))
_LETTERS: Final = {name: word for name, (word,) in _TABLE["letters"].items()}
# Where some of them stand, which are words elsewhere.
_ONLY: Final = {"Barr": r"(?<=Guillain-)Barr(?=s?\b|syndrome)", "caf": r"caf(?=[ -]au\b)", "dcor": r"dcor\b"}
# Words that lost a letter which English has not.
_LETTER: Final = re.compile(rf"\b(?:{'|'.join(_ONLY.get(name, name) for name in _LETTERS)})")
_COMMA: Final = re.compile(r"(?<=[a-z]{4},)(?=[A-Za-z][a-z]{2})")
# Where a blank was lost between two sentences; `Cancer.Net` is a name.
_STOP: Final = re.compile(r"(?P<ends>(?<!\S)[^\sA-Z]\S*[a-z]{2}[.?!])\.?(?=[A-Z][a-z]+,? [A-Za-z])")
# The number of a reference that stands nowhere: `for many.[5258] Others`, `in men.3,6 Others`.
_REFERENCE: Final = re.compile(
    r"(?<=[\w.,;:)\]]) ?\[\d{1,5}\](?!\w)|(?<=[a-z)]{3}[.,])\d{1,2}(?:[,-]\d{1,2})*(?=\s+[A-Z]|\s*\Z)"
)
_TIMES_LARGER: Final = 4  # how many times as large the second of two numbers is, at most, between which a dash was lost
_LISTS: Final = {name: frozenset(words) for name, words in _TABLE["words"].items()}
_BEHIND: Final = _LISTS["opens"] | _LISTS["goes_on"]
# Letters of a term that the lexicon has not, and that stands by itself elsewhere (`hyperlipidemia`), at least.
_LONG_TERM: Final = 7
_LONG: Final = 5
_LONG_ELSEWHERE: Final = 8
# How often the second word stands, at least, behind one of two letters in collections that lost few blanks.
_ELSEWHERE: Final = 40
_SEEN: Final = 8  # how often two words of English stand by themselves, at least
_TOGETHER: Final = 15  # how often they may stand as one, at most
_SELDOM: Final = 30  # how often a collection may have what is parted, at most
_RARELY: Final = 3  # as much for two words of which the second is not one of those that often follow a dash
_OFTEN: Final = 60
_KNOWN: Final = 10
_TIMES: Final = 5
_SHORT: Final = 2
_OFTEN_BEFORE_SHORT: Final = 100
_LEAST_FIRST: Final = 4
_LEAST_ELSEWHERE: Final = 5


def words(texts: Iterable[str]) -> Counter[str]:
    """Count how often each word stands in texts, in small letters."""
    return Counter(word[0].lower() for text in texts for word in _ANY.finditer(text))


def mended(text: str, collection: str, counts: Counter[str]) -> str:
    """Put back marks that were lost: part words and numbers that run together, write `doesn't` with its apostrophe.

    Numbers of references that stand nowhere are left out. A text of a `collection` that is not known to have lost many
    is changed where no doubt is left; `counts` tells how often each word stands in all collections.

    Example:
        >>> counts = Counter({"urologist": 90, "a": 900, "urologista": 3})
        >>> mended("See a urologista doctor.", "NIDDK", counts)
        'See a urologist\u2014a doctor.'
    """
    if collection in _STRAYS:
        text = _PATTERNS["before number"].sub("\u2014" if collection in LOST_DASHES else " ", text)
    text = _PATTERNS["ligature"].sub(r"\g<one>\g<other>", _REFERENCE.sub("", text))
    text = _STOP.sub(r"\g<ends> ", _COMMA.sub(" ", text))
    text = _PATTERNS["possessive"].sub(r"\g<0>'", _PATTERNS["apostrophe"].sub(r"\g<0>'", lettered(text)))
    text = _PATTERNS["number"].sub(lambda number: _range(number[0]), text)
    return _WORD.sub(lambda word: _parted(word[0], collection, counts), text)


def lettered(text: str) -> str:
    """Put back letters that English has not, in names that are known without them: `Sj\u00f6gren`."""
    return _LETTER.sub(lambda name: _LETTERS[name[0]], text)


def _range(number: str) -> str:
    """Write a number that no page has, of two that run together (`1525 mg`, `515 percent`), as the range it was."""
    one, other = number[: len(number) // 2], number[len(number) // 2 :]
    if other.startswith("0") or not int(one) < int(other) <= _TIMES_LARGER * int(one):
        return number
    return f"{one}\u2013{other}"


def _parted(word: str, collection: str, counts: Counter[str]) -> str:
    small = word.lower()
    if counts[small] > _SELDOM or not word[1:].islower() or is_english(small):
        return word
    strays = collection in _STRAYS
    first = max(
        (at for at in range(2, len(word)) if _are_two(small[:at], small[at:], counts, strays=strays)),
        key=lambda at: (small[at:] in _BEHIND, min(counts[small[:at]], counts[small[at:]])),
        default=None,
    )
    if first is None:
        cuts = run_together(word)
        if len(cuts) != 1:
            return " ".join(word[start:end] for start, end in itertools.pairwise((0, *cuts, len(word))))
        (first,) = cuts
    return f"{word[:first]}{_between(small[:first], small[first:], collection)}{word[first:]}"


def _are_two(one: str, other: str, counts: Counter[str], *, strays: bool) -> bool:
    together = counts[one + other]
    latin = (other == "is" and one.endswith(("al", "ar"))) or (other == "a" and one.endswith(("ic", "or")))
    if latin or one in _LISTS["prefixes"]:
        return False
    if other in _BEHIND and len(one) >= _LEAST_FIRST:
        least = _OFTEN_BEFORE_SHORT if len(other) <= _SHORT and other != "a" else max(_KNOWN, _TIMES * together)
        certain = len(one) >= _LEAST_ELSEWHERE and len(other) > _SHORT
        return counts[one] >= least and (strays or certain)
    if len(other) < _LEAST_FIRST or other in _LISTS["endings"] or not is_word(other):
        return False
    rarer = min(counts[one], counts[other])
    if not strays:
        seldom = together <= _RARELY and len(other) >= _LONG_ELSEWHERE
        return seldom and one in _LISTS["least"] and counts[other] >= _ELSEWHERE
    apart = max(_SEEN, _TIMES * together)
    if len(one) >= _LEAST_FIRST and is_english(one) and is_english(other):
        return together <= _TOGETHER and rarer >= apart
    is_term = len(one) >= _LONG_TERM and counts[other] >= _OFTEN and together <= _SEEN and rarer >= apart
    begins = len(one) >= _LEAST_FIRST or one in _LISTS["little"] or (one in _LISTS["least"] and len(other) >= _LONG)
    return is_term or (begins and together <= _RARELY and rarer >= _OFTEN)


def _between(one: str, other: str, collection: str) -> str:
    if other in _LISTS["hyphened"]:
        return "-"
    if one in _LISTS["little"] or (other not in _BEHIND and one.endswith("ic")):
        return " "
    return "\u2014" if other in _LISTS["opens"] or collection in LOST_DASHES else " "
