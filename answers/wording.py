"""How turns of a dialogue are put together: a question and a circumstance, a kind and what it is asked of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..patterns import small
from .things import patterns, words_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .leaning import Anaphor
    from .things import Thing

_MARKS: Final = " \t\n?!.\u2026"

_PLACED: Final = re.compile(r"(?P<how>in|for|among|with|during|while|when|at|after|before|of|about|on)\s+(?P<rest>.+)")
_CIRCUMSTANCE: Final = frozenset({"during", "while", "when", "at", "after", "before"})
_ABOUT: Final = re.compile(r"\b(?:tell|more|explain|information|info|learn|know|read|details|facts)\b")
_FROM: Final = re.compile(r"\b(?:die|dies|dying|recover|recovery|suffer\w*)\W*\Z|\brecovery\b")
_WITH: Final = re.compile(r"\b(?:pregnan\w*|live|living|cope|deal|children|kids|baby)\b")
_OF: Final = frozenset(
    {"symptoms", "causes", "complications", "side effects", "stages", "dose", "prevention", "information"}
)
_FOR: Final = frozenset({"treatment", "exams and tests", "outlook", "susceptibility"})
_ACCOMPANYING: Final = frozenset({"with", "in", "among"})


def bare(text: str) -> str:
    """Leave out the marks at the end of a text."""
    return text.rstrip(_MARKS)


def with_scope(frame: str, scope: str) -> str:
    """Put a circumstance at the end of a question.

    Args:
        scope: The circumstance, such as `in children`; empty for none.

    Returns:
        The question; whom it was about before stays only where the circumstance is no other people.
    """
    if not scope:
        return frame
    about, end, former = scoped(frame)
    kept = "" if _is_people(scope) else former
    return f"{about}{kept and ' '}{kept} {scope}{end or '?'}"


def scoped(text: str) -> tuple[str, str, str]:
    """Take a question apart.

    Returns:
        What it says, the marks at its end, and whom it is about, such as `in children`.
    """
    said = bare(text)
    end = text[len(said) :].strip()
    found = re.search(rf"\s(?P<scope>(?:in|for|among|during) {patterns()['people'].pattern})\Z", said, re.IGNORECASE)
    return (said[: found.start()], end, found["scope"]) if found else (said, end, "")


def scope_of(text: str, things: Sequence[Thing]) -> str:
    """Read a circumstance.

    Args:
        text: A few words that are no clause.

    Returns:
        Such as `in children` or `during pregnancy`; empty for anything else.
    """
    plain, people = small(text), patterns()["people"]
    if people.fullmatch(plain):
        return f"in {text}"
    if not (found := _PLACED.fullmatch(plain)):
        return ""
    if people.fullmatch(found["rest"]) or found["how"] in _CIRCUMSTANCE:
        return text
    return text if found["how"] in _ACCOMPANYING and things else ""


def joint(about: str, kinds: Sequence[str]) -> str:
    """Choose the word between what is asked and what it is asked of.

    Args:
        about: What is asked, such as `Is there a cure`.
        kinds: The section types that it asks for.

    Returns:
        The word, such as `for`.
    """
    plain, doing = small(about), patterns()["doing"]
    if _ABOUT.search(plain):
        return "about"
    if _FROM.search(plain):
        return "from"
    if kinds[:1] == ("research",):
        return "on"
    if _WITH.search(plain) or any(doing.fullmatch(word.text) for word in words_in(plain)):
        return "with"
    return "of" if _OF.intersection(kinds) and not _FOR.intersection(kinds) else "for"


def put(text: str, anaphor: Anaphor, subject: str) -> str:
    """Name what words stand for.

    Returns:
        The sentence with the name in their place.
    """
    belongs = ("'" if subject.endswith("s") else "'s") if anaphor.possessive else ""
    return f"{text[: anaphor.start]}{subject}{belongs}{text[anaphor.end :]}"


def _is_people(scope: str) -> bool:
    return bool(patterns()["people"].fullmatch(small(scope).partition(" ")[2]))
