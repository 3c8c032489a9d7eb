"""The mappings of an SSSOM file, whatever its form: a table, JSON or RDF, each also packed with gzip.

In RDF, as Turtle, N-Triples or RDF/XML, they are annotated axioms of a mapping set.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ...errors import SourceFileError
from ...schema import prefixes
from ...schema.exchange.sssom import LISTS, TABLE
from ..base import Reject
from ..files import json_items, tables, texts, xml_stream
from ..files.on_disk import grouped
from ..files.texts import head, open_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Triple = tuple[str, str, str, bool]


_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
MAX_HEADER: Final = 4_000_000
_HEADER_SUFFIXES: Final = (".sssom.yml", ".sssom.yaml", ".yml", ".yaml")
_TABLE: Final = re.compile(r"(\.sssom)?\.(tsv|csv|txt)(\.gz)?$", re.IGNORECASE)


@dataclass(slots=True)
class Header:
    """What stands in front of the mappings: texts, lists and mappings of texts, as `said` by name.

    Prefixes stand for beginnings of URIs, extensions (columns that are none of the standard) for property and type.
    """

    said: dict[str, Any] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)
    extensions: dict[str, tuple[str, str]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Give what is said under a name: of a list, the items with `|` between; empty where nothing is said."""
        value = self.said.get(name, "")
        if isinstance(value, list):
            return "|".join(str(item).replace("|", "\\|") for item in value)
        return value if isinstance(value, str) else ""

    def curie(self, text: str) -> str | None:
        """Give the standard CURIE of an id, or the address that the file makes of it; None for an unknown prefix."""
        full = self.full(text)
        return prefixes.standard(full) or prefixes.short_form(full) or (full if full != text else None)

    def full(self, text: str) -> str:
        """Write an id in full whose prefix the file explains, and any other as it is."""
        prefix, colon, local = text.partition(":")
        return self.prefixes[prefix] + local if colon and local and prefix in self.prefixes else text

    def reference(self, text: str) -> str:
        """Write an id in full that nobody but the file explains; any other as it is."""
        full = self.full(text)
        return text if "://" not in full or prefixes.standard(full) else full


def load_header(path: Path) -> Header:
    """Read what a file's comments say, or else the file beside it that has its name and ends in `.sssom.yml`."""
    lines, size = [], 0
    for item in texts.lines(path):
        if isinstance(item, Reject) or not item[1].startswith("#"):
            break
        lines.append(item[1][1:].rstrip("\t"))  # a spreadsheet gives each line as many cells as the table has
        size += len(item[1])
        if size > MAX_HEADER:
            said = f"has more than {MAX_HEADER:,} characters in front of its mappings; shorten them"
            raise SourceFileError(said, path, item[0])
    if lines:
        return of(_parsed("\n".join(lines), path))
    if (found := header_file(path)) is None:
        return Header()
    if found.stat().st_size > MAX_HEADER:
        raise SourceFileError(f"has more than {MAX_HEADER:,} bytes; shorten it", found)
    return of(_parsed(texts.whole(found), found))


def header_file(path: Path) -> Path | None:
    """Find the file beside a table that has its name and tells of it."""
    stem = _TABLE.sub("", path.name)
    return next((file for suffix in _HEADER_SUFFIXES if (file := path.with_name(stem + suffix)).is_file()), None)


def _parsed(text: str, path: Path) -> dict[str, Any]:
    import yaml

    class Loader(yaml.BaseLoader):
        """Texts, lists and mappings; an alias would let a small file become a large one."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.MarkedYAMLError(None, None, "an alias; write it out", self.peek_event().start_mark)  # type: ignore[no-untyped-call]
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            said: dict[str, Any] = {}
            for key, value in node.value:
                if said.setdefault(str(key.value), value.value) != value.value:
                    raise yaml.MarkedYAMLError(None, None, f"{key.value!r} stands twice; keep one", key.start_mark)
            return super().construct_mapping(node, deep)

    try:
        data = yaml.load(text, Loader=Loader)  # noqa: S506 - it makes texts, lists and mappings alone
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "context", None) or "nested too deep"
        line = mark.line + 1 if mark else 1
        raise SourceFileError(f"its metadata is not YAML as SSSOM has it: {reason}", path, line) from error
    if data is None or data == "":
        return {}
    if not isinstance(data, dict):
        raise SourceFileError("its metadata is no mapping of names to values; write name: value on each line", path, 1)
    return {str(name): value for name, value in data.items()}


def of(said: dict[str, Any]) -> Header:
    """Find prefixes and further columns in what a file says of all its mappings."""
    curie_map = said.get("curie_map")
    pairs = curie_map.items() if isinstance(curie_map, dict) else ()
    known = {str(k): v.strip() for k, v in pairs if isinstance(v, str) and prefixes.is_base(v)}
    extensions = {}
    defined = said.get("extension_definitions")
    for item in defined if isinstance(defined, list) else []:
        if isinstance(item, dict) and isinstance(item.get("slot_name"), str):
            hint = str(item.get("type_hint", "")).replace(_XSD, "xsd:")
            extensions[item["slot_name"]] = (str(item.get("property", "")), hint)
    return Header(said, known, extensions)


Cells = dict[str, str]  # Cells by column, of lists with `|` between the items
# What each mapping has; an end that is a text has a label in place of an id, and a justification may be left out
NEEDED: Final = ("predicate_id",)
_LISTED: Final = "mappings"

_SSSOM: Final = "https://w3id.org/sssom/"
_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_OWL: Final = "http://www.w3.org/2002/07/owl#"
_TERMS: Final = "http://purl.org/dc/terms/"
_SETS: Final = {f"{_SSSOM}MappingSet", f"{_OWL}Ontology"}
# The slots that have addresses of other vocabularies; the others are SSSOM's own
_SLOTS: Final = {address: slot for address, (slot,) in TABLE["address"].items()}
# What stands for a word that tables have, under `_WORDED`
_WORDS: Final = {address: " ".join(words) for address, words in TABLE["word"].items()}
_DEFINING: Final = {"slot_name", "property", "type_hint"}  # What tells of a column that is none of SSSOM's
_WORDED: Final = {"predicate_modifier", "subject_type", "object_type", "predicate_type"}
_XML: Final = re.compile(rb"\s*<(\?xml|!DOCTYPE|!--|rdf:RDF|[A-Za-z]+:RDF)")


def _rdf_header(path: Path) -> Header:
    """Read the slots of the mapping set, with the prefixes that the file declares."""
    declared: dict[str, str] = {}
    sets: set[tuple[bool, str]] = set()
    extensions: dict[str, dict[str, str]] = {}
    for subject, predicate, target, _ in _triples(path, declared):
        if predicate == _TYPE and target in _SETS:
            sets.add((target != f"{_SSSOM}MappingSet", subject))
        elif (slot := _slot(predicate)) in _DEFINING:
            extensions.setdefault(subject, {})[slot] = target
    _, best = min(sets, default=(True, ""))
    said: dict[str, Any] = {}
    for subject, predicate, target, _ in _triples(path, {}) if best else ():
        slot = _slot(predicate) or re.split("[/#:]", predicate)[-1]
        if subject == best and predicate != _TYPE and slot not in {"mappings", "extension_definitions"}:
            value = _WORDS.get(target, target) if slot in _WORDED else target
            said[slot] = [*said.get(slot, []), value] if slot in LISTS else value
    found = {"curie_map": declared, "extension_definitions": list(extensions.values())}
    return of({"mapping_set_id": best} | said | found)


def _rdf_rows(path: Path, said: Header) -> Iterator[dict[str, str]]:
    """Yield the cells of mappings by slot, with the file's prefixes; of lists with `|` between the items."""
    bases = sorted(((base, prefix) for prefix, base in said.prefixes.items()), key=lambda pair: -len(pair[0]))
    names = {said.full(address): column for column, (address, _) in said.extensions.items()}
    parts_of = (
        (subject, 1, (slot, target if literal else _word(slot, target, bases)))
        for subject, predicate, target, literal in _triples(path, {})
        if predicate != _TYPE and (slot := _slot(predicate) or names.get(predicate) or re.split("[/#:]", predicate)[-1])
    )
    for _, parts in grouped(parts_of):
        cells: dict[str, list[str]] = {}
        for _, (slot, value) in parts:
            cells.setdefault(slot, []).append(value)
        if "predicate_id" in cells and cells.keys() & {"mapping_justification", "subject_id", "object_id"}:
            yield {slot: _cell(slot, values) for slot, values in cells.items()}


def _cell(slot: str, items: list[str]) -> str:
    r"""Write several items, and where a list may stand, with `|` between them, which is `\|` inside of one."""
    if slot not in LISTS and len(items) == 1:
        return items[0]
    return "|".join(item.replace("|", "\\|") for item in items)


def _triples(path: Path, declared: dict[str, str]) -> Iterator[Triple]:
    """Yield subject, predicate, object and whether that is a literal; note the file's prefixes, but of RDF/XML."""
    from pyoxigraph import BlankNode, Literal, RdfFormat, parse

    xml = _XML.match(head(path)) is not None
    with xml_stream.opened_as_utf_8(path) if xml else open_source(path) as file:
        try:
            syntax = RdfFormat.RDF_XML if xml else RdfFormat.TURTLE
            quads = parse(file, format=syntax, base_iri="urn:medgraph:base:", lenient=True)
            for quad in quads:
                subject, target = quad.subject, quad.object
                if not isinstance(subject, str) and hasattr(target, "value"):
                    start = f"_:{subject.value}" if isinstance(subject, BlankNode) else subject.value
                    yield start, quad.predicate.value, target.value, isinstance(target, Literal)
            declared.update(quads.prefixes)
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None)
            said = " ".join(str(error).split())[:300]
            raise SourceFileError(f"is not whole RDF ({said}); mend it, or fetch it again", path, line) from error


def _slot(predicate: str) -> str:
    own = predicate.removeprefix(_SSSOM)
    return own if own != predicate else _SLOTS.get(predicate, "")


def _word(slot: str, address: str, bases: list[tuple[str, str]]) -> str:
    """Write an address as tables do: by a word, by the file's longest prefix that fits, or by one that is known."""
    if slot in _WORDED and address in _WORDS:
        return _WORDS[address]
    for base, prefix in bases:
        if address.startswith(base) and len(address) > len(base):
            return f"{prefix}:{address[len(base) :]}"
    return prefixes.standard(address) or address


def _form_of(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    if name.endswith((".json", ".jsonld")):
        return "json"
    return "rdf" if name.endswith((".rdf", ".owl", ".ttl", ".nt", ".xml")) else "table"


def header(path: Path) -> Header:
    """Read what a file says of all its mappings."""
    form = _form_of(path)
    if form == "table":
        return load_header(path)
    return _rdf_header(path) if form == "rdf" else _of_json(json_items.members(path, {_LISTED}, lenient=True))


def rows(path: Path, said: Header) -> Iterator[tuple[int, Cells] | Reject]:
    """Yield the cells of mappings with the line of each, which is 1 in RDF; a `Reject` for one that cannot be read."""
    form = _form_of(path)
    if form == "table":
        yield from tables.read(path, NEEDED, comment="#", ragged=True)
    elif form == "rdf":
        yield from ((1, cells) for cells in _rdf_rows(path, said))
    else:
        for item in json_items.of(path, _LISTED, lenient=True):
            if isinstance(item, Reject):
                yield item
            elif isinstance(item[1], dict):
                line, data = item
                yield line, {name: _cell(name, items) for name, value in data.items() if (items := _items(value))}
            else:
                yield Reject(str(path), item[0], f"is {str(item[1])[:60]!r}, not a mapping in {{}}")


def looks_right(path: Path) -> bool:
    """Tell whether the first mapping of a file has what tells mappings from other tables and documents."""
    form = _form_of(path)
    if form == "rdf":
        return b"sssom/MappingSet" in head(path) or b"sssom:MappingSet" in head(path)
    if form == "json":
        first = json_items.first(path, {_LISTED}, head(path))
        return isinstance(first, dict) and "predicate_id" in first
    names = set(tables.columns(path, comment="#") or ())
    ends = all(names & {f"{end}_id", f"{end}_label"} for end in ("subject", "object"))
    return ends and {"predicate_id", "mapping_justification"} <= names


def _items(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items]


def _of_json(data: dict[str, Any]) -> Header:
    """Give what stands beside the mappings, with the prefixes of its context."""
    context = data.pop("@context", None)
    known = context if isinstance(context, dict) else {}
    parts = known.items()
    bases = {name: said.get("@id") if isinstance(said, dict) and said.get("@prefix") else said for name, said in parts}
    curie_map = {name: base for name, base in bases.items() if isinstance(base, str) and re.match(r"[^@].*", name)}
    own = data.pop("curie_map", None)
    said = {name: value if isinstance(value, str | list | dict) else json.dumps(value) for name, value in data.items()}
    return of(said | {"curie_map": curie_map | (own if isinstance(own, dict) else {})})
