"""Mappings of SSSOM in RDF: annotated axioms of a mapping set, as Turtle, N-Triples or RDF/XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...errors import SourceFileError
from ...schema import prefixes
from ...schema.exchange.sssom import LISTS
from ..files import xml_safety
from ..files.on_disk import grouped
from ..files.opening import head, open_source
from . import sssom_header

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .sssom_header import Header

    Triple = tuple[str, str, str, bool]

_SSSOM: Final = "https://w3id.org/sssom/"
_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_OWL: Final = "http://www.w3.org/2002/07/owl#"
_RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
_TERMS: Final = "http://purl.org/dc/terms/"
_SETS: Final = {f"{_SSSOM}MappingSet", f"{_OWL}Ontology"}
_SLOTS: Final = {
    f"{_OWL}annotatedSource": "subject_id",
    f"{_OWL}annotatedProperty": "predicate_id",
    f"{_OWL}annotatedTarget": "object_id",
    f"{_OWL}versionInfo": "mapping_set_version",
    f"{_TERMS}title": "mapping_set_title",
    f"{_TERMS}description": "mapping_set_description",
    f"{_TERMS}creator": "creator_id",
    f"{_TERMS}license": "license",
    f"{_TERMS}created": "mapping_date",
    f"{_TERMS}issued": "publication_date",
    "http://purl.org/pav/authoredBy": "author_id",
    "http://www.w3.org/ns/prov#wasDerivedFrom": "mapping_set_source",
    f"{_RDFS}seeAlso": "see_also",
    f"{_RDFS}comment": "comment",
}
"""The slots that have addresses of other vocabularies; the others are SSSOM's own."""
_SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
_WORDS: Final = {
    f"{_SSSOM}NegatedPredicate": "Not",
    f"{_OWL}Class": "owl class",
    f"{_OWL}ObjectProperty": "owl object property",
    f"{_OWL}DataProperty": "owl data property",
    f"{_OWL}DatatypeProperty": "owl data property",
    f"{_OWL}AnnotationProperty": "owl annotation property",
    f"{_OWL}NamedIndividual": "owl named individual",
    f"{_SKOS}Concept": "skos concept",
    f"{_RDFS}Resource": "rdfs resource",
    f"{_RDFS}Class": "rdfs class",
    f"{_RDFS}Literal": "rdfs literal",
    f"{_RDFS}Datatype": "rdfs datatype",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#Property": "rdf property",
    f"{_SSSOM}ComposedEntityExpression": "composed entity expression",
}
"""What stands for a word that tables have, under `_WORDED`."""
_DEFINING: Final = {"slot_name", "property", "type_hint"}
"""What tells of a column that is none of SSSOM's."""
_WORDED: Final = {"predicate_modifier", "subject_type", "object_type", "predicate_type"}
_XML: Final = re.compile(rb"\s*<(\?xml|!DOCTYPE|!--|rdf:RDF|[A-Za-z]+:RDF)")


def header(path: Path) -> Header:
    """Read what a file says of its mapping set.

    Returns:
        The slots of the set, with the prefixes that the file declares.

    Raises:
        SourceFileError: The file cannot be read or is broken.
    """
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
    return sssom_header.of({"mapping_set_id": best} | said | found)


def mappings(path: Path, head: Header) -> Iterator[dict[str, str]]:
    """Read the mappings of a file.

    Args:
        head: What it says of all of them.

    Yields:
        Cells by slot, with the file's prefixes; of lists with `|` between the items.

    Raises:
        SourceFileError: The file cannot be read or is broken.
    """
    bases = sorted(((base, prefix) for prefix, base in head.prefixes.items()), key=lambda pair: -len(pair[0]))
    names = {head.full(address): column for column, (address, _) in head.extensions.items()}
    said = (
        (subject, 1, (slot, target if literal else _word(slot, target, bases)))
        for subject, predicate, target, literal in _triples(path, {})
        if predicate != _TYPE and (slot := _slot(predicate) or names.get(predicate) or re.split("[/#:]", predicate)[-1])
    )
    for _, parts in grouped(said):
        cells: dict[str, list[str]] = {}
        for _, (slot, value) in parts:
            cells.setdefault(slot, []).append(value)
        if "predicate_id" in cells and cells.keys() & {"mapping_justification", "subject_id", "object_id"}:
            yield {slot: cell(slot, values) for slot, values in cells.items()}


def cell(slot: str, items: list[str]) -> str:
    r"""Write what a mapping says in a slot as a cell.

    Returns:
        The text; for several, and where a list may stand, with `|` between the items, which is `\|` inside of one.
    """
    if slot not in LISTS and len(items) == 1:
        return items[0]
    return "|".join(item.replace("|", "\\|") for item in items)


def _triples(path: Path, declared: dict[str, str]) -> Iterator[Triple]:
    """Yield subject, predicate, object and whether that is a literal; note the file's prefixes, but of RDF/XML."""
    from pyoxigraph import BlankNode, Literal, RdfFormat, parse

    xml = _XML.match(head(path)) is not None
    if xml:
        xml_safety.without_dtd(path, whole=False)
    with open_source(path) as file:
        try:
            quads = parse(
                file, format=RdfFormat.RDF_XML if xml else RdfFormat.TURTLE, base_iri="urn:medgraph:base:", lenient=True
            )
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
