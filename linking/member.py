"""Entity data for joining equivalent entities, and normal forms of names for comparing them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..schema.prefixes import is_list
from ..schema.vocabulary import CONDITIONS
from .words import LITTLE, words

if TYPE_CHECKING:
    from collections.abc import Sequence

# Label → what may mean the same as others of it; a label that is not here goes with its own only.
_GROUPS: Final = {
    **dict.fromkeys(CONDITIONS, "condition"),
    "Drug": "drug",
    "Chemical": "drug",
    "Gene": "gene",
    "Protein": "protein",
    "Anatomy": "anatomy",
    "Cell": "anatomy",
}
_BRACKETS: Final = re.compile(r"\s*\([^()]*\)\s*$")
_INITIALS: Final = re.compile(r"\s*\([A-Z][A-Z0-9/-]*\)\s*$")
_ADULTS: Final = re.compile(r"(?:\s+in|\s+-)\s+adults\s*$", re.IGNORECASE)
_TWO_WORDS: Final = re.compile(r"([^\W\d_]{3,})[ -]([^\W\d_]{3,})")
_TWO_NAMES: Final = re.compile(r"(.+?)(?:\s*\(([^()]{4,})\)|\s+(?:or|-)\s+(.{4,}))")


_SHORT: Final = 3  # letters of a name that is too short to tell by


@dataclass(frozen=True, slots=True)
class Member:
    """What is known of an entity that may be joined.

    Attributes:
        cuis: Concepts of the UMLS that sources state for it.
        replaced_by: Ids of what took its place, where its source gave it up.
        matches: Ids that a mapping states to be exactly the same.
        obsolete: Whether its source gave it up; it then joins only what took its place.
    """

    id: str
    label: str
    name: str
    synonyms: Sequence[str] = ()
    xrefs: Sequence[str] = ()
    cuis: Sequence[str] = ()
    replaced_by: Sequence[str] = ()
    matches: Sequence[str] = ()
    obsolete: bool = False

    @property
    def vocabulary(self) -> str:
        """The prefix of its id."""
        return self.id.partition(":")[0]

    @property
    def group(self) -> str:
        """What it may be joined with."""
        return _GROUPS.get(self.label, self.label)

    @property
    def term(self) -> str:
        """The vocabulary that tells it from others; a list does not, nor does one that gave it up."""
        return "" if is_list(self.vocabulary) or self.replaced_by else self.vocabulary


ACCEPTED: Final = "accepted"  # how a pair was found that a curator accepted


@dataclass(frozen=True, slots=True, order=True)
class EntityPair:
    """Two entities that may mean the same.

    Attributes:
        order: What is looked at first, the lowest: the less sure, the later.
        one: Id of the first, in alphabetical order.
        evidence: What it rests on: an id or a name, or two names.
        score: How sure it is, from 0 to 1.
    """

    order: float
    one: str
    other: str
    method: str
    evidence: str
    score: float


def name_words(name: str) -> frozenset[str]:
    """Give the words of a name that tell it from others, in their form for comparison, without little ones."""
    return frozenset(word.normal for word in words(name) if word.normal not in LITTLE)


def bare_name(member: Member) -> str:
    """Leave out what stands in brackets behind a name, its initials or a brand of a drug, and for whom a page is.

    Adults have what a name says where it names nobody; what children have may be something else (diabetes).
    """
    if is_list(member.vocabulary) and member.group == "condition":
        return _INITIALS.sub("", _ADULTS.sub("", member.name))
    return (_BRACKETS if member.group == "drug" else _INITIALS).sub("", member.name)


def two_names(member: Member) -> tuple[str, ...]:
    """Give the two names of a list's title such as `Shingles (herpes zoster)` or `Acne or pimples`; else none."""
    found = _TWO_NAMES.fullmatch(member.name) if is_list(member.vocabulary) and member.group == "condition" else None
    return (found[1], found[2] or found[3]) if found else ()


def is_telling(name: str) -> bool:
    """Tell whether a name is more than a few letters, which stand for several things."""
    letters = sum(c.isalnum() for c in name)
    return letters > _SHORT and not (name.isupper() and " " not in name)


def as_one_word(name: str) -> str:
    """Write a name of two words as one: `pinkeye` of `pink eye`; empty for others, and words of a letter or two."""
    found = _TWO_WORDS.fullmatch(name)
    return f"{found[1]}{found[2]}".lower() if found else ""


def key_of(name: str) -> str:
    """Give the words of a name in alphabetical order, without little ones unless it has no others."""
    plain = [word.normal for word in words(name)]
    return " ".join(sorted(word for word in plain if word not in LITTLE)) or " ".join(plain)
