"""Words of a text with their offsets, in the form in which names and texts are compared; short forms that it explains.

`Leukaemias`, `leukaemia` and `leukemia's` are one word; `type II` and `type 2` are two, the same ones.

Short forms (`glucose-6-phosphate dehydrogenase (G6PD) deficiency`) are found as Schwartz and Hearst do (A simple
algorithm for identifying abbreviation definitions in biomedical text, Pacific Symposium on Biocomputing 2003), which
scispaCy's detector uses too: the letters of the short form are looked for from right to left in the words before the
bracket, the first at the beginning of a word. Where they are not there in this order, the words' first letters may be,
in any order, as DM for myotonic dystrophy.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines
from ..patterns import read_pairs, read_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_APOSTROPHES: Final = "'\u2019\u02bc"
_ACCENTS: Final = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_INVISIBLE: Final = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"

# An accent that stands behind its letter belongs to the word, what nobody sees only between letters.
_WORD: Final = re.compile(
    rf"[^\W_]+(?:[{_APOSTROPHES}][^\W\d_]+|[{_ACCENTS}]++[^\W_]*|[{_ACCENTS}{_INVISIBLE}]++[^\W_]+)*"
)
_POSSESSIVE: Final = re.compile(rf"[{_APOSTROPHES}]s?$")
_CANCER: Final = re.compile(r"(.+) cancer", re.IGNORECASE)
_EPONYM: Final = re.compile(r"([^\W\d_]{4,}['\u2019]s) (?:disease|syndrome|disorder)", re.IGNORECASE)

# Words that may stand in one wording of a name and not in another: `cancer of the breast`.
LITTLE: Final = frozenset("of the a an in to for on by with and or due from at as".split())
LETTER_A: Final = "a0"  # the letter of vitamin A and hepatitis A in its form for comparison, as `a` is a little word
# A regular expression of words that make a number before them an age, a dose or a time.
MEASURES: Final = "years?|months?|weeks?|days?|hours?|mg|ml|percent|times?|yr|yrs|yo|lbs?|kg|pounds?"
# Words, in their form for comparison, behind which a letter I, V or X is a number.
_NUMBERED: Final = frozenset("type stage grade class factor group phase form subtype variant".split())
_ROMAN: Final = dict(read_pairs(Path(__file__).with_name("roman.tsv")))
# A number with a letter, as of type IIIB.
_LETTERED: Final = re.compile(f"({'|'.join(sorted(_ROMAN, key=len, reverse=True))})([A-H])")
_GREEK: Final = {
    chr(code): unicodedata.name(chr(code)).rpartition(" ")[2].lower() for code in range(0x3B1, 0x3CA) if code != 0x3C2
} | {"\u03bb": "lambda"}  # which Unicode calls lamda
# Letters that are no others with an accent → how they are written without them.
_LETTERS: Final = str.maketrans(_GREEK | {"\u00e6": "ae", "\u0153": "oe", "\u00f8": "o", "\u0142": "l"})
_SPELLINGS: Final = [(re.compile(one), other) for one, other in read_pairs(Path(__file__).with_name("spellings.tsv"))]
_ENDINGS: Final = read_pairs(Path(__file__).with_name("endings.tsv"))
_SHORTEST_SPELT: Final = 5
_SHORTEST_PLURAL: Final = 4
_NAME_LENGTH: Final = 100  # characters of a text whose words are kept, at most: names come again and again


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text, where it begins and ends as it was given, and its form for comparison."""

    start: int
    end: int
    normal: str


def words(text: str) -> list[Word]:
    """Cut a text into words, in order.

    A hyphen separates, an apostrophe does not, and neither does what nobody sees.

    Example:
        >>> [word.normal for word in words("Type II Alzheimer's diseases")]
        ['type', '2', 'alzheimer', 'disease']
    """
    return list(_cut_name(text)) if len(text) <= _NAME_LENGTH else _cut(text)


@lru_cache(maxsize=50_000)
def _cut_name(text: str) -> Sequence[Word]:
    return _cut(text)


def _cut(text: str) -> list[Word]:
    found = []
    before = ""
    for match in _WORD.finditer(text):
        surface = match[0]
        if surface in _ROMAN and (surface not in {"I", "V", "X"} or before in _NUMBERED):
            normal = _ROMAN[surface]
        elif before in _NUMBERED and (lettered := _LETTERED.fullmatch(surface)):
            normal = _ROMAN[lettered[1]] + lettered[2].lower()
        elif surface == "A" and _follows(text, match.start()):
            normal = LETTER_A
        else:
            normal = normalise(surface)
        if normal:
            before = normal
            found.append(Word(match.start(), match.end(), normal))
    return found


def _follows(text: str, start: int) -> bool:
    """Tell whether a letter stands right behind a word, and begins no sentence."""
    return start > 1 and text[start - 1] in " -" and text[start - 2].isalnum()


@lru_cache(maxsize=200_000)
def normalise(word: str) -> str:
    """Give one word's form for comparison: in small letters, without accents, possessive and plural endings.

    British and American English have one spelling. The form of a form is itself.
    """
    form = _normalised(word)
    while form != word:
        word, form = form, _normalised(form)
    return form


def _normalised(word: str) -> str:
    plain = _POSSESSIVE.sub("", word.casefold())
    if not plain.isalnum() or not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain.translate(_LETTERS))
        plain = "".join(c for c in plain if c.isalnum() and c not in _APOSTROPHES)
    if len(plain) >= _SHORTEST_SPELT:
        for pattern, spelling in _SPELLINGS:
            plain = pattern.sub(spelling, plain)
    return singular(plain)


def singular(word: str) -> str:
    """Take a plural's ending off a word in small letters; both numbers of a word give the same: `metastase`."""
    if len(word) < _SHORTEST_PLURAL or word[-1] not in "sea" or not word.isalpha():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending):
            return word[: -len(ending)] + instead
    return word


def tumor(name: str) -> str:
    """Give the wider name of a cancer: what is a colorectal cancer is spoken of as a colorectal tumor, too."""
    match = _CANCER.fullmatch(name)
    return f"{match[1]} tumor" if match else ""


def eponym(name: str) -> str:
    """Shorten Alzheimer's Disease to Alzheimer's, as people do; empty for a name without an eponym."""
    match = _EPONYM.fullmatch(name)
    return match[1] if match else ""


def word_list(kind: str) -> frozenset[str]:
    """Give the words of a kind of `word_lists.tsv`, as they are written there."""
    return read_words(Path(__file__).with_name("word_lists.tsv"))[kind]


_TABLE: Final = Path(__file__).with_name("senses.tsv")

# Words that may be another one, or missing, in another name of the same.
GENERIC: Final = frozenset(
    normalise(word) for word in "disease disorder syndrome condition illness type form variant subtype related".split()
)


@cache
def _groups() -> dict[str, str]:
    """Map each word of a group to the first of it."""
    groups = ([normalise(word) for word in line.split()] for _, line in table_lines(_TABLE))
    return {word: group[0] for group in groups for word in group}


def loose(word: str) -> str:
    """Give the word that stands for all that mean the same; empty for words that do not tell a name from another."""
    if word in GENERIC or word in LITTLE:
        return ""
    return _groups().get(word, word)


_BRACKET: Final = re.compile(r"\(([^()\[\]]{1,60})\)")
_SHORT: Final = re.compile(r"[^\W_][^\s,;:]{0,9}(?: [^\s,;:]{1,5})?")
_FIRST: Final = re.compile(r"[,;:]| or ")
_RUN: Final = re.compile(r"\S+")
_MAX_EXTRA: Final = 5  # words that a long form may have more than its short form has letters
_AROUND: Final = 6  # words before and behind a short form that may belong to one name with it
_NO_WORD: Final = "\0"
_NEAR: Final = 300  # characters before a bracket in which its long form is looked for


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form, and where what it stands for begins and ends in the text."""

    short: str
    start: int
    end: int


def find_abbreviations(text: str) -> list[Abbreviation]:
    """Find the short forms that a text explains, each once with its first long form, in the order of the text."""
    found: dict[str, Abbreviation] = {}
    for bracket in _BRACKET.finditer(text):
        inside = _FIRST.split(bracket[1])[0].strip(" \"'")
        if not _is_short(inside):
            continue
        count = min(len(_letters(inside)) + _MAX_EXTRA, 2 * len(_letters(inside)))
        start = _words_before(text, bracket.start(), count)
        end = start + len(text[start : bracket.start()].rstrip())
        if (begin := _aligned(inside, text, start, end)) is not None or (
            begin := _initials(inside, text, start, end)
        ) is not None:
            found.setdefault(inside, Abbreviation(inside, begin, end))
    return list(found.values())


def expanded(text: str, found: Sequence[Word], short: Mapping[str, Abbreviation]) -> list[Word]:
    """Write the long forms out where their short forms stand, each with what stands around it, at its place.

    A word that no name has is between one short form and the next. Words inside a long form begin where the short form
    ends, and end where it begins, so that a run that has only some of them does not hold the short form.
    """
    written: list[Word] = []
    for name, abbreviation in short.items():
        long = words(text[abbreviation.start : abbreviation.end])
        for match in re.finditer(rf"(?<![\w-]){re.escape(name)}s?(?!\w)", text):
            start, end = match.span()
            inside = [replace(word, start=end, end=start) for word in long]
            inside[0] = replace(inside[0], start=start)
            inside[-1] = replace(inside[-1], end=end)
            first = bisect_left(found, start, key=attrgetter("start"))
            last = bisect_left(found, end, key=attrgetter("start"))
            around = found[max(0, first - _AROUND) : first], found[last : last + _AROUND]
            written += [*around[0], *inside, *around[1], Word(end, end, _NO_WORD)]
    return written


def is_explained(word: Word, short: Iterable[Abbreviation], text: str) -> bool:
    """Tell whether a word is one of the `short` forms that stand in brackets behind their long forms."""
    return any(
        a.end < word.start <= a.end + len(a.short) + 3
        and "(" in text[a.end : word.start]
        and word.end <= text.find(")", a.end)
        for a in short
    )


def _is_short(text: str) -> bool:
    letters = _letters(text)
    return bool(_SHORT.fullmatch(text)) and 2 <= len(letters) <= 10 and any(c.isupper() for c in text)


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _words_before(text: str, end: int, count: int) -> int:
    """Find where the last words before a place begin; a sentence's end stops it."""
    start, begin = end, max(0, end - _NEAR)
    for match in reversed(list(_RUN.finditer(text, begin, end))):
        if count <= 0 or (match[0].endswith((".", ";", ")")) and start != end):
            break
        start = match.start()
        count -= 1
    return start


def _aligned(short: str, text: str, start: int, end: int) -> int | None:
    """Find where the long form begins; None when the letters are not there in their order."""
    letters = _letters(short).lower()
    position = end
    for number in range(len(letters) - 1, -1, -1):
        position -= 1
        while position >= start and not (
            text[position].lower() == letters[number]
            and (number > 0 or position == start or not text[position - 1].isalnum())
        ):
            position -= 1
        if position < start:
            return None
    long = text[position:end]
    if len(long) <= len(short) or short.lower() in re.split(r"\W+", long.lower()):
        return None
    return position


def _initials(short: str, text: str, start: int, end: int) -> int | None:
    """Find where the words begin whose first letters the short form has in another order: DM, myotonic dystrophy."""
    letters = sorted(_letters(short).lower())
    firsts = list(re.finditer(r"[^\W_]+", text[start:end]))[-len(letters) :]
    if len(firsts) < len(letters) or len(letters) > _MAX_EXTRA:
        return None
    return start + firsts[0].start() if sorted(word[0][0].lower() for word in firsts) == letters else None
