"""The keys of a mapping, each with what may stand there; `SCHEMA` is the JSON schema of them, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from ...files import table_cells
from ...schema.vocabulary import ENTITY_LABELS, RELATION_TYPES


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
SCHEMA: Final = _TABLE.with_name("mapping.schema.json")
FORMS: Final = _forms()
PROPERTY_TYPES: Final = ("text", "integer", "number", "boolean", "texts")
RULES: Final = {"entities": FORMS["entity"], "relations": FORMS["relation"], "documents": FORMS["document"]}
