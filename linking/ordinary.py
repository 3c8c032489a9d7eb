"""Decides whether words that a source has as a name are that name where they stand, or everyday English.

What tells is how usual a word is in English, what kind of name a source has it as, its part of speech, its capitals and
its possessive ending. What stays doubtful counts only where its text or page is about what it would name.
"""

from __future__ import annotations

import math
import re
from enum import IntEnum
from functools import cache, lru_cache
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..schema.vocabulary import CONDITIONS
from ..text import is_adjective, is_english, is_word
from .lexicon import ACRONYM, LOOSE, NAME, ORDERED, SYNONYM
from .words import GENERIC, LITTLE, normalise, singular, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# How usual a word is that it is doubtful as what a list adds to a topic's title: chosen with the labelled pairs of
# `tests/data/linking/ordinary.tsv`.
USUAL: Final = 4.0
_SEEN: Final = 1.1e6  # words of the books that TextBlob's counts were made of
# How usual a word is that stands in texts of every kind, and names a substance only beside its other names: air.
EVERYWHERE: Final = 5.0
_WINDOW: Final = 80  # characters on either side of a symbol in which words of genes are looked for
_PAIR: Final = 2

_SHORT: Final = 3  # letters of a short form or a symbol that means many things, at most
_KINDS: Final = frozenset(("disease", "disorder", "syndrome", "condition", "illness"))
_FORMS: Final = GENERIC - _KINDS
_POSSESSIVE: Final = re.compile(r"['\u2019\u02bc]s?$")
_EPONYM: Final = re.compile(r"[A-Z][^\W\d_]+['\u2019]s")
_CAPITALS: Final = re.compile(r"[A-Z]{2,}")
_BREAK: Final = re.compile(r"((?<=[\w)]{4})[.;?!](?=\s)|\n\s*\n|\s[-\u2013\u2014]\s)")
_ADJECTIVE: Final = re.compile(r"(?:al|ic|ive|ar|ary|ory|ous)$")
_NOUN: Final = re.compile(r"(?:tion|ment|ness|ity|ism)$")
_ROMAN: Final = re.compile(r"[IVX]+")
_DISEASE: Final = re.compile(r"(?:cancer|tumou?r|deficiency|dystrophy|emia|itis|oma|osis|pathy)s?$")
_SUBSTANCES: Final = ("Drug", "Chemical", "DrugClass")
_LINKING: Final = re.compile(r"\b(?:and|or|for|by|with|from|due|to|at|as)\b", re.IGNORECASE)
_OF_GENE: Final = re.compile(r"\b(?:genes?|mutat\w+|variants?|proteins?|polymorphisms?|alleles?|genotyp\w+|delet\w+)\b")


class Verdict(IntEnum):
    """What words are where they stand: a name, one only beside what it names, or none."""

    NAME = 0
    DOUBTFUL = 1
    NEVER = 2


@cache
def _counts() -> Mapping[str, int]:
    """The counts of words in English books that TextBlob corrects spelling by."""
    package = util.find_spec("textblob")
    folder = Path((package and package.origin) or "").parent
    lines = (folder / "en" / "en-spelling.txt").read_text(encoding="utf-8").splitlines()
    return {word: int(count) for word, _, count in (line.partition(" ") for line in lines) if count.isdigit()}


@lru_cache(maxsize=100_000)
def usual(word: str) -> float:
    """Tell how usual a word is in English, in the number that is more usual.

    The decimal logarithm of how often it stands among a thousand million words; 0 for what books of every kind have
    not.
    """
    forms = {word, singular(word), f"{word}s"}
    count = max(_counts().get(form, 0) for form in forms)
    return math.log10(count / _SEEN * 1e9) if count else 0.0


@lru_cache(maxsize=300_000)
def judge(surface: str, name: str, kind: int, how: int, label: str, *, called: bool, asked: bool = False) -> Verdict:
    """Tell what words are, by themselves.

    Args:
        surface: The words as they stand in a text.
        name: The name that they were recognised as.
        kind: What the name is to its entity: `NAME`, `SYNONYM`, `OTHER` or `LISTED`.
        how: How it was recognised: `ORDERED`, `ANY_ORDER` or `LOOSE`.
        called: Whether these words are a preferred name of the concept, or two of its entities have it.
        asked: Whether somebody typed them, in whatever letters.
    """
    if _is_other_case(surface, name) or _is_bare_eponym(surface, name, asked=asked):
        return Verdict.NEVER
    if (how == LOOSE and _is_other_sense(surface, name, label)) or (how == ORDERED and _is_torn(surface, name)):
        return Verdict.NEVER
    if len(words(surface)) > 1:
        return Verdict.NAME
    return _alone(surface, name, kind, label, called=called)


def _alone(surface: str, name: str, kind: int, label: str, *, called: bool) -> Verdict:
    """Judge a single word."""
    word, how_usual = surface.lower(), usual(surface.lower())
    if ACRONYM.fullmatch(name):
        short = len(name) <= _SHORT and label != "Topic"
        doubted = label == "Gene" or not called
        return Verdict.DOUBTFUL if doubted and (short or how_usual) else Verdict.NAME
    if _is_said_of(word) and (label == "Topic" or (called and (_ADJECTIVE.search(word) or how_usual >= USUAL))):
        return Verdict.NEVER
    if not how_usual or _DISEASE.search(word):
        return Verdict.NAME
    if called or kind == NAME:
        return Verdict.DOUBTFUL if label in _SUBSTANCES and how_usual >= EVERYWHERE else Verdict.NAME
    if kind == SYNONYM and label not in _SUBSTANCES:
        return Verdict.NAME  # of a vocabulary, which gives names of the same
    doubted = label in (*CONDITIONS, *_SUBSTANCES) or how_usual >= USUAL
    return Verdict.DOUBTFUL if doubted else Verdict.NAME


def _is_said_of(word: str) -> bool:
    """Tell whether a word is an adjective that is no noun as well, as olive is."""
    return is_adjective(word) and not is_word(f"{word}s") and not _NOUN.search(word)


def _said(text: str) -> list[str]:
    """Give the words of a text in small letters, without their possessive endings."""
    return [_POSSESSIVE.sub("", text[word.start : word.end].lower()) for word in words(text)]


def _is_plain(said: Iterable[str]) -> bool:
    """Tell whether all words are of everyday English, so that they name nothing by their sound."""
    return all(len(word) > 1 and (is_word(word) or is_word(singular(word))) for word in said)


def _is_other_case(surface: str, name: str) -> bool:
    """Tell whether a name has marks, or a word in capitals that is another one in small letters: ANOTHER syndrome."""
    if "+" in name and "+" not in surface:
        return True
    if name.isupper() or ACRONYM.fullmatch(name):
        return False
    kept = {word for word in _CAPITALS.findall(name) if is_english(word.lower()) and not _ROMAN.fullmatch(word)}
    return bool(kept) and not kept <= set(_CAPITALS.findall(surface))


def _is_bare_eponym(surface: str, name: str, *, asked: bool) -> bool:
    """Tell whether an eponym stands without its 's; who types one may leave it out where the rest is no word."""
    if not _EPONYM.fullmatch(name) or _POSSESSIVE.search(surface):
        return False
    return not asked or is_word(surface.lower())


def _is_other_sense(surface: str, name: str, label: str) -> bool:
    """Tell whether words that were taken loosely are no disease, where the name is one, or the other way round."""
    said, named = ({word.normal for word in words(text)} for text in (surface, name))
    content = _telling(surface)
    if not content or not _is_plain(content):
        return False
    if (
        named & _FORMS - said
        or _joins(surface, name)
        or (named & _KINDS and not said & _KINDS and not _DISEASE.search(content[-1]))
    ):
        return True
    if said & GENERIC and not named & GENERIC:
        vague = len(content) == 1 and (is_adjective(content[0]) or usual(content[0]) >= USUAL)
        return vague or (label not in CONDITIONS and bool(said & _KINDS))
    return False


def _telling(text: str) -> list[str]:
    """Give the words that tell one name from another."""
    return [word for word in _said(text) if normalise(word) not in GENERIC | LITTLE]


def _joins(surface: str, name: str) -> bool:
    """Tell whether a text has words of relation that the name has not: breast and ovarian cancer is breast-ovarian."""
    return "-" not in name and not set(_LINKING.findall(surface.lower())) <= set(_LINKING.findall(name.lower()))


def _is_torn(surface: str, name: str) -> bool:
    """Tell whether words stand in two sentences, or are two items of a list."""
    if any(mark[-1] not in name if mark.strip() != "-" else mark not in name for mark in _marks(surface)):
        return True
    return "," in surface and "," not in name and len(words(name)) == _PAIR


def _marks(surface: str) -> list[str]:
    """Give the marks in words that divide what is said."""
    return [mark[1] for mark in _BREAK.finditer(surface)]


def speaks_of_genes(text: str, start: int, end: int) -> bool:
    """Tell whether a text has a word of genes beside a short symbol, which may be one then."""
    return bool(_OF_GENE.search(text[max(0, start - _WINDOW) : end + _WINDOW].lower()))
