"""Detects negated statements of sources, in the notations of every format that can express them.

A statement is denied by its predicate (`never_in_taxon`, `lacks_part`, `NOT|enables`, `disease_excludes_finding`) or by
a qualifier: a mark of negation, or a frequency of none (0 of 30 patients, HP:0040285). It is no relation: the readers
leave it out and count it, so that nothing tells the opposite of what the source says.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ..schema import prefixes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NEGATED: Final = "statements that are marked as negated are left out"
UNCLEAR: Final = "statements of which it is not told whether they are negated are left out"
NEVER: Final = "statements that something is excluded, or was found in none (a frequency of 0), are left out"

_DENYING: Final = re.compile(
    r"(?:^|_)(?:not|never|no|nor|cannot|lack(?:s|ing)?|without|absent|absence|missing|exclud(?:es?|ed|ing)|disjoint|ruled_out)(?:_|$)"
    r"|^neg_(?!regulat)|(?:^|_)(?:phenotype_negative|different_from)$"
)
# Properties that deny by their meaning: never in taxon, disjoint from, no connections with; NCIt's `Excludes` …
_WITHOUT_WORDS: Final = frozenset(
    "RO:0002161 RO:0002163 RO:0002171 RO:0002475 RO:0002527 owl:complementOf CL:4030045 CL:4030046".split()
).union(f"NCIT:R{number}" for number in range(135, 143))
_MARKS: Final = {"negated", "is_negated", "negation", "excluded", "is_excluded", "predicate_modifier"}
_TRUE: Final = {"true", "t", "yes", "y", "1", "1.0", "not", "negated"}
_FALSE: Final = {"", "false", "f", "no", "n", "0", "0.0", "none", "null", "nan"}
_NOT: Final = {"not", "negated", "negated_predicate", "absent", "excluded"}
_COUNTED: Final = {"has_count", "has_quotient", "has_percentage"}
_FREQUENCIES: Final = {"frequency", "has_frequency", "frequency_qualifier", *_COUNTED}
_PREDICATES: Final = set(
    "qualified_predicate original_predicate predicate_label relation relation_label edge_label".split()
)
_QUALIFIER: Final = re.compile(r"(?:.+_)?(?:qualifiers?|modifiers?)")
_NONE: Final = re.compile(
    r"0+(?:\.0*)?\s*%?|0+\s*(?:/|of|out of)\s*0*[1-9]\d*|(?:excluded|absent|never)\b.*", re.DOTALL
)
_EXCLUDED: Final = "HP:0040285"
_NAMED: Final = (("qualifier_type_id", "qualifier_value"), ("attribute_type_id", "value"))


def denial(predicate: str, qualifiers: Mapping[str, Any] | None = None, name: str = "") -> str:
    """Tell why a statement says what is not so; empty where it holds, as `contraindicated_in` and the like do.

    Args:
        predicate: Its CURIE, URI or word, with or without a prefix.
        qualifiers: What else is said of the statement, by column or property; texts, or values as JSON has them.
        name: What the predicate is called, where its id does not tell.
    """
    if _denies(predicate) or (name and _denies(name)):
        return f"statements of what is not so ({(name or predicate)[:60]}) are left out"
    if not qualifiers:
        return ""
    columns = ((column, value) for column, value in qualifiers.items() if _may_deny(column))
    said = [(_plain(name), item) for column, value in columns for name, item in _items(column, value)]
    if any(_is_negation(column, item) for column, item in said):
        return NEGATED
    if any(column in _MARKS and str(item).lower() not in _FALSE for column, item in said):
        return UNCLEAR
    # Tell whether a frequency is none; 0 of 0 says nothing, and several values of one kind have to agree.
    nobody_counted = any(column == "has_total" and _is_none(item) for column, item in said)
    found: dict[str, list[bool]] = {}
    for column, item in said:
        if column in _FREQUENCIES and not (column in _COUNTED and nobody_counted):
            found.setdefault(column, []).append(_is_none(item))
    return NEVER if any(map(all, found.values())) else ""


@lru_cache(maxsize=1 << 12)
def _denies(word: str) -> bool:
    return not _WITHOUT_WORDS.isdisjoint(_ids(word)) or _DENYING.search(_plain(word)) is not None


def _ids(word: str) -> tuple[str, str | None, str | None]:
    """Give what an id may be written as: a CURIE, a URI, or with `_`, as OBO's addresses end (`HP_0040285`)."""
    return word, prefixes.standard(word), prefixes.standard(f"obo:{word}")


@lru_cache(maxsize=1 << 12)
def _plain(word: str) -> str:
    """Give the words of a name in small letters, with `_` between them: `not_part_of` of `x:notPartOf`."""
    local = re.sub(r"[^\s|]*[#/:]", "", word.strip(), count=1)
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", local).lower()).strip("_")


@lru_cache(maxsize=1 << 12)
def _may_deny(column: str) -> bool:
    name = _plain(column)
    known = name in _MARKS | _FREQUENCIES | _PREDICATES | {"has_total", "attributes"}
    return known or _QUALIFIER.fullmatch(name) is not None


def _items(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Take a value apart: lists, texts with `|` in them, pairs as `name=value`, objects as Translator writes them."""
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    if isinstance(value, list | tuple):
        for item in value:
            yield from _items(name, item)
    elif isinstance(value, dict):
        for key, what in _NAMED:
            if isinstance(value.get(key), str):
                yield from _items(value[key], value.get(what))
        for key, item in value.items():
            yield from _items(name if key == "id" else key, item)
    elif isinstance(value, str) and "|" in value:
        yield from _items(name, value.split("|"))
    elif isinstance(value, str) and "=" in value:
        key, _, text = value.partition("=")
        yield key, text
    else:
        yield name, value.strip() if isinstance(value, str) else value


def _is_negation(name: str, item: Any) -> bool:
    if name in _MARKS:
        return item.lower() in _TRUE or _plain(item) in _NOT if isinstance(item, str) else item == 1
    if not isinstance(item, str):
        return False
    if name in _PREDICATES:
        return _denies(item)
    return _plain(item) in _NOT and _QUALIFIER.fullmatch(name) is not None


def _is_none(item: Any) -> bool:
    if isinstance(item, str):
        return _NONE.fullmatch(item.lower()) is not None or _EXCLUDED in _ids(item)
    return isinstance(item, int | float) and not isinstance(item, bool) and item == 0
