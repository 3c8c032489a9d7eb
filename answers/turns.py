"""Words of a turn of a dialogue: those that stand for something said before, and how a turn is put together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_words, small
from .things import CONDITION, DRUG, RULES, coordinated, words_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .things import Thing, Word

# What stands for something named before: the disease, these pills.
_NAMED: Final = ((CONDITION, RULES["the condition"]), (DRUG, RULES["the drug"]))
_PLURAL: Final = frozenset({"they", "them", "these", "those", "their"})
_SINGULAR: Final = frozenset({"it", "its", "it's"})
_DEMONSTRATIVE: Final = frozenset({"this", "that", "these", "those"})
_POSSESSIVE: Final = frozenset({"its", "their"})

# What comes before `that` where it stands for something itself, and is no `that` of a clause.
_BEFORE_THAT: Final = read_words(Path(__file__).with_name("word_lists.tsv"))["before that"]

# What may stand before the subject of a question.
_ASKS: Final = read_words(Path(__file__).with_name("word_lists.tsv"))["before it"]


@dataclass(frozen=True, slots=True)
class Anaphor:
    """Words that stand for something said before."""

    start: int
    end: int
    group: str = ""  # what they can stand for: `condition`, `drug`, or empty for anything
    plural: bool = False  # whether they may stand for several things
    possessive: bool = False  # whether they mean what belongs to it: `its`


def anaphor_in(text: str, things: Sequence[Thing]) -> Anaphor | None:
    """Find the first words that stand for something said before, and neither for what follows nor for nothing."""
    plain, words, things = small(text).replace("\u2019", "'"), words_in(text), coordinated(text, things)
    for group, pattern in _NAMED:
        found = pattern.search(plain)
        if (
            found
            # An antibiotic is known by name, and `this antibiotic` is none.
            and not any(_reaches_out(thing, found) for thing in things)
            and not _is_named_here(plain, words, found.start(), things)
        ):
            return Anaphor(*found.span(), group)
    for number, word in enumerate(words):
        if not _stands_alone(plain, words, number, things):
            continue
        if _is_named_here(plain, words, word.start, things):
            return None
        end = word.start + 2 if word.text == "it's" else word.end
        plural = word.text in _PLURAL
        return Anaphor(word.start, end, plural=plural, possessive=word.text in _POSSESSIVE)
    return None


def _reaches_out(thing: Thing, found: re.Match[str]) -> bool:
    """Tell whether a name has words of a place, and others: `the kidney disease`."""
    touches = thing.start < found.end() and thing.end > found.start()
    return touches and not found.start() <= thing.start < thing.end <= found.end()


def _stands_alone(plain: str, words: Sequence[Word], number: int, things: Sequence[Thing]) -> bool:
    word = words[number]
    before = words[number - 1].text if number else ""
    after = words[number + 1] if number + 1 < len(words) else None
    if word.text in _SINGULAR:
        return not _stands_for_nothing(plain, word, after, things)
    if word.text in _DEMONSTRATIVE:
        ends = after is None or not plain[word.end : after.start].isspace()
        follows = after is not None and bool(RULES["standing"].fullmatch(after.text))
        return (ends or follows) and (before in _BEFORE_THAT or not before)
    if word.text in _PLURAL:
        people = RULES["people"]
        return not any(people.fullmatch(w.text) or w.text in {"people", "patients", "doctors"} for w in words[:number])
    return False


def _stands_for_nothing(plain: str, word: Word, after: Word | None, things: Sequence[Thing]) -> bool:
    """Tell the `it` of `is it safe to`, `does it take long to` and `is it gout` from one that stands for a thing."""
    behind = plain[word.end :]
    dull = RULES["dull"].pattern
    said = rf"(?: is|'s| was| be)?(?: (?:\w+ly|not|very|more|a|the))? (?:{dull})"
    if re.match(rf"{said} (?:to|that|if|for \w+(?: \w+)? to|when)\b", behind):
        return True
    if RULES["taken"].match(plain, word.start) and (not behind.strip(" ?.!").endswith("take")):
        return True
    around = plain[max(0, word.start - 6) : word.end + 3]
    named = [thing for thing in things if thing.start >= word.end]
    if not named or not RULES["is"].search(around):
        return False
    return after is not None and not RULES["a kind of"].search(plain[word.end : named[0].start])


def _is_named_here(plain: str, words: Sequence[Word], start: int, things: Sequence[Thing]) -> bool:
    """Tell whether a sentence itself says before a place what is meant there."""
    # What asks what a thing does to it (`can stress cause it?`) does not say so: the two are not the same.
    named = [thing for thing in things if thing.end <= start]
    if not named:
        return bool(things) and plain.startswith(("if ", "when ", "since ", "because "))
    if len(named) > 1:
        return True
    thing = named[0]
    ahead = [word.text for word in words if word.end <= thing.start]
    between = [word.text for word in words if thing.end <= word.start < start]
    split = RULES["split"]
    is_one_clause = not any(split.fullmatch(word) for word in between) and plain[thing.end : start].isprintable()
    is_one_clause = is_one_clause and not re.search(r"[,.;:?!]", plain[thing.end : start])
    return not (is_one_clause and between and all(word in _ASKS for word in ahead))


_MARKS: Final = " \t\n?!.\u2026"
_CIRCUMSTANCE: Final = frozenset({"during", "while", "when", "at", "after", "before"})
_OF: Final = frozenset(
    "symptoms;causes;complications;side effects;stages;dose;forget a dose;emergency or overdose;ingredients;"
    "storage and disposal;prevention;information".split(";")
)
_FOR: Final = frozenset({"treatment", "exams and tests", "outlook", "susceptibility"})
_ACCOMPANYING: Final = frozenset({"with", "in", "among"})


def bare(text: str) -> str:
    """Leave out the marks at the end of a text."""
    return text.rstrip(_MARKS)


def with_scope(frame: str, scope: str) -> str:
    """Put a circumstance, such as `in children`, at the end of a question; other people take the place of former."""
    if not scope:
        return frame
    about, end, former = scoped(frame)
    kept = "" if RULES["people"].fullmatch(small(scope).partition(" ")[2]) else former
    return f"{about}{kept and ' '}{kept} {scope}{end or '?'}"


def scoped(text: str) -> tuple[str, str, str]:
    """Take a question apart: what it says, the marks at its end, and whom it is about, such as `in children`."""
    said = bare(text)
    end = text[len(said) :].strip()
    found = re.search(rf"\s(?P<scope>(?:in|for|among|during) {RULES['people'].pattern})\Z", said, re.IGNORECASE)
    return (said[: found.start()], end, found["scope"]) if found else (said, end, "")


def scope_of(text: str, things: Sequence[Thing]) -> str:
    """Read a few words as a circumstance, such as `in children` or `during pregnancy`; empty for anything else."""
    plain, people = small(text), RULES["people"]
    if people.fullmatch(plain):
        return f"in {text}"
    if not (found := RULES["placed"].fullmatch(plain)):
        return ""
    if people.fullmatch(found["rest"]) or found["how"] in _CIRCUMSTANCE:
        return text
    return text if found["how"] in _ACCOMPANYING and things else ""


def joint(about: str, kinds: Sequence[str]) -> str:
    """Choose the word, such as `for`, between what is asked (`Is there a cure`) and what it is asked of."""
    plain, doing = small(about), RULES["doing"]
    if RULES["about"].search(plain):
        return "about"
    if RULES["from"].search(plain):
        return "from"
    if kinds[:1] == ("research",):
        return "on"
    if RULES["with"].search(plain) or any(doing.fullmatch(word.text) for word in words_in(plain)):
        return "with"
    return "of" if _OF.intersection(kinds) and not _FOR.intersection(kinds) else "for"


def put(text: str, anaphor: Anaphor, subject: str) -> str:
    """Name what words stand for, in their place."""
    belongs = ("'" if subject.endswith("s") else "'s") if anaphor.possessive else ""
    return f"{text[: anaphor.start]}{subject}{belongs}{text[anaphor.end :]}"
