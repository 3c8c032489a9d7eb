"""Mappings as rows of SSSOM, the format for mappings between vocabularies, and back."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from ..records import RESERVED, Relation
from .biolink import relation_of
from .table_cells import guard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..records import Value

NEEDED: Final = ("subject_id", "predicate_id", "object_id", "mapping_justification")
SLOTS: Final = (
    "record_id subject_id subject_label subject_category predicate_id predicate_label predicate_modifier object_id "
    "object_label object_category mapping_justification author_id author_label reviewer_id reviewer_label creator_id "
    "creator_label license subject_type subject_source subject_source_version object_type object_source "
    "object_source_version predicate_type mapping_provider mapping_source mapping_cardinality cardinality_scope "
    "mapping_tool mapping_tool_id mapping_tool_version mapping_date publication_date review_date confidence "
    "reviewer_agreement curation_rule curation_rule_text subject_match_field object_match_field match_string "
    "subject_preprocessing object_preprocessing similarity_score similarity_measure see_also issue_tracker_item other "
    "comment"
).split()
"""Columns of a mapping, in the order of the standard."""
LISTS: Final = frozenset(
    "author_id author_label reviewer_id reviewer_label creator_id creator_label cardinality_scope curation_rule "
    "curation_rule_text subject_match_field object_match_field match_string subject_preprocessing object_preprocessing "
    "see_also".split()
)
NUMBERS: Final = frozenset({"similarity_score", "reviewer_agreement"})
SHARED: Final = (
    "mapping_date mapping_provider mapping_tool mapping_tool_id mapping_tool_version object_match_field "
    "object_preprocessing object_source object_source_version object_type predicate_type similarity_measure "
    "subject_match_field subject_preprocessing subject_source subject_source_version subject_type"
).split()
"""What a mapping set may say for all its mappings."""
OURS: Final = "medgraph: a cell that begins with = + - @ ' or a quotation mark has a ' in front"
"""Stands under `other` in what we write, so that this is taken away again."""

EXTENSION: Final = "medgraph.property:"
JSON: Final = "rdf:JSON"
UNSPECIFIED: Final = "semapv:UnspecifiedMatching"

_TYPES: Final = {
    "skos:exactMatch": "EXACT_MATCH",
    "skos:closeMatch": "CLOSE_MATCH",
    "skos:broadMatch": "BROAD_MATCH",
    "skos:narrowMatch": "NARROW_MATCH",
    "skos:relatedMatch": "RELATED_MATCH",
    "owl:sameAs": "EXACT_MATCH",
    "owl:equivalentClass": "EXACT_MATCH",
    "owl:equivalentProperty": "EXACT_MATCH",
    "rdfs:subClassOf": "BROAD_MATCH",
}
_WORDS: Final = {kind: word for word, kind in _TYPES.items() if word.startswith("skos:")}
_HINTS: Final = {str: "xsd:string", bool: "xsd:boolean", int: "xsd:integer", float: "xsd:double", tuple: JSON}
_STRUCTURE: Final = frozenset(
    {*NEEDED, "confidence", "subject_label", "object_label", "subject_category", "object_category"}
)
_ITEM: Final = re.compile(r"\\?\|")


def is_mapping(relation: Relation) -> bool:
    """Tell whether a relation is a mapping.

    Args:
        relation: Any relation.

    Returns:
        Whether its type is a match, or its method a way of matching.
    """
    return relation.type in _WORDS or relation.method.startswith("semapv:")


def relation_type(predicate: str) -> tuple[str, str]:
    """Give the relation type for a predicate.

    Args:
        predicate: A CURIE.

    Returns:
        A key of `RELATION_TYPES`, and the predicate where the type says less than it does.
    """
    kind = _TYPES.get(predicate)
    if kind is None:
        return "RELATED_TO", "" if relation_of(predicate) == "RELATED_TO" else predicate
    return kind, "" if predicate.startswith("skos:") else predicate


def to_row(relation: Relation) -> tuple[dict[str, str], dict[str, Value]]:
    """Write a mapping as a row.

    Args:
        relation: The mapping.

    Returns:
        Cells by column; and values by column, of columns that are none of the standard, for `extension`.
    """
    word = relation.predicate if ":" in relation.predicate else _WORDS.get(relation.type, "biolink:related_to")
    method = relation.method if relation.method.startswith("semapv:") else UNSPECIFIED
    said = {"subject_id": relation.subject, "predicate_id": word, "object_id": relation.object}
    row = {name: guard(cell) for name, cell in (said | {"mapping_justification": method}).items()}
    if relation.score is not None:
        row["confidence"] = repr(float(relation.score))
    more: dict[str, Value] = dict(relation.properties)
    if relation.evidence:
        more["evidence"] = relation.evidence
    if relation.predicate and relation.predicate != word:
        more["predicate"] = relation.predicate
    others: dict[str, Value] = {}
    for key, value in more.items():
        if key in SLOTS and key not in _STRUCTURE and _fits(key, value):
            row[key] = repr(value) if key in NUMBERS else guard(_slot(value))
        else:
            others[f"ext_{key}"] = value
    return row, others


def hint(value: Value) -> str:
    """Name the type of a value.

    Args:
        value: The value, which may have been through JSON.

    Returns:
        A CURIE for the definition of a column; `rdf:JSON` for what no plain cell can hold.
    """
    return JSON if value == "" or isinstance(value, list) else _HINTS[type(value)]


def extension(value: Value, kind: str) -> str:
    """Write a value of a column that is none of the standard.

    Args:
        value: The value.
        kind: What the column holds, as `hint` names it.

    Returns:
        A cell.
    """
    if kind == JSON:
        return guard(json.dumps(value, ensure_ascii=False))
    if isinstance(value, bool):
        return "true" if value else "false"
    return guard(value) if isinstance(value, str) else repr(value)


def of_cell(name: str, cell: str, kind: str = "") -> Value:
    """Read a cell.

    Args:
        name: Its column.
        cell: The cell.
        kind: What it holds, as `hint` names it, for a column that is none of the standard.

    Returns:
        The value; the text itself where it is not of that type.
    """
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
    r"""Read a list with `|` between its items, and `\|` for that character in one of them.

    Args:
        cell: The cell.

    Returns:
        The items that are not empty.
    """
    marked = _ITEM.sub(lambda match: "|" if len(match[0]) == 2 else "\0", cell)
    return [item.strip() for item in marked.split("\0") if item.strip()]


def property_name(column: str, extensions: Mapping[str, str]) -> str:
    """Name a property after a column.

    Args:
        column: The column.
        extensions: Column → property, of those that are none of the standard.

    Returns:
        A name that a property can have.
    """
    declared = extensions.get(column, "")
    if declared.startswith(EXTENSION):
        return declared.removeprefix(EXTENSION)
    word = re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_")[:50]
    return word if word[:1].isalpha() and word not in RESERVED else f"sssom_{word}"


def _fits(key: str, value: Value) -> bool:
    if key in LISTS:
        return isinstance(value, tuple) and bool(value) and all(i and i == i.strip() and "\\" not in i for i in value)
    return isinstance(value, float) if key in NUMBERS else isinstance(value, str) and bool(value)


def _slot(value: Value) -> str:
    return "|".join(item.replace("|", "\\|") for item in value) if isinstance(value, tuple) else str(value)


def _of_json(value: Any, cell: str) -> Value:
    if isinstance(value, list):
        return tuple(value) if all(isinstance(item, str) for item in value) else cell
    return value if isinstance(value, str | bool | int | float) else cell
