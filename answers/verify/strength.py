"""Finds where a claim goes beyond the text that has its words: of whom, how surely, how long, how many, and by what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...patterns import read_patterns, threshold
from .rules import form, is_content, number_of, plain, statement, table, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .rules import Number

_POSSIBLE, _STATED, _UNIVERSAL = 1, 2, 3  # how strong a statement is
_SPANS: Final = frozenset(("second", "minute", "hour", "day", "week", "month", "year"))
_RULES: Final = read_patterns(Path(__file__).with_name("comparing.tsv"))
_ALONE: Final = threshold("answers.verify.strength.alone")
_DAILY: Final = frozenset(("once",))  # how often what is done each day is done, at least
_NEXT: Final = 2  # words behind a number among which the one stands that it counts; set by hand


@dataclass(frozen=True, slots=True)
class _Strength:
    """What decides how far a text goes."""

    kinds: frozenset[int]  # kinds of people and animals that it names
    level: int
    causal: bool  # whether it says what brings something about
    spans: frozenset[str]  # units of time that it has
    often: frozenset[str]  # how often a day something is done; empty where it says no more than each day
    counted: Mapping[str, frozenset[str]]  # form of a word → numbers of it


def overstates(claim: str, texts: Sequence[str], about: str) -> bool:
    """Tell whether a claim goes beyond the sentences that say it together.

    It does so where it is of other people, or of people where they are of animals; where it says always, or is sure of
    what each sentence only calls possible; where it tells of a cause and they do not; where it has another unit of
    time, or counts the same otherwise.

    Args:
        about: The title and heading over the sentences.
    """
    mine, other = _strength(claim), _strength(" ".join(texts))
    return (
        _is_of_others(mine.kinds, other.kinds, _strength(about).kinds)
        or mine.level > _level(claim, texts, about)
        or (
            mine.causal
            and not any(_causes(part, claim, about) for text in texts for part in _RULES["parts"].split(text))
        )
        or not mine.spans <= other.spans
        or not mine.often <= (other.often or _DAILY)
        or any(_misplaces(claim, text) for text in (" ".join(texts), *texts))
        or any(not numbers <= other.counted.get(word, numbers) for word, numbers in mine.counted.items())
    )


def _causes(text: str, claim: str, about: str) -> bool:
    """Tell whether a part of a text says that something is a cause, and has words of the claim besides its subject."""
    shared = set(statement(text).words) & set(statement(claim).words) - set(statement(about).words)
    return _strength(text).causal and bool(shared - set(map(form, table().plain["causal"])))


def _often(text: str) -> frozenset[str]:
    return frozenset(found[0].lower() for found in _RULES["often"].finditer(plain(text)))


def _misplaces(claim: str, text: str) -> bool:
    """Tell whether a claim says of a number what a text says of another one of the same unit alone."""
    mine = statement(claim)
    values, words = {*mine.numbers}, {*mine.words, *_often(claim)}
    near = list(_with_numbers(text))
    for one in values:
        here = set[str]().union(*(said for numbers, said, before in near if one in numbers for said in (said, before)))
        for numbers, said, _ in near if here and one.unit else ():
            others = {other for other in numbers if other.unit == one.unit}
            if others and others.isdisjoint(values) and words & (said - here):
                return True
    return False


def _with_numbers(text: str) -> Iterator[tuple[set[Number], set[str], set[str]]]:
    """Give of each part of a text that has numbers these, its words, and those before its sentence's first number."""
    for sentence in _RULES["ends"].split(text):
        before = statement(re.split(r"\d", sentence, maxsplit=1)[0]).words
        for part in _RULES["parts"].split(sentence):
            said = statement(part)
            if said.numbers:
                yield {*said.numbers}, {*said.words, *_often(part)}, {*before}


def same_people(one: str, other: str) -> bool:
    """Tell whether two texts are of the same kinds of people or animals, so that one can contradict the other."""
    return _strength(one).kinds == _strength(other).kinds


def _level(claim: str, texts: Sequence[str], about: str) -> int:
    """Tell how strong what says a claim is: one statement that says about all that they all say of it, or any."""
    words = set(statement(claim).words) - set(statement(about).words)
    parts = [part for text in texts for part in _RULES["ends"].split(text)]
    shares = [len(words.intersection(statement(part).words)) for part in parts]
    best = max(range(len(parts)), key=lambda place: shares[place])
    alone = shares[best] >= _ALONE * len(words.intersection(statement(" ".join(texts)).words))
    return _strength(parts[best]).level if alone else max(_strength(part).level for part in parts)


def _is_of_others(mine: frozenset[int], kinds: frozenset[int], over: frozenset[int]) -> bool:
    known = table().populations
    adult, animal = known["adult"], known["rat"]
    added = mine - kinds - over
    return bool(added - {adult}) or (bool(added) and bool(kinds)) or (animal in kinds and animal not in mine)


@lru_cache(maxsize=4096)
def _strength(text: str) -> _Strength:
    tokens, known = tokens_of(text), table()
    words = frozenset(tokens)
    has = {kind: not words.isdisjoint(known.plain[kind]) for kind in ("universal", "usual", "possible")}
    level = _UNIVERSAL if has["universal"] else _POSSIBLE if has["possible"] and not has["usual"] else _STATED
    counted: dict[str, set[str]] = {}
    for word, number in _counted(tokens):
        counted.setdefault(word, set()).add(number)
    return _Strength(
        frozenset(known.populations[word] for word in words if word in known.populations),
        level,
        not words.isdisjoint(known.plain["causal"]),
        frozenset(known.units[word] for word in words if word in known.units) & _SPANS,
        _often(text),
        {word: frozenset(numbers) for word, numbers in counted.items()},
    )


def _counted(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give the words that numbers without a unit count, each with its number."""
    for place, token in enumerate(tokens):
        number = number_of(token)
        behind = [one for one in tokens[place + 1 : place + 2 + _NEXT] if one not in {"-", "\u2013"}][:_NEXT]
        if number and behind and behind[0] not in table().units:
            for word in behind:
                if not is_content(word):
                    break
                yield form(word), number
