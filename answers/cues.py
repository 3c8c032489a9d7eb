"""Which emergencies a message tells of: what people say of themselves or of somebody with them, now.

The cues stand in `cues.tsv`, and so does what makes one a mere mention.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines
from ..patterns import read_patterns, small
from ..text import is_english

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_TABLE: Final = Path(__file__).with_name("cues.tsv")

_AROUND: Final = 15
"""Words of the same sentence before a cue that may make it a mere mention; set by hand."""

_LONG: Final = 8
_SHORT: Final = 5
"""Letters from which on a word may have two slips, and one."""

_MINE: Final = 6
"""Words before a cue among which one tells that it is about me or mine; set by hand."""

SUICIDE: Final = "suicide"
"""The kind that lasting long does not make less pressing."""

_WORDS: Final = "words"

_NO_CUES: Final = frozenset(
    {"mentioned", "asked before", "told before", "denied before", "long before", "long behind", "lasting behind"}
    | {_WORDS}
)
_PERSONAL: Final = re.compile(r"\b(?:i|my|me|we|our|us|he|she|his|her|him)\b")
_REFERS: Final = re.compile(r"(?:that|this|it|which) (?:was|happened|started)\b")
"""How a sentence begins that says when it was what the one before it tells."""

_QUOTES: Final = str.maketrans("\u2018\u2019\u02bc`\u00b4", "'''''")
_WORD: Final = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+(?:'[^\W\d_]+)*|[.!?;\n]+")
END: Final = " . "
"""What stands between two sentences of a message written plainly."""

_NOT: Final = re.compile(
    r"\b(?:(?P<first>do|does|did|is|are|was|were|has|have|had|would|could|should)n'?t|(?P<can>can'?t|cannot|can not)"
    r"|(?P<will>won'?t))\b"
)
_SHORTENED: Final = (
    (re.compile(r"\bi'?m\b"), "i am"),
    (re.compile(r"\b(i|we|they|you)'?ve\b"), r"\1 have"),
    (re.compile(r"\b(he|she|it|that|there|what|who)'?s\b"), r"\1 is"),
    (re.compile(r"\b(they|you|we)'re\b"), r"\1 are"),
    (re.compile(r"\b(i|he|she|it|we|they|you)'(?:ll)\b"), r"\1 will"),
    (re.compile(r"\b(i|he|she|it|we|they|you)'(?:d)\b"), r"\1 would"),
    (re.compile(r"'s\b"), ""),
    (re.compile(r"\brite now\b"), "right now"),
    (re.compile(r"\b(?:wanna|want to to)\b"), "want to"),
    (re.compile(r"\b(?:gonna|gunna)\b"), "going to"),
    (re.compile(r"\bu\b"), "you"),
    (re.compile(r"\b(?:wat|wut)\b"), "what"),
)


def emergencies_in(text: str) -> list[str]:
    """Find the emergencies that a message tells of.

    Returns:
        Their kinds, in the order of the table; none for a mere mention.
    """
    plain = plain_words(text)
    if is_mentioned(plain):
        return []
    cues = ((kind, cue) for kind, cue in _patterns().items() if kind not in _NO_CUES)
    return [kind for kind, cue in cues if any(_is_told(kind, plain, place) for place in _places(cue, plain))]


def is_mentioned(plain: str) -> bool:
    """Tell whether a message is of a novel, an exam or a case, and tells of nobody who is there.

    Args:
        plain: The message, as `plain_words` writes it.
    """
    return bool(_patterns()["mentioned"].search(plain))


def plain_words(text: str) -> str:
    """Write a message as the table of cues takes it.

    Returns:
        Its words in small letters, contractions written out, slips put right, with ` . ` between sentences.

    Example:
        >>> plain_words("He can't BREATH... Help!!")
        'he can not breath . help .'
    """
    plain = _NOT.sub(_written_out, small(text).translate(_QUOTES))
    for pattern, written in _SHORTENED:
        plain = pattern.sub(written, plain)
    words = [END.strip() if word[0] in ".!?;\n" else _put_right(word) for word in _WORD.findall(plain)]
    return " ".join(words)


def _written_out(found: re.Match[str]) -> str:
    return "can not" if found["can"] else "will not" if found["will"] else f"{found['first']} not"


def _places(cue: re.Pattern[str], plain: str) -> Iterator[tuple[int, int]]:
    """Give every place where a cue stands, also those that begin within another one."""
    found = cue.search(plain)
    while found:
        yield found.span()
        found = cue.search(plain, found.start() + 1)


def _is_told(kind: str, plain: str, place: tuple[int, int]) -> bool:
    """Tell whether a cue is said of somebody now: not asked about, denied, or long past."""
    start, end = place
    before = plain[:start].rpartition(END)[2].split()[-_AROUND:]
    rest, _, following = plain[end:].partition(END)
    behind = [rest, following] if _REFERS.match(following) else [rest]
    personal = _PERSONAL.search(f"{' '.join(before[-_MINE:])} {plain[start:end]}")
    if kind == SUICIDE:
        ahead, after = ["denied before"], ["long behind"]
    else:
        ahead, after = ["told before", "long before"], ["long behind", "lasting behind"]
    if not personal:
        ahead.append("asked before")
    patterns = _patterns()
    refuted = any(_ends_with(name, before) for name in ahead)
    return not refuted and not any(patterns[name].match(part.strip()) for name in after for part in behind)


def _ends_with(name: str, words: Sequence[str]) -> bool:
    """Tell whether the words right before a cue are of a kind."""
    pattern = _patterns()[name]
    return any(pattern.fullmatch(" ".join(words[number:])) for number in range(len(words)))


@lru_cache(maxsize=10_000)
def _put_right(word: str) -> str:
    """Replace a word that is none in English by the word of the cues that it all but is."""
    if len(word) < _SHORT or not word.isalpha():
        return word
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    slips = 2 if len(word) >= _LONG else 1
    near = process.extractOne(word, _recognised(), scorer=OSA.distance, score_cutoff=slips)
    return near[0] if near and not is_english(word) else word


@cache
def _recognised() -> list[str]:
    """The words that are recognised when they are misspelt."""
    (line,) = (line for _, line in table_lines(_TABLE) if line.startswith(f"{_WORDS}\t"))
    return line.partition("\t")[2].split("|")


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TABLE)
