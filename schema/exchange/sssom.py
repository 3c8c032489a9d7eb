"""Mappings as rows of SSSOM, the format for mappings between vocabularies, and back."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from ...files import word_table
from .. import prefixes
from ..records import RESERVED, Relation
from .biolink import relation_of
from .table_cells import guard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..records import Value

NEEDED: Final = ("subject_id", "predicate_id", "object_id", "mapping_justification")
TABLE: Final = word_table(Path(__file__).parent.with_name("sssom.tsv"))
SLOTS: Final = tuple(TABLE["slot"])  # Columns of a mapping, in the order of the standard


def _slots(what: str) -> frozenset[str]:
    return frozenset(name for name, words in TABLE["slot"].items() if what in words)


LISTS: Final = _slots("list")
NUMBERS: Final = _slots("number")
SHARED: Final = sorted(_slots("shared"))  # What a mapping set may say for all its mappings
REFERENCES: Final = _slots("curie")
_ADDRESSES: Final = _slots("address")
_DATES: Final = _slots("date")
# Stands under `other` in what we write, so that this is taken away again
OURS: Final = (
    "medgraph: a cell that begins with = + - @ ' or a quotation mark has a ' in front; ext_subject_ID and "
    "ext_object_ID hold ids that are no CURIEs"
)
BASE: Final = "urn:medgraph:id:"  # What the addresses of ids begin with whose prefix nobody is known to have
EXTENSION: Final = "medgraph.property:"
JSON: Final = "rdf:JSON"
UNSPECIFIED: Final = "semapv:UnspecifiedMatching"
# What the standard lets a mapping be justified by
JUSTIFICATIONS: Final = frozenset(f"semapv:{word}" for word in TABLE["justifications"]["-"])
_TYPES: Final = {predicate: kind for predicate, (kind,) in TABLE["type"].items()}
_WORDS: Final = {kind: word for word, kind in _TYPES.items() if word.startswith("skos:")}
_HINTS: Final = {str: "xsd:string", bool: "xsd:boolean", int: "xsd:integer", float: "xsd:double", tuple: JSON}
_LEAST: Final = {"similarity_score": 0, "reviewer_agreement": -1}
_CHOICES: Final = {name: frozenset(word.replace("_", " ") for word in words) for name, words in TABLE["choice"].items()}
_OF_REVIEWS: Final = frozenset({"review_date", "reviewer_agreement"})
_STRUCTURE: Final = frozenset(
    {*NEEDED, "confidence", "subject_label", "object_label", "subject_category", "object_category"}
    | {"predicate_modifier"}
)
_LOCAL = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/?#-]|%[0-9A-Fa-f]{2})+"
_CURIE: Final = re.compile(f"([A-Za-z_][A-Za-z0-9_.-]*):{_LOCAL}")
_PREFIX: Final = re.compile("[A-Za-z_][A-Za-z0-9_.]*")
_ADDRESS: Final = re.compile(f"[A-Za-z][A-Za-z0-9+.-]*:{_LOCAL}")
_KEPT: Final = "~!$&'()*+,;=:@/?#%"
_LONE: Final = re.compile("%(?![0-9A-Fa-f]{2})")
# Prefixes that SSSOM knows, and a file may not have for anything else
BUILT_IN: Final = frozenset(TABLE["prefixes"]["-"])
_ITEM: Final = re.compile(r"\\?\|")


def is_mapping(relation: Relation) -> bool:
    """Tell whether a relation's type is a match, or its method a way of matching."""
    return relation.type in _WORDS or relation.method.startswith("semapv:")


def relation_type(predicate: str) -> tuple[str, str]:
    """Give the relation type for a predicate, and the predicate where the type says less than it does."""
    kind = _TYPES.get(predicate)
    if kind is None:
        return "RELATED_TO", "" if relation_of(predicate) == "RELATED_TO" else predicate
    return kind, "" if predicate.startswith("skos:") else predicate


def encoded(entity_id: str) -> str:
    """Write an id as a CURIE, with what that cannot have percent-encoded, and another prefix instead of an odd one."""
    prefix, _, local = entity_id.partition(":")
    if not _PREFIX.fullmatch(prefix) or prefix in BUILT_IN:
        prefix = f"x_{prefix.encode().hex()}"
    return f"{prefix}:{_LONE.sub('%25', quote(local, safe=_KEPT))}"


def base_of(entity_id: str) -> str:
    """Give what addresses of an id begin with whose prefix nobody is known to have; `restored` takes that away."""
    return f"{BASE}{quote(entity_id.partition(':')[0], safe='')}:"


def restored(curie: str, bases: Mapping[str, str]) -> str:
    """Read an id of our own exports; the address itself where nobody else knows the prefix by it."""
    prefix, _, local = curie.partition(":")
    base = bases.get(prefix, "")
    if base.startswith(BASE):
        return f"{unquote(base[len(BASE) : -1])}:{local}"
    return curie if not base or prefixes.uri(f"{prefix}:0") == f"{base}0" else base + local


def to_row(relation: Relation) -> tuple[dict[str, str], dict[str, Value]]:
    """Write a mapping as cells by column, and values by column that are none of the standard, for `extension`."""
    word = relation.predicate
    if not _CURIE.fullmatch(word):
        word = _WORDS.get(relation.type, "biolink:related_to")
    method = relation.method if relation.method in JUSTIFICATIONS else UNSPECIFIED
    row = {"subject_id": encoded(relation.subject), "predicate_id": word, "object_id": encoded(relation.object)}
    row["mapping_justification"] = method
    more: dict[str, Value] = dict(relation.properties)
    if relation.score is not None and 0 <= relation.score <= 1:
        row["confidence"] = repr(float(relation.score))
    elif relation.score is not None:
        more["score"] = float(relation.score)
    if relation.evidence:
        more["evidence"] = relation.evidence
    if relation.predicate and relation.predicate != word:
        more["predicate"] = relation.predicate
    if relation.method not in {method, "stated"}:
        more["method"] = relation.method
    reviewed = any(_fits(name, more.get(name)) for name in ("reviewer_id", "reviewer_label"))
    others: dict[str, Value] = {}
    for key, value in more.items():
        if key in SLOTS and key not in _STRUCTURE and _fits(key, value) and (reviewed or key not in _OF_REVIEWS):
            row[key] = repr(value) if key in NUMBERS else guard(_slot(value))
        else:
            others[f"ext_{key}"] = value
    return row, others


def prefixes_in(row: Mapping[str, str]) -> set[str]:
    """List the prefixes of all CURIEs of a row, in lists too."""
    items = (item for name in REFERENCES & row.keys() for item in items_of(name, row[name]))
    return {match[1] for item in items if (match := _CURIE.match(item))}


def items_of(column: str, cell: str) -> list[str]:
    """Give what stands in a cell: several things where the column holds lists."""
    return split(cell) if column in LISTS else [cell]


def is_address(text: str) -> bool:
    """Tell whether a text is an absolute URI, as SSSOM wants for licences."""
    return _ADDRESS.fullmatch(text) is not None


def hint(value: Value) -> str:
    """Name the type of a value, which may have been through JSON; `rdf:JSON` for what no plain cell can hold."""
    return JSON if value == "" or isinstance(value, list) else _HINTS[type(value)]


def extension(value: Value, kind: str) -> str:
    """Write a value of a column that is none of the standard, and of a `kind` that `hint` names."""
    if kind == JSON:
        return guard(json.dumps(value, ensure_ascii=False))
    if isinstance(value, bool):
        return "true" if value else "false"
    return guard(value) if isinstance(value, str) else repr(value)


def of_cell(name: str, cell: str, kind: str = "") -> Value:
    """Read a cell, of a `kind` that `hint` names in further columns; the text itself where it is not of that type."""
    if name in LISTS:
        return tuple(split(cell))
    try:
        if name in NUMBERS or kind == "xsd:double":
            return float(cell)
        if kind == "xsd:integer":
            return int(cell)
        if kind == JSON:
            return _of_json(json.loads(cell), cell)
    except (ValueError, RecursionError):
        return cell
    return cell == "true" if kind == "xsd:boolean" else cell


def split(cell: str) -> list[str]:
    r"""Read a list with `|` between its items, and `\|` for that character in one of them, without empty ones."""
    marked = _ITEM.sub(lambda match: "|" if len(match[0]) == 2 else "\0", cell)
    return [item.strip() for item in marked.split("\0") if item.strip()]


def property_name(column: str, extensions: Mapping[str, str]) -> str:
    """Name a property after a column; `extensions` declares those of columns that are none of the standard."""
    declared = extensions.get(column, "")
    if declared.startswith(EXTENSION):
        return declared.removeprefix(EXTENSION)
    word = re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_")[:50]
    return word if word[:1].isalpha() and word not in RESERVED else f"sssom_{word}"


def _fits(key: str, value: Value | None) -> bool:
    if key in LISTS:
        return isinstance(value, tuple) and bool(value) and all(_is_item(key, item) for item in value)
    if key in NUMBERS:
        return isinstance(value, float) and _LEAST[key] <= value <= 1
    return isinstance(value, str) and bool(value) and _is_sound(key, value)


def _is_item(key: str, text: str) -> bool:
    return bool(text) and text == text.strip() and "\\" not in text and _is_sound(key, text)


def _is_sound(key: str, text: str) -> bool:
    if key in REFERENCES:
        return _CURIE.fullmatch(text) is not None
    if key in _ADDRESSES:
        return is_address(text)
    if key in _DATES:
        return _is_date(text)
    return key not in _CHOICES or text in _CHOICES[key]


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _slot(value: Value) -> str:
    return "|".join(item.replace("|", "\\|") for item in value) if isinstance(value, tuple) else str(value)


def _of_json(value: Any, cell: str) -> Value:
    if isinstance(value, list):
        return tuple(value) if all(isinstance(item, str) for item in value) else cell
    return value if isinstance(value, str | bool | int | float) else cell
