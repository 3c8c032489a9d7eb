"""Parses statements into words, numbers, negations and directions, and finds what differs between two.

What differs between a claim and what it is checked against keeps the one from saying the other.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...files import table_lines
from ...patterns import read_patterns
from ...queries import fusion, lucene
from ...queries.salience import stem
from ...text import is_verb

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FILE: Final = Path(__file__).with_name("words.tsv")
_RULES: Final = read_patterns(Path(__file__).with_name("comparing.tsv"))
_ENDINGS: Final = ("ing", "ed", "ly", "ic", "ia", "y", "e")

# Letters that are left of a word without its ending, at least, one less where that only makes it many; shorter words
# keep theirs.
_LEAST: Final = 4
_REACH: Final = {"negating": 4, "without": 2}  # words that negations reach; set by hand
LABEL: Final = "label"  # what stands for a unit where a number is a name: type 2
_RANGE: Final = frozenset(("-", "\u2013", "to", "or", "and"))
_MARKS: Final = frozenset("%.,;:()-\u2013")
_CLAUSE: Final = frozenset(".,;:")


@dataclass(frozen=True, slots=True)
class Direction:
    """A word that has an opposite: the pairs and sides in the table that it may be, and the word that it speaks of."""

    sides: frozenset[tuple[int, int]]
    about: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number as the shortest decimal, with what it counts or measures; empty where that is no known unit."""

    value: str
    unit: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What a text says."""

    words: tuple[str, ...]  # forms of the words that tell something, in order
    negated: frozenset[str]  # those that a negation speaks of, wherever they stand
    denied: frozenset[str]  # of these the first one behind each negation, which it surely speaks of
    negations: int  # how many words negate something
    numbers: tuple[Number, ...]
    directions: tuple[Direction, ...]
    hedged: bool  # whether it says so of some, or of what is possible
    parts: tuple[str, ...]  # parts of the body that it names, in order
    ordinary: frozenset[str]  # forms of its verbs and adverbs, which name nothing


@dataclass(frozen=True, slots=True)
class StatementWords:
    """The table."""

    opposites: Mapping[str, Sequence[tuple[int, int]]]  # word → pairs and sides that it may be of
    beginnings: Mapping[str, tuple[int, int]]  # how words begin → the same
    plain: Mapping[str, frozenset[str]]  # kind → words of it
    units: Mapping[str, str]
    numbers: Mapping[str, str]
    loose: frozenset[int]  # pairs whose words a claim may add where nothing says the other
    populations: Mapping[str, int]  # word of people or animals → which kind of them
    parts: frozenset[str]
    substances: frozenset[str]  # forms of names of drugs and treatments that are common words


@cache
def table() -> StatementWords:
    """Read the table of words."""
    opposites: dict[str, list[tuple[int, int]]] = {}
    beginnings: dict[str, tuple[int, int]] = {}
    plain: dict[str, frozenset[str]] = {}
    units: dict[str, str] = {}
    numbers: dict[str, str] = {}
    loose: set[int] = set()
    populations: dict[str, int] = {}
    for place, line in table_lines(FILE):
        kind, *columns = line.split("\t")
        lists = [column.split() for column in columns]
        if kind in {"opposite", "loose"}:
            loose |= {place} if kind == "loose" else set()
            for side, words in enumerate(lists):
                for word in words:
                    if word.endswith("-"):
                        beginnings[word[:-1]] = (place, side)
                    else:
                        opposites.setdefault(word, []).append((place, side))
        elif kind == "unit":
            units |= dict.fromkeys(lists[0], lists[0][0])
        elif kind == "number":
            numbers |= dict.fromkeys(lists[0], lists[1][0])
        elif kind == "population":
            populations |= dict.fromkeys(lists[0], place)
        else:
            plain[kind] = frozenset(lists[0])
    parts, substances = (frozenset(map(form, plain.pop(kind))) for kind in ("part", "substance"))
    return StatementWords(
        opposites, beginnings, plain, units, numbers, frozenset(loose), populations, parts, substances
    )


def form(word: str) -> str:
    """Write a word without ending, as its forms have it in common."""
    if word.endswith("s") and not word.endswith("ss") and len(word) >= _LEAST:
        word = f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
    if word.endswith("ied"):
        word = f"{word[:-3]}y"
    short = next((word[: -len(e)] for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= _LEAST), word)
    if short != word and short[-1] == short[-2] and short[-1] not in "ls":
        return short[:-1]
    return short[:-1] if short.endswith("y") and len(short) > _LEAST else short


@cache
def _synonyms() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Read words and phrases that say the same: what finds them, and what stands for each."""
    rows = [line.split("\t") for _, line in table_lines(FILE.with_name("synonyms.tsv"))]
    known = {other: first for first, *others in rows for other in others}
    either = "|".join(re.escape(one) for one in sorted(known, key=len, reverse=True))
    return re.compile(rf"\b(?:{either})\b", re.IGNORECASE), known


_SIGNS: Final = str.maketrans({"<": " under ", ">": " over ", "\u2264": " maximum ", "\u2265": " minimum "})


def plain(text: str) -> str:
    """Put the words that stand for synonyms in their places."""
    pattern, known = _synonyms()
    told = _RULES["interval"].sub("each", pattern.sub(lambda found: known[found[0].lower()], text.translate(_SIGNS)))
    return _RULES["twice"].sub(r"\1", told)


def tokens_of(text: str) -> list[str]:
    """Give the words, numbers and marks of a text in small letters, with synonyms made one."""
    return [_small(match[0]) for match in _RULES["token"].finditer(plain(text))]


@lru_cache(maxsize=4096)
def statement(text: str) -> Statement:
    """Read a sentence or a part of one."""
    tokens, known = tokens_of(text), table()
    content = [(place, form(token)) for place, token in enumerate(tokens) if is_content(token)]
    words = tuple(word for _, word in content)
    turned, first = _negated(tokens)
    told = {word for place, word in content if place not in turned}
    return Statement(
        words,
        frozenset(word for place, word in content if place in turned and word not in told),
        frozenset(word for place, word in content if place in first and word not in told),
        sum(any(token in known.plain[kind] for kind in _REACH) for token in tokens),
        tuple(_numbers(tokens)),
        tuple(_directions(tokens, content)),
        hedged=not known.plain["hedging"].isdisjoint(tokens),
        parts=tuple(word for word in words if word in known.parts),
        ordinary=frozenset(form(token) for token in tokens if is_verb(token)),
    )


def _small(text: str) -> str:
    word = text.lower()
    if _RULES["not"].search(word) or word == "cannot":
        return "not"
    return re.sub("['\u2019]s$", "", word)


def is_content(token: str) -> bool:
    """Tell whether a token tells what a text is about; the others are read apart."""
    return token not in _function_words() and not token[0].isdigit()


@cache
def _function_words() -> frozenset[str]:
    """Give the tokens that tell nothing of what a text is about, or are read apart."""
    known = table()
    lists = (known.plain[kind] for kind in (*_REACH, "ending", "hedging", "light"))
    return lucene.STOP.union(_MARKS, known.numbers, known.units, *lists)


def _negated(tokens: Sequence[str]) -> tuple[set[int], set[int]]:
    """Give the places of the words that negations speak of, the next few in the clause, and those of the first ones."""
    known, left, begins = table().plain, 0, False
    found, first = set[int](), set[int]()
    for place, word in enumerate(tokens):
        kind = next((kind for kind in _REACH if word in known[kind]), "")
        before, behind = tokens[place - 1 : place], tokens[place + 1 : place + 2]
        if kind and before != ["or"] and behind != ["only"]:  # `reduced or absent`, `not only`
            left, begins = max(left, _REACH[kind]), True
        elif word in _CLAUSE or word in known["ending"]:
            left = 0
        elif left and is_content(word):
            left -= 1
            found.add(place)
            first |= {place} if begins else set()
            begins = False
    return found, first


def _numbers(tokens: Sequence[str]) -> Iterator[Number]:
    known = table()
    for place, token in enumerate(tokens):
        if value := number_of(token):
            behind = tokens[place + 1 : place + 5]
            if len(behind) > 1 and behind[0] in _RANGE and number_of(behind[1]):
                behind = behind[2:]
            behind = [one for one in behind if one not in {"-", "\u2013"}]
            unit = known.units.get(behind[0], "") if behind else ""
            yield Number(value, LABEL if place and tokens[place - 1] in known.plain["labelling"] else unit)


def number_of(token: str) -> str:
    """Write a number, in digits or a word, as the shortest decimal; empty for what is none."""
    if token[0].isdigit():
        try:
            return f"{float(_RULES['thousands'].sub('', token)):.12g}"
        except ValueError:
            return token  # 1.2.3, and the like
    return table().numbers.get(token, "")


def _directions(tokens: Sequence[str], content: Sequence[tuple[int, str]]) -> Iterator[Direction]:
    known = table()
    for place, token in enumerate(tokens):
        pairs = list(known.opposites.get(token, ()))
        about = ""
        if not pairs:
            begins = next((one for one in known.beginnings if token.startswith(one) and token != one), "")
            if begins:
                pairs, about = [known.beginnings[begins]], form(token[len(begins) :])
        if pairs:
            about = about or next((word for at, word in content if at > place), "")
            about = about or next((word for at, word in reversed(content) if at < place), "")
            yield Direction(frozenset(pairs), about)


# What can differ, and what of it can be said the other way round.
KINDS: Final = ("number", "unit", "negation", "direction", "part", "name")
NUMBER, UNIT, NEGATION, DIRECTION, PART, NAME = KINDS
OPPOSABLE: Final = (NUMBER, UNIT, NEGATION, DIRECTION)
CAP: Final = 5.2  # how much a word tells at most, so that a name does not outweigh what is said; chosen on dev
RARE: Final = 5.0  # how much a word must tell to count as the name of something; chosen on the half dev
_UNTOLD: Final = frozenset(("1", "0.5"))  # numbers that stand for a word as often: one of them, half of it


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a claim compares with what it is checked against."""

    covered: float  # the share of its words that the other text has, rare words counting more; of mere numbers all or 0
    missing: float  # how much the word tells that the other text lacks and that tells most; 0 where it lacks none
    differ: frozenset[str]  # what differs: what the claim says and the other text does not
    opposed: frozenset[str]  # what of it the other text says otherwise

    @property
    def fits(self) -> bool:
        """Whether nothing differs."""
        return not self.differ


def compare(claim: str, evidence: str, apart: frozenset[str] = frozenset(), about: str | None = None) -> Comparison:
    """Compare a claim with a text that may say so.

    Args:
        apart: Forms of words that count for nothing, such as the name of what both are about.
        about: Title and heading over the text, for a claim that may say what these do, and by other verbs and adverbs.
    """
    mine, other, over = statement(claim), statement(evidence), statement(about or "")
    words = set(mine.words) - apart - (set(over.words) - set(other.words))
    missing = words - set(other.words)
    most = max(map(informativeness, missing - mine.ordinary if about is not None else missing), default=0.0)
    left = [n for n in (Counter(mine.numbers) - Counter(other.numbers)) if n.value not in _UNTOLD or n.unit]
    left = [n for n in left if n.unit not in {LABEL, "year"} or n not in over.numbers]
    same = {number.value for number in left} <= {number.value for number in other.numbers}
    found = {
        NUMBER: bool(left) and not same,
        UNIT: bool(left) and same,
        NEGATION: _negated_otherwise(mine, other, words & set(other.words)),
        DIRECTION: _unmatched(mine, other, over),
        PART: not set(Counter(mine.parts) - Counter(other.parts)) <= set(over.parts),
        NAME: most >= RARE or not missing.isdisjoint(table().substances),
    }
    opposed = {
        NUMBER: found[NUMBER] and _counts_otherwise(mine, other),
        UNIT: found[UNIT] and all(number.unit for number in left) and all(n.unit for n in other.numbers),
        NEGATION: found[NEGATION] and bool(mine.negations) != bool(other.negations),
        DIRECTION: found[DIRECTION] and _turned(mine, other),
    }
    total, lost = (sum(map(informativeness, some)) for some in (words, missing))
    units = {number.unit for number in mine.numbers}
    mere = about is not None and not left and {n for n in other.numbers if n.unit in units} <= {*mine.numbers}
    return Comparison(
        1 - lost / total if total else float(mere and bool(units)),
        most,
        frozenset(name for name, is_so in found.items() if is_so),
        frozenset(name for name, is_so in opposed.items() if is_so),
    )


def turns(claim: str, evidence: str) -> bool:
    """Tell whether a claim has the two sides of a verb the other way round: who treats what."""
    there: dict[tuple[bool, str], list[tuple[frozenset[str], frozenset[str]]]] = {}
    for place in _RULES["one way"].finditer(evidence):
        there.setdefault(_verb(place), []).append(_sides(evidence, place))
    for place in _RULES["one way"].finditer(claim):
        before, behind = _sides(claim, place)
        sides = there.get(_verb(place), [])
        crossed = any(before & (last - first) and behind & (first - last) for first, last in sides)
        if crossed and not any(before & first and behind & last for first, last in sides):
            return True
    return False


def _verb(place: re.Match[str]) -> tuple[bool, str]:
    return bool(place["passive"]), place["verb"].lower()


def _sides(text: str, place: re.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(statement(text[: place.start()]).words), frozenset(statement(text[place.end() :]).words)


@cache
def informativeness(word: str) -> float:
    """Tell how much a word tells, by its form."""
    return min(fusion.model().rarity(_stems().get(word, stem(word))), CAP)


@cache
def _stems() -> Mapping[str, str]:
    """Give what words are counted by: form → the stem that most sections have."""
    holding = fusion.model().holding
    stems = {form(one): one for one in sorted(holding, key=lambda one: holding[one])}
    for other, first in _synonyms()[1].items():
        words = [form(first), stems.get(form(other), stem(other))]
        if " " not in first and " " not in other and first.isalpha():
            stems[words[0]] = max(stems.get(words[0], stem(first)), words[1], key=lambda one: holding.get(one, 0))
    return stems


def _counts_otherwise(mine: Statement, other: Statement) -> bool:
    """Tell whether the other text counts or measures the same by other numbers alone."""
    theirs = {unit: {n.value for n in other.numbers if n.unit == unit} for unit in {n.unit for n in other.numbers}}
    units = {number.unit for number in mine.numbers} & theirs.keys() - {""}
    return any(theirs[unit].isdisjoint({n.value for n in mine.numbers if n.unit == unit}) for unit in units)


def _negated_otherwise(mine: Statement, other: Statement, shared: set[str]) -> bool:
    """Tell whether a claim denies what the other text states, or states what it denies.

    How far a negation reaches is guessed: where both deny the same, one of them may seem to deny a few words more.
    """
    either, both = (mine.negated ^ other.negated) & shared, mine.negated & other.negated & shared
    surely = ((mine.denied - other.negated) | (other.denied - mine.negated)) & shared
    fewer = mine.negations < other.negations and set(other.words) <= set(mine.words)
    return mine.negations > other.negations or fewer or bool(surely) or bool(either and not both)


def _unmatched(mine: Statement, other: Statement, over: Statement) -> bool:
    """Tell whether a claim has more words of one direction than the other texts, or has one turned round."""
    left = Counter(side for one in (*other.directions, *over.directions) for side in one.sides)
    for one in mine.directions:
        pair, side = max(one.sides, key=lambda side: left[side])
        if left[pair, side] <= 0 and (pair not in table().loose or left[pair, 1 - side] > 0):
            return True
        left[pair, side] -= 1
    return _turned(mine, other)


def _turned(mine: Statement, other: Statement) -> bool:
    """Tell whether a text says of a word the opposite of what another one says of it, and not the same as well."""
    return any(
        any(_opposes(one, two) for two in other.directions)
        and not any(one.sides & two.sides and one.about == two.about for two in other.directions)
        for one in mine.directions
    )


def _opposes(one: Direction, other: Direction) -> bool:
    if one.sides & other.sides or one.about != other.about:
        return False
    return any((pair, 1 - side) in other.sides for pair, side in one.sides)
