"""Finds where a claim goes beyond the text that has its words: of whom, how surely, how long, how many, and by what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...patterns import read_patterns, threshold
from .claims import VERB
from .rules import form, is_content, number_of, plain, statement, table, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

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
    """Tell whether a claim goes beyond the sentences that say it together, under their title and heading (`about`).

    It does so where it is of other people, or of people where they are of animals; where it says always, or is sure of
    what each sentence only calls possible; where it tells of a cause and they do not; where it has another unit of
    time, or counts the same otherwise.
    """
    mine, other, words = _strength(claim), _strength(" ".join(texts)), {*statement(claim).words}
    best = max(range(len(texts)), key=lambda place: len(words.intersection(statement(texts[place]).words)))
    told = _strength(" ".join(texts[: best + 1]))  # whom a sentence behind it names is not told of here
    return (
        any(_is_of_others(mine.kinds, one.kinds, _strength(about).kinds) for one in (other, told))
        or mine.level > _level(claim, texts, about)
        or (mine.causal and not any(_causes(claim, text, about) for text in texts))
        or not mine.spans <= other.spans | (_strength(about).spans & {"year"})
        or not mine.often <= (other.often or _DAILY)
        or any(_misplaces(claim, text) for text in (" ".join(texts), *texts))
        or _of_other_people(claim, texts)
        or any(not numbers <= other.counted.get(word, numbers) for word, numbers in mine.counted.items())
    )


def _causes(claim: str, text: str, about: str) -> bool:
    """Tell whether a part of a text says that something is a cause, and has words of the claim besides its subject.

    One of several causes stands in another part, and counts where that is as sure and all of the claim is there.
    """
    over = {*statement(about).words} | {*map(form, table().plain["causal"])}
    mine, level = {*statement(claim).words} - over, _strength(claim).level
    parts = (part for part in _RULES["parts"].split(text) if mine & {*statement(part).words})
    clauses = (
        one
        for one in _clauses(text)
        if mine <= {*statement(one).words} and _strength(one).level >= level and not _is_of_another(one, mine, over)
    )
    return any(_strength(one).causal for one in (*parts, *clauses))


def _is_of_another(clause: str, claimed: Set[str], over: Set[str]) -> bool:
    """Tell whether a clause is of what has a word of the title and another one: bladder stones, for kidney stones."""
    verb = VERB.search(clause)
    subject = {*statement(clause[: verb.start()]).words} if verb else set[str]()
    return bool(subject & over and subject - over - claimed)


def _clauses(text: str) -> Iterator[str]:
    """Cut a text into parts that have a verb of their own, each with what else it names."""
    clause = ""
    for part in _RULES["parts"].split(text):
        if clause and VERB.search(part) and VERB.search(clause):
            yield clause
            clause = ""
        clause = f"{clause} {part}"
    yield clause


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


def _of_other_people(claim: str, texts: Sequence[str]) -> bool:
    """Tell whether a text gives a claim's measure only to other people, or to children of an age that it leaves out."""
    kinds, known = _strength(claim).kinds, table().populations
    values = [one for one in statement(claim).numbers if one.unit and one.unit not in _SPANS]
    for value in values if kinds else ():
        heads = [head for text in texts for head in _before(text, value)]
        named = [(head, _strength(head).kinds) for head in heads if _strength(head).kinds]
        fits = [head for head, told in named if told & kinds]
        young = known["child"] in kinds
        ages = [{one for one in statement(head).numbers if one.unit == "year"} for head in fits]
        if named and (not fits or (young and not any(age <= {*statement(claim).numbers} for age in ages))):
            return True
    return False


def _before(text: str, value: Number) -> Iterator[str]:
    """Give what sentences have before a number, from the people on whom they name last."""
    for sentence in re.split(r"(?<=[.!?;])\s+", text):
        for found in re.finditer(r"\d[\d.,/]*", sentence):
            if value in statement(sentence[found.start() :]).numbers[:1]:
                yield sentence[: found.start()]


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


def names_people(text: str) -> bool:
    """Tell whether a text names people or animals of a kind."""
    return bool(_strength(text).kinds)


def people_in(claim: str, heading: str) -> Iterator[str]:
    """Give people whom a claim and a heading name, with their ages: all of a heading's that are of children.

    `Adults and Children 12 Years and Older` is over what holds for adults, and not for younger children.
    """
    mine, known = {*tokens_of(claim)}, table().populations
    for people in _RULES["people"].split(plain(heading)):
        told = tokens_of(people)
        if any(word in known and word in mine for word in told) and all(
            word in mine for word in told if word.isdigit() or word in known
        ):
            yield people


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
