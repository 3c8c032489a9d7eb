"""Writes `docs/reference/` and the schema of mappings from the code, and the list of decisions; `make docs` runs it."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from medgraph.api.routes import ROUTES, document
from medgraph.cli.main import main
from medgraph.loaders.mapping import keys
from medgraph.loaders.mapping.values import STEPS
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FOLDER = Path(__file__).parent / "reference"
MADE = "This page is generated from the code; `make docs` writes it anew.\n"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = [[" ".join(cell.split()).replace("|", r"\|") for cell in row] for row in rows]
    names = list(head)
    lines = [names, ["---"] * len(names), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) if cells else ""


def walk(command: click.Command, names: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command below a group, groups included, with the words that call it."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if below := command.get_command(context, name):
                yield (*names, name), below
                yield from walk(below, (*names, name))


def helped(command: click.Command) -> str:
    return inspect.cleandoc(command.help or "").replace("\b\n", "")


def commands() -> str:
    found = list(walk(main, ("medgraph",)))
    index = [(f"[`{' '.join(n)}`](#{'-'.join(n)})", re.split(r"(?<=\.)\s", helped(c))[0]) for n, c in found]
    parts = [
        "# Commands\n",
        MADE,
        "Each command takes `--help`; each that prints results takes `--json`. Exit status 0, or 1 with one line that\n"
        "names the remedy. Long work shows a bar on a terminal, and elsewhere a line on stderr every 30 seconds.\n",
        table(("command", "purpose"), index),
    ]
    for names, command in found:
        context = click.Context(command, info_name=" ".join(names), **main.context_settings)
        usage = " ".join((*names, *command.collect_usage_pieces(context)))
        options = [option.get_help_record(context) for option in command.params if isinstance(option, click.Option)]
        rows = [(f"`{record[0]}`", record[1]) for record in options if record]
        parts += [f"## {' '.join(names)}\n", f"`{usage}`\n", helped(command) + "\n", table(("option", "meaning"), rows)]
    return "\n".join(part for part in parts if part)


def settings() -> str:
    text = inspect.cleandoc(Settings.__doc__ or "").partition("Attributes:\n")[2]
    said = dict(re.findall(r"^ +(\w+): (`[A-Z].*?)(?=\n +\w+: `|\Z)", text, re.DOTALL | re.MULTILINE))
    plain = Settings.from_environment({})
    rows = []
    for field in fields(Settings):
        _, variable, meaning = said[field.name].split("`", 2)
        meaning = re.sub(r"\bNone\b", "unset", meaning.lstrip(";,. "))
        value = getattr(plain, field.name)
        words = {"None": "unset", "True": "on", "False": "off"}
        default = words.get(str(value)) or f"`{str(value).replace(str(Path.home()), '~')}`"
        rows.append((f"`{variable}`", meaning[:1].upper() + meaning[1:], default))
    head = (
        "# Settings\n",
        MADE,
        "medgraph reads its settings from environment variables, once, when a command starts.\n",
    )
    return "\n".join((*head, table(("variable", "meaning", "default"), rows)))


def kind(schema: dict[str, Any]) -> str:
    """Name a JSON schema's type in a few words, with its bounds."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower().replace('.', '')})"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}))}"
    if "anyOf" in schema and "type" not in schema:
        return " or ".join(kind(part) for part in schema["anyOf"])
    bounds = f" from {schema['minimum']} to {schema['maximum']}" if {"minimum", "maximum"} <= schema.keys() else ""
    longest = f", at most {schema['maxLength']} characters" if "maxLength" in schema else ""
    return f"{schema.get('type', 'any')}{bounds}{longest}"


def http_api() -> str:
    api = document(ROUTES)
    parts = [
        "# HTTP API\n",
        MADE,
        "`medgraph serve` serves these routes, `/openapi.json` and `/docs`. All errors, malformed HTTP included, are\n"
        "RFC 9457 JSON. 503 and 429 carry `Retry-After`. [The tutorial](../tutorials/api.md) has examples.\n",
    ]
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            taken = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            given = [content["schema"] for content in operation["responses"]["200"]["content"].values()]
            line = f"{operation['summary'].rstrip('?.')}."
            line += f" Takes {kind(taken)}." if taken else ""
            line += f" Gives {', '.join(map(kind, given))}."
            rows = [
                (f"`{p['name']}`", kind(p["schema"]), "yes" if p["required"] else "")
                for p in operation.get("parameters", [])
            ]
            parts += [
                f"## {method.upper()} {path}\n",
                line + "\n",
                table(("parameter", "type", "required"), rows),
            ]
    parts.append("## Types\n")
    for name, schema in api["components"]["schemas"].items():
        needed = schema.get("required", []) if name.endswith("Request") else []
        rows = [
            (f"`{field}`", kind(part), "required" * (field in needed) + part.get("description", ""))
            for field, part in schema["properties"].items()
        ]
        parts += [f"### {name}\n", f"{schema.get('description', '')}\n", table(("field", "type", "meaning"), rows)]
    return "\n".join(part for part in parts if part)


def decisions() -> str:
    folder = FOLDER.parent / "decisions"
    titles = [(path.name, path.read_text(encoding="utf-8").partition("\n")[0][2:]) for path in folder.glob("0*.md")]
    rows = [(f"[{name[:4]}]({name})", title) for name, title in sorted(titles)]
    head = (
        "# Decisions\n",
        MADE,
        "Each page says: context, decision, rejected alternatives, and the command or test that shows it.\n",
    )
    return "\n".join((*head, table(("number", "decision"), rows)))


def mapping_schema() -> str:
    """Make the JSON schema of a mapping, by which editors complete and check it."""
    made = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A table's mapping for medgraph",
        **mapping_object(keys.FORMS["root"]),
        "anyOf": [{"required": [kind]} for kind in (*keys.RULES, "tables")],
        "definitions": {
            "word": {"type": ["string", "number", "boolean"]},
            "words": one_or_more({"$ref": "#/definitions/word"}),
            "flag": {"enum": [True, False, "true", "false", "yes", "no"]},
            "step": {"anyOf": [{"enum": list(STEPS)}, {**mapping_object(keys.FORMS["step"]), "minProperties": 1}]},
            **{name: mapping_object(form) for name, form in keys.FORMS.items() if name not in {"root", "step"}},
        },
    }
    return json.dumps(made, ensure_ascii=False, indent=2)


def mapping_object(form: dict[str, keys.Key]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"description": key.help, **mapping_form(key.kind)} for name, key in form.items()},
        "required": [name for name, key in form.items() if key.required],
        "additionalProperties": False,
    }


def mapping_form(kind: str) -> dict[str, Any]:
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
        "type": {"enum": list(keys.PROPERTY_TYPES)},
        "date": {"anyOf": [word, {"$ref": "#/definitions/date"}]},
        "delimiter": {"type": "string"},
        "pattern": {"type": "string", "format": "regex"},
        "dictionary": named,
        "steps": one_or_more({"$ref": "#/definitions/step"}),
        "when": any_name({"anyOf": [words, {"$ref": "#/definitions/condition"}]}),
        "properties": any_name({"anyOf": [word, {"$ref": "#/definitions/property"}]}),
        "columns_of_table": any_name({"$ref": "#/definitions/column"}),
        "source": {"$ref": "#/definitions/source"},
        "table": {"$ref": "#/definitions/table"},
        "tables": any_name({"$ref": "#/definitions/part"}),
    }
    lists = {"entities": "entity", "relations": "relation", "documents": "document"}
    lists |= {"sections": "section", "questions": "question"}
    if kind in lists:
        return {"type": "array", "items": {"$ref": f"#/definitions/{lists[kind]}"}, "minItems": 1}
    return forms.get(kind, word)


def one_or_more(item: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


def any_name(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": value, "minProperties": 1}


def pages() -> dict[str, str]:
    """Give each page's text by its path below `docs/reference/`."""
    made = {"commands.md": commands, "settings.md": settings, "http-api.md": http_api}
    made |= {"../decisions/README.md": decisions, "../../loaders/mapping/mapping.schema.json": mapping_schema}
    return {name: make().rstrip() + "\n" for name, make in made.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, page in pages().items():
        (FOLDER / file).write_text(page, encoding="utf-8")
