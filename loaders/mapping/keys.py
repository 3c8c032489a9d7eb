"""The keys of a mapping, each with what may stand there: for `mapping_form`, and for the schema that editors read."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ...schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from .values import STEPS


class Key(NamedTuple):
    """What may stand at a key.

    Of the kinds `word`, `count` and `flag` are written out; `text` and `id` are templates that give one text, `texts`
    and `ids` templates that give any number; the others have a form of their own.
    """

    kind: str
    help: str
    required: bool = False


SOURCE: Final = {
    "id": Key("word", "The source's name in commands: small letters, digits, - and _.", True),
    "title": Key("word", "Its name for people.", True),
    "version": Key("word", "The release of the table.", True),
    "licence": Key("word", "The licence of its content, as an SPDX expression where there is one.", True),
    "url": Key("word", "Its home page."),
    "citation": Key("word", "How its authors want to be cited."),
    "minimum": Key("count", "The fewest records of a sound file; fewer fail the load. 1 by default."),
    "rank": Key(
        "count", "Whose word on an entity goes first: 1 a vocabulary of its own ids, 5 a data set, 9 in passing."
    ),
}
TABLE: Final = {
    "delimiter": Key("delimiter", "What stands between cells: comma, tab, semicolon, pipe, or one character."),
    "quoted": Key("flag", 'Whether a cell that begins with " is a quoted one. true by default.'),
    "comment": Key("word", "Lines before the header that begin with this are passed over."),
    "header": Key("words", "The columns' names, for a table without a header."),
    "empty": Key("words", "What stands for an empty cell, such as NA."),
    "rows": Key("word", "The way to the rows in JSON (results.items) or XML (JDBOR/DisorderList/Disorder)."),
    "ragged": Key("flag", "Whether a row may lack cells at its end, which are empty then. false by default."),
    "rest": Key("word", "The column, a list, for all cells behind those of the header."),
    "strip": Key("flag", "Whether blanks around cells are cut off. true by default."),
}
COLUMN: Final = {
    "from": Key("word", "The column's name in the table; of objects in objects the way: genes.symbol, Name@lang."),
    "split": Key("word", "What stands between the items of a cell; `list` for a list as JSON or Python prints it."),
    "then": Key("steps", "What happens to each cell or item, in order."),
    "join": Key("word", "What stands between the items of a list where they become one text, such as a line end."),
    "optional": Key("flag", "Whether the table may lack the column; its cells are empty then."),
}
STEP: Final = {
    "extract": Key(
        "pattern", "A regular expression: its first group, or all that it finds; empty where it finds nothing."
    ),
    "replace": Key("dictionary", "Texts to replace, and by what."),
    "map": Key(
        "dictionary", "What cells say, and what they become; what is not listed is rejected, unless there is else."
    ),
    "join": Key("word", "Makes one text of a list; this stands between the items."),
    "date": Key("word", "The form of a date, such as %m/%d/%Y."),
    "else": Key("word", "Beside map: what any other cell becomes."),
}
CONDITION: Final = {
    "not": Key("words", "Texts that it must not be."),
    "empty": Key("flag", "true: the cell has to be empty; false: it must not be."),
    "matches": Key("pattern", "A regular expression that has to be found in it."),
}
_COMMON: Final = {
    "when": Key("when", "Conditions on columns; rows that do not fulfil all of them are passed over."),
    "each": Key(
        "columns", "A column that holds a list: once for each item. Of several columns, the items go together."
    ),
}
_GROUP: Final = {
    "group_by": Key(
        "columns", "Rows with the same cells here make one record: lists are gathered, the rest has to agree."
    )
}
_PROPERTIES: Final = {"properties": Key("properties", "What else the table says, by name.")}
PROPERTY: Final = {
    "value": Key("text", "A template.", True),
    "type": Key("type", "text, integer, number, boolean or texts; text by default."),
}
PROPERTY_TYPES: Final = ("text", "integer", "number", "boolean", "texts")

ENTITY: Final = {
    "id": Key("id", "A CURIE, such as DOID:{doid}; its prefix names who coined it.", True),
    "label": Key("label", f"One of {', '.join(ENTITY_LABELS)}."),
    "name": Key("text", "The preferred name."),
    "synonyms": Key("texts", "Other names; one that is the name is left out."),
    "definition": Key("text", "What it is, in a sentence or two."),
    "concepts": Key("ids", "CUIs of the UMLS concepts it stands for."),
    "semantic_types": Key("ids", "UMLS semantic types (TUIs)."),
    "narrow_synonyms": Key("texts", "Names of something narrower."),
    "broad_synonyms": Key("texts", "Names of something broader."),
    "related_synonyms": Key("texts", "Names of something related."),
    "xrefs": Key("ids", "CURIEs of the same thing elsewhere."),
    "alternative_ids": Key("ids", "CURIEs that it had before."),
    "obsolete": Key("truth", "Whether the source has given it up."),
    "replaced_by": Key("ids", "What is recommended instead of something obsolete."),
    "translations": Key("texts", "Names in other languages, each with @ and the language behind: Asthme@fr."),
    **_PROPERTIES,
    **_COMMON,
    **_GROUP,
}
RELATION: Final = {
    "subject": Key("id", "The id of the entity it starts at.", True),
    "type": Key("relation", f"One of {', '.join(RELATION_TYPES)}.", True),
    "object": Key("id", "The id of the entity it points to.", True),
    "predicate": Key("text", "The source's own word for it, a CURIE where it has one."),
    "method": Key("text", "How the source came by it; stated by default."),
    "evidence": Key("ids", "What it rests on: CURIEs of publications, or ids of sections."),
    "score": Key("number", "The source's confidence."),
    "negated": Key("truth", "Whether the row says that it is not so (true, or NOT): it is left out and counted."),
    **_PROPERTIES,
    **_COMMON,
    **_GROUP,
}
DATE: Final = {
    "value": Key("text", "A template.", True),
    "format": Key("word", "How the date is written, such as %m/%d/%Y.", True),
}
SECTION: Final = {
    "text": Key("text", "What it says; a section without text is left out."),
    "html": Key("text", "HTML in place of text: a section for each part, with its heading."),
    "type": Key("text", "What it is about, such as symptoms."),
    "heading": Key("text", "Its heading."),
    "question": Key("text", "The question that it answers."),
    "id": Key("id", "Unique in the graph; the document's id, # and a number by default."),
    **_COMMON,
}
QUESTION: Final = {
    "text": Key("text", "A question that the document's page answers.", True),
    "type": Key("text", "What it is about, such as symptoms."),
    "id": Key("id", "Unique in the graph; the document's id, #q and a number by default."),
    **_COMMON,
}
DOCUMENT: Final = {
    "id": Key("id", "Unique in the graph.", True),
    "title": Key("text", "Its title.", True),
    "url": Key("text", "Where people read it."),
    "collection": Key("text", "The part of the source that it belongs to."),
    "published": Key("date", "An ISO date, a year, or a year and month; {value: …, format: …} for another form."),
    "sections": Key("sections", "Its sections, in order."),
    "questions": Key("questions", "Questions that its page answers, without the answer's text."),
    "about": Key("ids", "Ids of the entities it is about."),
    "aliases": Key("texts", "Other names of what it is about."),
    "authors": Key("texts", "Who wrote it, in order."),
    "journal": Key("text", "Where an article came out."),
    "doi": Key("text", "Its DOI, without an address in front."),
    "retracted": Key("truth", "Whether it was taken back."),
    "translations": Key("texts", "Title or abstract in other languages, each with @ and the language behind."),
    "notices": Key("texts", "What was made known later, by kind and where: erratum PMID:1."),
    "revision": Key("text", "Sorts after that of every earlier state of the document."),
    **_PROPERTIES,
    **_COMMON,
    **_GROUP,
}
ROOT: Final = {
    "source": Key("source", "Facts about the source.", True),
    "table": Key("table", "How the table is written, where its suffix does not tell."),
    "prefixes": Key("dictionary", "Prefixes of your own, each with what its addresses begin with."),
    "file": Key(
        "word", "The address of another Neo4j whose rows are read, and a database of it: bolt://host:7687/neo4j."
    ),
    "query": Key("word", "What is asked of it, a query that only reads: MATCH … RETURN d.id AS id."),
    "columns": Key("columns_of_table", "Columns that need more than their name: another name, lists, steps."),
    "entities": Key("entities", "The entities that a row gives."),
    "relations": Key("relations", "The relations between entities that a row gives."),
    "documents": Key("documents", "The documents that a row gives."),
}
RULES: Final = {"entities": ENTITY, "relations": RELATION, "documents": DOCUMENT}


def schema() -> dict[str, Any]:
    """Make the JSON schema of a mapping, for editors."""
    forms = {
        "source": SOURCE,
        "table": TABLE,
        "column": COLUMN,
        "condition": CONDITION,
        "property": PROPERTY,
        "date": DATE,
    }
    forms |= {"entity": ENTITY, "relation": RELATION, "document": DOCUMENT, "section": SECTION, "question": QUESTION}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A table's mapping for medgraph",
        **_object(ROOT),
        "anyOf": [{"required": [kind]} for kind in RULES],
        "definitions": {
            "word": {"type": ["string", "number", "boolean"]},
            "words": _one_or_more({"$ref": "#/definitions/word"}),
            "flag": {"enum": [True, False, "true", "false", "yes", "no"]},
            "step": {"anyOf": [{"enum": list(STEPS)}, {**_object(STEP), "minProperties": 1}]},
            **{name: _object(keys) for name, keys in forms.items()},
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
