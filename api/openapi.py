"""The service's own description, as an OpenAPI document."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Final

from ..queries.lookup import MATCHED, MAX_FOUND
from ..queries.question import MAX_QUESTION
from ..queries.retriever import MAX_RESULTS, MODES, PRESETS
from .inputs import MAX_FILTER, MAX_FILTERS

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_NULLABLE: Final = {"type": ["string", "null"]}
_PROPERTIES: Final = {
    "type": "object",
    "description": "What a source says beyond the graph's own words",
    "additionalProperties": {"type": ["string", "number", "boolean", "array"]},
}
_NOT_BLANK: Final = r"[^\s\u001c-\u001f\u0085]"
_COUNTED: Final = "relations relations_out relations_in documents sections concepts same_concept".split()
_QUESTION: Final = {
    "type": "string",
    "maxLength": MAX_QUESTION,
    "pattern": r"[\p{L}\p{N}]",
    "examples": ["How is gout treated?"],
}
_DAY: Final = {
    "type": "string",
    "description": "A year, a month or a day; empty for any",
    "anyOf": [
        {"const": ""},
        {"pattern": "^[1-9][0-9]{3}$"},
        {"pattern": "^[1-9][0-9]{3}-(0[1-9]|1[0-2])$"},
        {"format": "date"},
    ],
}


def document() -> dict[str, Any]:
    """Describe every route for programs.

    Returns:
        An OpenAPI 3.1 document.
    """
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "medgraph",
            "version": version("medgraph"),
            "summary": "Cited answers and hybrid search over a biomedical knowledge graph.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{}, {"bearer": []}, {"key": []}, {"basic": []}],
        "paths": {
            "/v1/answers": {"post": _answers()},
            "/v1/search": {"get": _search()},
            "/v1/sections/{id}": {"get": _by_id("Give a whole section", "Section", "sample:gout#6")},
            "/v1/entities": {"get": _entities()},
            "/v1/entities/{id}": {"get": _by_id("Tell what is known about an entity", "Entity", "sample:gout")},
            "/v1/sources": {"get": _get("List what is loaded", _fields(sources=_list(_ref("Source"))))},
            "/healthz": {"get": _get("Does the process live?", _fields(status={"const": "ok"}))},
            "/readyz": {"get": _get("Can questions be answered now?", _fields(status={"const": "ready"}))},
            "/metrics": {"get": _metrics()},
        },
        "components": {"schemas": _schemas(), "securitySchemes": _security()},
    }


def _security() -> dict[str, Any]:
    """Describe how a key is sent, where one is asked for."""
    return {
        "bearer": {"type": "http", "scheme": "bearer"},
        "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        "basic": {"type": "http", "scheme": "basic", "description": "The key as password, with any user name."},
    }


def _metrics() -> dict[str, Any]:
    operation = _get("Count and time requests, for Prometheus", _TEXT)
    operation["responses"]["200"]["content"] = {"text/plain": {"schema": _TEXT}}
    return operation


def _answers() -> dict[str, Any]:
    return _get("Answer a question, cited and checked", _ref("Answer"), "404", "413", "415") | {
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref("AnswerRequest")}}}
    }


def _search() -> dict[str, Any]:
    listed = _list(_TEXT | {"maxLength": MAX_FILTER}) | {"maxItems": MAX_FILTERS}
    schemas: dict[str, dict[str, Any]] = {
        "q": _QUESTION,
        "mode": {"enum": list(MODES), "default": "linked"},
        "top_k": {"type": "integer", "minimum": 1, "maximum": MAX_RESULTS, "default": 10},
        "source": listed,
        "licence": listed,
        "type": listed,
        "since": _DAY,
        "until": _DAY,
        "preset": {"enum": list(PRESETS), "default": "default"},
        "by_rank": {"type": "boolean", "default": False},
    }
    operation = _get("Search for sections", _fields(results=_list(_ref("Result"))), "404")
    return operation | {"parameters": _in_query(schemas)}


def _entities() -> dict[str, Any]:
    schemas: dict[str, dict[str, Any]] = {
        "q": _QUESTION | {"pattern": _NOT_BLANK, "examples": ["gout"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": MAX_FOUND, "default": 10},
    }
    operation = _get("Find entities by id or name", _fields(entities=_list(_ref("FoundEntity"))))
    return operation | {"parameters": _in_query(schemas)}


def _in_query(schemas: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": name, "in": "query", "required": name == "q", "schema": s} for name, s in schemas.items()]


def _by_id(summary: str, name: str, example: str) -> dict[str, Any]:
    schema = _TEXT | {"minLength": 1, "examples": [example]}
    parameter = {"name": "id", "in": "path", "required": True, "schema": schema}
    return _get(summary, _ref(name), "404") | {"parameters": [parameter]}


def _get(summary: str, schema: dict[str, Any], *problems: str) -> dict[str, Any]:
    problem = {"description": "A problem", "content": {"application/problem+json": {"schema": _ref("Problem")}}}
    found = {"description": "As asked", "content": {"application/json": {"schema": schema}}}
    anywhere = ("400", "401", "405", "421", "429", "431", "500", "503")
    return {"summary": summary, "responses": {"200": found, **dict.fromkeys(sorted({*anywhere, *problems}), problem)}}


def _schemas() -> dict[str, Any]:
    return {
        "AnswerRequest": _request(),
        "Answer": _fields(
            **_texts("question intent notice"),
            status={"enum": ["answered", "not_enough_evidence"]},
            sentences=_list(_ref("Sentence")),
            entities=_list({"type": "object"}),
            evidence=_list({"type": "object"}),
            confidence=_NUMBER | {"minimum": 0, "maximum": 1},
            timing_ms={"type": "object", "additionalProperties": _NUMBER},
        ),
        "Sentence": _fields(
            text=_TEXT, citations=_list(_ref("Citation")), verdict={"enum": ["supported", "no_evidence"]}
        ),
        "Citation": _fields(
            **_texts("section document title url source licence quote cypher"), start=_COUNT, end=_COUNT
        ),
        "Result": _fields(
            **_texts("document title url source licence collection type question text"),
            section=_NULLABLE,
            start=_COUNT,
            end=_COUNT,
            score=_NUMBER,
            scores={"type": "object", "additionalProperties": {"type": ["number", "null"]}},
        ),
        "Section": _fields(**_texts("section document title url source licence type heading question text")),
        "FoundEntity": _found_entity(),
        "Entity": _entity(),
        "Source": _fields(
            **_texts("source title version licence url"),
            part_of=_NULLABLE,
            documents=_COUNT,
            status=_NULLABLE,
            finished=_NULLABLE,
        ),
        "Problem": _fields(**_texts("type title detail"), status={"type": "integer"}),
    }


def _found_entity() -> dict[str, Any]:
    return _fields(
        **_texts("id label name matched"),
        matched_by={"enum": list(MATCHED)},
        obsolete={"type": "boolean"},
        synonyms=_list(_TEXT),
        documents=_COUNT,
        concepts=_list(_TEXT),
        score=_NUMBER | {"minimum": 0, "maximum": 1},
    )


def _entity() -> dict[str, Any]:
    section = _fields(**_texts("id type heading question"))
    document = _fields(**_texts("id title url source collection"), sections=_list(section))
    way = {"enum": ["out", "in"]}
    relation = _fields(
        **_texts("relation id label name source predicate method"),
        direction=way,
        evidence=_list(_TEXT),
        score={"type": ["number", "null"]},
        properties=_PROPERTIES,
    )
    lists = "synonyms narrow_synonyms broad_synonyms related_synonyms alternative_ids xrefs".split()
    return _fields(
        **_texts("id label name definition"),
        **dict.fromkeys(lists, _list(_TEXT)),
        obsolete={"type": "boolean"},
        replaced_by=_list(_fields(**_texts("id name"))),
        properties=_PROPERTIES,
        sources=_list(_fields(**_texts("source licence version name"))),
        concepts=_list(_fields(**_texts("cui name"), semantic_types=_list(_TEXT))),
        relations=_list(relation),
        kinds=_list(_fields(relation=_TEXT, direction=way, count=_COUNT)),
        documents=_list(document),
        same_concept=_list(_fields(**_texts("id label name"), concepts=_list(_TEXT), sources=_list(_TEXT))),
        counts=_fields(**dict.fromkeys(_COUNTED, _COUNT)),
    )


def _request() -> dict[str, Any]:
    listed = _list(_TEXT | {"maxLength": MAX_FILTER}) | {"maxItems": MAX_FILTERS}
    described = _fields(question=_QUESTION, sources=listed, licences=listed, types=listed, since=_DAY, until=_DAY)
    return described | {"required": ["question"], "additionalProperties": False}


def _texts(names: str) -> dict[str, Any]:
    return dict.fromkeys(names.split(), _TEXT)


def _fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}
