"""The keys of a mapping, each with what may stand there: for `mapping_form`, and for the schema that editors read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

from ...files import table_cells
from ...schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from .values import STEPS


class Key(NamedTuple):
    """What may stand at a key: a kind, as the table explains them, and what it is for."""

    kind: str
    help: str
    required: bool


def _forms() -> dict[str, dict[str, Key]]:
    found: dict[str, dict[str, Key]] = {}
    for _, (forms, name, kind, said) in table_cells(_TABLE, 4, "FORMS, KEY, KIND and HELP"):
        whole = said.replace("<labels>", ", ".join(ENTITY_LABELS)).replace("<relations>", ", ".join(RELATION_TYPES))
        for form in forms.split():
            found.setdefault(form, {})[name] = Key(kind.removesuffix("!"), whole, kind.endswith("!"))
    return found


_TABLE: Final = Path(__file__).with_name("keys.tsv")
FORMS: Final = _forms()
PROPERTY_TYPES: Final = ("text", "integer", "number", "boolean", "texts")
RULES: Final = {"entities": FORMS["entity"], "relations": FORMS["relation"], "documents": FORMS["document"]}


def schema() -> dict[str, Any]:
    """Make the JSON schema of a mapping, for editors."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A table's mapping for medgraph",
        **_object(FORMS["root"]),
        "anyOf": [{"required": [kind]} for kind in RULES],
        "definitions": {
            "word": {"type": ["string", "number", "boolean"]},
            "words": _one_or_more({"$ref": "#/definitions/word"}),
            "flag": {"enum": [True, False, "true", "false", "yes", "no"]},
            "step": {"anyOf": [{"enum": list(STEPS)}, {**_object(FORMS["step"]), "minProperties": 1}]},
            **{name: _object(keys) for name, keys in FORMS.items() if name not in {"root", "step"}},
        },
    }


def _object(keys: dict[str, Key]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"description": key.help, **_form(key.kind)} for name, key in keys.items()},
        "required": [name for name, key in keys.items() if key.required],
        "additionalProperties": False,
    }


def _form(kind: str) -> dict[str, Any]:
    word, words = {"$ref": "#/definitions/word"}, {"$ref": "#/definitions/words"}
    named = {"additionalProperties": word, "type": "object", "minProperties": 1}
    forms: dict[str, dict[str, Any]] = {
        "count": {"type": "integer", "minimum": 1},
        "flag": {"$ref": "#/definitions/flag"},
        "words": words,
        "texts": words,
        "ids": words,
        "columns": words,
        "label": {"anyOf": [{"enum": list(ENTITY_LABELS)}, {"type": "string", "pattern": "[{]"}]},
        "relation": {"anyOf": [{"enum": list(RELATION_TYPES)}, {"type": "string", "pattern": "[{]"}]},
        "type": {"enum": list(PROPERTY_TYPES)},
        "date": {"anyOf": [word, {"$ref": "#/definitions/date"}]},
        "delimiter": {"type": "string"},
        "pattern": {"type": "string", "format": "regex"},
        "dictionary": named,
        "steps": _one_or_more({"$ref": "#/definitions/step"}),
        "when": _named({"anyOf": [words, {"$ref": "#/definitions/condition"}]}),
        "properties": _named({"anyOf": [word, {"$ref": "#/definitions/property"}]}),
        "columns_of_table": _named({"$ref": "#/definitions/column"}),
        "source": {"$ref": "#/definitions/source"},
        "table": {"$ref": "#/definitions/table"},
    }
    lists = {"entities": "entity", "relations": "relation", "documents": "document"}
    lists |= {"sections": "section", "questions": "question"}
    if kind in lists:
        return {"type": "array", "items": {"$ref": f"#/definitions/{lists[kind]}"}, "minItems": 1}
    return forms.get(kind, word)


def _one_or_more(item: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


def _named(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": value, "minProperties": 1}
