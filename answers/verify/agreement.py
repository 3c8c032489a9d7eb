"""Whether two sentences of different documents say the same of one subject."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from .chances import BY_WORDS, SUPPORTS, Chances
from .claims import claims_of
from .rules import NEGATION, NUMBER, UNIT, compare
from .statement import form, statement

if TYPE_CHECKING:
    from ...queries.retriever import SectionText
    from .rules import Comparison

COVERED: Final = 0.85
"""The share of a claim's words, the subject's name apart, that another sentence must have to say the same; chosen on
the half dev, by reading."""

NEAR: Final = 0.84
"""Cosine from which on other words may say the same; chosen on the half dev, by reading."""

CONTAINED: Final = 0.65
SHARED: Final = 0.48
"""The share of words that one of two so near sentences must have of the other, and that each must have; chosen on the
half dev, by reading."""

LONGEST_NAME: Final = 6
"""Words of a title that is a name, at most; a longer one may state something."""

LEAST: Final = 3
"""Words that a claim must have besides the name of its subject; set by hand."""

_NAME: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_OWNER: Final = re.compile("['\u2019]s?$")
_KINDS: Final = frozenset(map(form, ("condition", "disease", "disorder", "syndrome")))
"""What names of diseases have or lack without naming another."""

_BOOKLET: Final = re.compile(r"what i need to know about\s+|your guide to\s+", re.IGNORECASE)
_PLAIN: Final = _KINDS | frozenset(
    map(form, ("affected", "form", "individuals", "manner", "patients", "pattern", "people", "person", "way"))
)
"""Words that tell nothing of what is said of a disease, and of whom."""

_PARTS: Final = re.compile(r"[^\w\s,'\u2019-]+")
_STATES: Final = re.compile(
    r"\s*(?!(?:what|how|who|whom|when|where|which|why)\b).*\b(?:is|are|was|were|has|have|had|can|cannot|may|might|could"
    r"|will|would|should|must|do|does|did|be|been)\b",
    re.IGNORECASE | re.DOTALL,
)
"""What states something, or asks whether it is so."""

_EXPLAINED: Final = re.compile(r",? (?:which means|meaning)\b.*", re.DOTALL)
"""What only says what a word before it means."""


def same_subject(one: SectionText, other: SectionText) -> bool:
    """Tell whether two sections are of documents about the same: by name, and by concept where both have one.

    Returns:
        Whether they are; `Huntington's Disease` and `Huntington disease` are one name, as `Thalassemias` is.
    """
    if _names(*_called(one)).isdisjoint(_names(*_called(other))):
        return False
    if one.concepts and other.concepts:
        return not set(one.concepts).isdisjoint(other.concepts)
    return True


def _called(section: SectionText) -> tuple[str, ...]:
    return (section.title, *section.aliases)


@lru_cache(maxsize=1024)
def _names(*names: str) -> frozenset[frozenset[str]]:
    words = ([form(_OWNER.sub("", word)) for word in _NAME.findall(_BOOKLET.sub("", name).lower())] for name in names)
    return frozenset(frozenset(each) - _KINDS or frozenset(each) for each in words if each)


def apart_of(*sections: SectionText) -> frozenset[str]:
    """Give the words that do not count where sentences of sections are compared.

    Returns:
        Forms of the words of their names, their initials, and words that tell nothing.
    """
    return _PLAIN.union(*(_told_by_name(*_called(section)) for section in sections))


def name_in(claim: str, section: SectionText) -> frozenset[str]:
    """Give the words of a claim by which it names what a section's page is about.

    Args:
        section: The section, whose sentences need not repeat the name.

    Returns:
        Forms of the words of each name that the claim has as a whole.
    """
    words = set(statement(claim).words)
    names = (statement(name).words for name in _called(section) if len(name.split()) <= LONGEST_NAME)
    return frozenset(word for name in names if words.issuperset(name) for word in name)


def about_of(section: SectionText) -> list[str]:
    """Give what stands over a section: the title of its page, and its own question or heading.

    Returns:
        Those of the two that are names or ask for something: what states something is no name of what is spoken of.
    """
    over = (section.title, section.question or section.heading)
    return [one for one in over if one and not any(map(_STATES.match, _PARTS.split(one)))]


@lru_cache(maxsize=1024)
def _told_by_name(*names: str) -> frozenset[str]:
    initials = ("".join(word[0] for word in _NAME.findall(name)).lower() for name in names)
    return frozenset(initials).union(*(statement(name).words for name in names))


def says_enough(claim: str, apart: frozenset[str]) -> bool:
    """Tell whether a claim says enough besides its subject to be found again.

    Args:
        apart: From `apart_of`.

    Returns:
        Whether it has `LEAST` other words.
    """
    return len(set(statement(claim).words) - apart) >= LEAST


def says(text: str, claimed: str, apart: frozenset[str], cosine: float, chances: Chances = BY_WORDS) -> bool:
    """Tell whether a sentence says what another one claims.

    Args:
        apart: From `apart_of`.
        cosine: How near they are; 0 where that is not known.
        chances: Says how likely a text supports a claim.

    Returns:
        Whether it does: word for word, by having nearly all of its words and nothing that differs, or, where both are
        near, by having most of them with no number or negation that differs.
    """
    if text == claimed:
        return True
    plain = _EXPLAINED.sub("", claimed)
    claims = [(claim.text, compare(claim.text, text, apart)) for claim in claims_of(plain)]
    if not all(says_enough(claim, apart) for claim, _ in claims):
        return False
    if all(found.fits and _covers(claim, text, found, chances) for claim, found in claims):
        return True
    return not chances.reads and cosine >= NEAR and _nearly(plain, _EXPLAINED.sub("", text), apart)


def _covers(claim: str, text: str, found: Comparison, chances: Chances) -> bool:
    """Tell whether a text has what a claim says: as it is read, or else by the share of words."""
    return chances.of(claim, text, found)[0] >= SUPPORTS if chances.reads else found.covered >= COVERED


def _nearly(one: str, other: str, apart: frozenset[str]) -> bool:
    ways = compare(one, other, apart), compare(other, one, apart)
    shares = [way.covered for way in ways]
    if max(shares) < CONTAINED or min(shares) < SHARED or any(way.opposed for way in ways):
        return False
    # Where each names what the other does not, they speak of different things: joints here, kidneys there.
    swapped = ways[0].differ & ways[1].differ
    return not swapped and (ways[0].differ | ways[1].differ).isdisjoint((NUMBER, UNIT, NEGATION))
