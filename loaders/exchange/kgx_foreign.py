"""Nodes and edges of KGX graphs that others wrote, as entities and relations."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema import prefixes
from ...schema.checks import MAX_ID
from ...schema.exchange import biolink
from ...schema.exchange.flat import sorted_properties
from ...schema.records import RESERVED, UMLS, Entity, Relation, SourceInfo, Value
from ...schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from .. import polarity
from ..base import UNSTATED, UNVERSIONED, Item, Remark, Row
from ..mending import LeftOut, Remarks, finite, salvaged, storable
from .assembling import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Data = dict[str, Any]

_SYNONYMS: Final = ("synonym", "exact_synonym", "synonyms")
_SAME: Final = ("xref", "same_as", "equivalent_identifiers", "equivalent_curies")
_WIDTHS: Final = ("narrow_synonym", "broad_synonym", "related_synonym")
_FACTS: Final = "id name category description provided_by deprecated replaced_by".split()
_NODE: Final = {*_FACTS, *_SYNONYMS, *_SAME, *_WIDTHS}
_PROVIDERS: Final = ("primary_knowledge_source", "knowledge_source", "original_knowledge_source", "provided_by")
_SCORES: Final = ("has_confidence_score", "score", "confidence_score")
_EDGE: Final = {"subject", "predicate", "object", "publications", "negated"}
_LISTS: Final = {
    *("category", "provided_by", "publications", "replaced_by", "aggregator_knowledge_source", "knowledge_source"),
    *("has_evidence", "supporting_publications", "in_taxon", "qualifiers", *_SYNONYMS, *_SAME, *_WIDTHS),
}
_TRUE: Final = {"true", "1", "yes", "t"}
_TEXTS: Final = {"name", "description", *_SYNONYMS, *_WIDTHS}
_QUALIFIED: Final = re.compile(r"qualified_predicate|qualifiers|.+_qualifier")


class Reader:
    """Reads the lines of one graph, the parts of which have names that begin with its own."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._sources: dict[str, str] = {}
        self._columns: dict[str, str] = {}
        self._remarks = Remarks()
        self._left_out = LeftOut()

    def node(self, data: Data, file: str, line: int) -> Iterator[Item]:
        """Yield a row for each provider of a node, after what announces the provider, and remarks."""
        values = self._entity(data, file, line)
        yield from self._stated(Entity, values, "provided_by", _list(data.get("provided_by")), file, line)

    def edge(self, data: Data, file: str, line: int) -> Iterator[Item]:
        """Yield a row for each source of an edge, after what announces the source, and remarks."""
        if why := polarity.denial(_text(data, "predicate"), data):
            said = " ".join(str(data.get(name, ""))[:100] for name in ("subject", "predicate", "object"))
            self._left_out.add(why, said, file, line)
            return
        source = next((name for name in _PROVIDERS if data.get(name)), "")
        values = self._relation(data, source, file, line)
        providers = _list(data.get(source)) or _retrieved(data.get("sources"))
        yield from self._stated(Relation, values, source or _PROVIDERS[0], providers, file, line)

    def pass_over(self, what: str, example: str, file: str) -> None:
        """Count something beside nodes and edges that is not read."""
        self._left_out.add(what, example, file, 0)

    def left_out(self) -> Iterator[Remark]:
        """Tell which edges were left out, when all are read."""
        yield from self._left_out.remarks()

    def _stated(
        self, kind: type[Any], values: Data, column: str, providers: list[str], file: str, line: int
    ) -> Iterator[Item]:
        """Yield a record for each provider, which it names in its own words."""
        properties = values["properties"]
        for provider in providers or [""]:
            if provider and provider not in self._sources:
                # Name a part of the source after who provided it.
                word = re.sub(r"[^a-z0-9]+", "-", provider.lower().removeprefix("infores:")).strip("-") or "unnamed"
                name, number = f"{self._base[:25]}-{word}"[:58], 1
                while name in self._sources.values():
                    number += 1
                    name = f"{self._base[:25]}-{word}"[:54] + f"-{number}"
                self._sources[provider] = name
                info = SourceInfo(self._sources[provider], provider[:MAX_ID], UNVERSIONED, UNSTATED, "", rank=9)
                yield Row(info, file, line)
            said = properties | ({column: provider} if provider else {})
            record, lost = salvaged(kind, values | {"properties": sorted_properties(said)})
            for what in lost:
                self._remarks.add(what, file, line, f"{what}; it is left out, the rest of the line is kept")
            yield from self._remarks.take()
            yield Row(record, file, line, self._sources.get(provider, ""))

    def _entity(self, data: Data, file: str, line: int) -> Data:
        written, data = _text(data, "id"), self._plain(data, file, line)
        entity_id = prefixes.curie(written)
        categories = _list(data.get("category"))
        if not categories:
            said = f"{written!r} and perhaps others have no category; the prefixes of their ids tell what they are"
            self._remarks.add("no category", file, line, said)
        elif biolink.label_of(categories) is None:
            said = f"the category {categories[0][:60]!r} is unknown; the prefix of {written[:60]!r} tells what it is"
            self._remarks.add(f"category {categories[0]}", file, line, said)
        label = label_of(categories, entity_id)
        name, *names = _texts(data, "name") or [""]
        if not name:
            said = f"{written!r} and perhaps others have no name; their ids stand for it"
            self._remarks.add("no name", file, line, said)
        same = [prefixes.curie(text) for text in _lists(data, _SAME)]
        properties = self._properties(data, _NODE, file, line)
        if properties.get("iri") == prefixes.uri(entity_id):
            properties.pop("iri", None)
        if categories not in ([], [ENTITY_LABELS[label]], biolink.categories_of(label)):
            properties["category"] = tuple(categories)
        return {
            "id": entity_id,
            "label": label,
            "name": name or entity_id,
            "synonyms": tuple(dict.fromkeys((*names, *_lists(data, _SYNONYMS)))),
            "definition": "\n".join(_texts(data, "description")),
            "concepts": tuple(dict.fromkeys(m[1] for curie in (entity_id, *same) if (m := UMLS.fullmatch(curie)))),
            **{f"{width}s": _lists(data, (width,)) for width in _WIDTHS},
            "xrefs": tuple(dict.fromkeys(curie for curie in same if curie != entity_id)),
            "obsolete": str(data.get("deprecated", "")).lower() in _TRUE,
            "replaced_by": tuple(map(prefixes.curie, _lists(data, ("replaced_by",)))),
            "properties": properties,
        }

    def _plain(self, data: Data, file: str, line: int) -> Data:
        sound: Data = {}
        for name in sorted(_TEXTS & data.keys()):
            value = data[name]
            items = value if isinstance(value, list) else [value]
            sound[name] = [str(item) for item in items if not isinstance(item, bool | list | dict) and item is not None]
            if lost := [item for item in items if isinstance(item, bool | list | dict)]:
                said = f"{name!r} is {str(lost[0])[:60]!r}, not a text; it is left out, the rest of the line is kept"
                self._remarks.add(f"{name} is no text", file, line, said)
            if not isinstance(value, list):
                sound[name] = "".join(sound[name])
        return data | sound

    def _relation(self, data: Data, source: str, file: str, line: int) -> Data:
        stated = predicate = _text(data, "predicate")
        if ":" not in predicate:
            predicate = f"biolink:{predicate.replace(' ', '_')}"
        if turned := biolink.TURNED.get(predicate):
            data, predicate = _turned(data), turned
        kind = biolink.relation_of(predicate)
        if kind is None:
            why = f"the predicate {stated[:60]!r} is none that the graph has a type for; it is kept as RELATED_TO"
            self._remarks.add(f"predicate {stated}", file, line, why)
        # Add what qualifies a predicate to it, since edges that differ there alone say different things.
        said = [f"{n}={'|'.join(_list(data[n]))}" for n in sorted(data) if _QUALIFIED.fullmatch(n) and _list(data[n])]
        word = f"{predicate} ({'; '.join(said)})" if said else predicate
        score = next((name for name in _SCORES if finite(data.get(name)) is not None), "")
        properties = self._properties(data, _EDGE | {source, score}, file, line)
        plain = kind is not None and word in {biolink.predicate_of(kind), RELATION_TYPES[kind]}
        if turned or (plain and kind and word != biolink.predicate_of(kind)):
            properties["stated_predicate"] = stated
        return {
            "subject": prefixes.curie(_text(data, "subject")),
            "type": kind or "RELATED_TO",
            "object": prefixes.curie(_text(data, "object")),
            "predicate": "" if plain else word,
            "evidence": tuple(dict.fromkeys(prefixes.standard(t) or t for t in _lists(data, ("publications",)))),
            "score": finite(data.get(score)),
            "properties": properties,
        }

    def _properties(self, data: Data, known: Iterable[str], file: str, line: int) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for column in data.keys() - set(known):
            value = _value(column, data[column])
            if value in ("", ()):
                continue
            key, found_value = self._key(column, file, line), storable(value)
            found[key] = found_value
            if found_value is not value:
                said = f"{key} is {str(value)[:60]}, a number that the graph cannot hold; it is kept as a text"
                self._remarks.add(f"number {key}", file, line, said)
        return found

    def _key(self, column: str, file: str, line: int) -> str:
        if column not in self._columns:
            word = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column.removeprefix("biolink:"))
            word = re.sub(r"[^a-z0-9]+", "_", word.lower()).strip("_")
            if word in RESERVED or not word[:1].isalpha():
                word = f"kgx_{word}"
            taken, key, number = set(self._columns.values()), word[:61], 1
            while key in taken:
                number += 1
                key = f"{word[:56]}_{number}"
            self._columns[column] = key
            if column not in {key, "id"}:
                said = f"what stands in {column[:60]!r} is stored as {key!r}"
                self._remarks.add(f"column {column}", file, line, said)
        return self._columns[column]


def _retrieved(sources: Any) -> list[str]:
    said = [item for item in sources if isinstance(item, dict)] if isinstance(sources, list) else []
    return [str(item.get("resource_id")) for item in said if str(item.get("resource_role")).endswith(_PROVIDERS[0])]


def _turned(data: Data) -> Data:
    """Read an edge from its other end: what is said of its subject is said of its object, and the other way round."""
    other = {"subject": "object", "object": "subject"}
    return {re.sub(r"^(subject|object)(?=_|$)", lambda end: other[end[1]], n): value for n, value in data.items()}


def _text(data: Data, name: str) -> str:
    value = data.get(name, "")
    if isinstance(value, bool | list | dict) or value is None:
        raise RecordError(f"{name!r} is {str(value)[:60]!r}, not a text")
    return str(value)


def _texts(data: Data, name: str) -> list[str]:
    value = data.get(name, "")
    return [item for item in (value if isinstance(value, list) else [value]) if item.strip()]


def _list(value: Any) -> list[str]:
    """Read a value that may be one text, texts with `|` between them, or a list."""
    items = value.split("|") if isinstance(value, str) else value if isinstance(value, list) else [value]
    texts = (json.dumps(item, ensure_ascii=False) if isinstance(item, dict | list) else item for item in items)
    return [str(text).strip() for text in texts if text is not None and str(text).strip()]


def _lists(data: Data, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for name in names for item in _list(data.get(name))))


def _value(column: str, value: Any) -> Value:
    """Keep a value as it is, if the graph can hold it, and as JSON otherwise."""
    if column in _LISTS or (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        return tuple(_list(value))
    if isinstance(value, str | bool | int | float):
        return value
    return json.dumps(value, ensure_ascii=False)
