"""Orphanet's products in XML (https://www.orphadata.com): diseases (1), their phenotypes (4) and genes (6).

A file, or a folder of them. Names in another language than English are kept with it. Phenotypes that Orphanet excludes
are left out and counted. References in brackets behind a number (`22587682[PMID]`) are evidence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ...schema.records import Entity, SourceInfo
from ..base import Reject, Row, Source
from ..files import xml_stream
from ..files.texts import files_of, head
from ..files.xml_stream import child, text
from .term_annotations import Annotation, relations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ...schema.records import Value
    from ..base import Item

INFO: Final = SourceInfo(
    id="orphanet",
    title="Orphanet: rare diseases, their phenotypes and genes",
    version="unversioned",
    licence="CC-BY-4.0",
    url="https://www.orphadata.com/",
    citation="Orphadata Science: free access data from Orphanet. INSERM 1999. https://sciences.orphadata.com",
    rank=1,
    prefixes=("Orphanet",),
)

_ROOT: Final = "JDBOR"
_VERSION: Final = re.compile(rb'<JDBOR[^>]*\bdate="(\d{4}-\d\d-\d\d)')
_PLACES: Final = (("JDBOR", "DisorderList"), ("JDBOR", "HPODisorderSetStatusList", "HPODisorderSetStatus"))
_EVIDENCE: Final = re.compile(r"([^\[\]_]+)\[(\w+)\]")
_CAUSES: Final = re.compile(r"disease-causing", re.IGNORECASE)
_PREFIXES: Final = {"Ensembl": "ENSEMBL", "SwissProt": "UniProtKB", "ICD-10": "ICD10", "ICD-11": "ICD11"}
_GENE_IDS: Final = ("HGNC", "Ensembl", "SwissProt", "OMIM")  # whose ids name a gene, the best first


def records(path: Path) -> Iterator[Item]:
    """Read one product, or a folder of them: entities, then relations with all that is said of each."""
    known: set[str] = set()
    return relations(str(path), chain.from_iterable(_items(file, known) for file in _files(path)))


def describe(path: Path) -> SourceInfo:
    """Read the release from the date in the newest file."""
    dates = [found[1].decode() for file in _files(path) if (found := _VERSION.search(head(file, 4096)))]
    return replace(INFO, version=max(dates)) if dates else INFO


def recognise(path: Path) -> bool:
    """Tell whether a file, or every XML file of a folder, is a product of Orphanet."""
    try:
        return all(xml_stream.prolog(file).root == _ROOT for file in _files(path))
    except SourceFileError:
        return False


SOURCE: Final = Source(INFO, records, order=22, describe=describe, recognise=recognise)


def _files(path: Path) -> list[Path]:
    return files_of(path, (".xml",), "a product of Orphanet")


def _items(path: Path, known: set[str]) -> Iterator[Item | Annotation]:
    file = str(path)
    for element in xml_stream.elements(path, _ROOT, ["Disorder"]):
        if tuple(xml_stream.local(one) for one in element.iterancestors())[::-1] not in _PLACES:
            continue
        line = element.sourceline
        try:
            disease = _disease(element)
        except RecordError as error:
            yield Reject(file, line, str(error))
            continue
        found, annotations = {disease.id: disease}, []
        for read, one in ((read, one) for tag, read in _ASSOCIATIONS.items() for one in _inside(element, tag)):
            try:
                entity, annotation = read(one, disease.id)
            except RecordError as error:
                yield Reject(file, one.sourceline, f"an association of {disease.id} is left out: {error}")
                continue
            found.setdefault(entity.id, entity)
            annotations.append(annotation)
        yield from (Row(entity, file, line) for curie, entity in found.items() if curie not in known)
        known.update(found)
        yield from annotations


def _disease(element: Any) -> Entity:
    code, name = text(child(element, "OrphaCode")), child(element, "Name")
    if not code.isdecimal():
        raise RecordError(f"the disorder {text(name)[:60]!r} has no OrphaCode (a number)")
    synonyms = tuple(filter(None, map(text, _inside(element, "SynonymList"))))
    language = name.get("lang", "en") if name is not None else "en"
    if language != "en":
        return Entity(f"Orphanet:{code}", translations=tuple(f"{said}@{language}" for said in (text(name), *synonyms)))
    exact, others = _references(element)
    facts: dict[str, Value] = {
        "disorder_type": _name(element, "DisorderType"),
        "expert_link": text(child(element, "ExpertLink")),
        "inexact_xrefs": others,
    }
    return Entity(
        f"Orphanet:{code}",
        "Disease",
        text(name) or f"Orphanet:{code}",
        synonyms,
        text(next(element.iter("Contents"), None)),
        xrefs=exact,
        properties=tuple((key, value) for key, value in sorted(facts.items()) if value),
    )


def _references(element: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give ids elsewhere of the same, and those of something wider or narrower with how they are related."""
    exact: list[str] = []
    others: list[str] = []
    for one in _inside(element, "ExternalReferenceList"):
        curie, relation = _curie(one), _name(one, "DisorderMappingRelation").partition(" ")[0]
        if relation in {"", "E"}:
            exact.append(curie)
        else:
            others.append(f"{curie} {relation}")
    return tuple(dict.fromkeys(exact)), tuple(dict.fromkeys(others))


def _phenotype(one: Any, disease: str) -> tuple[Entity, Annotation]:
    term = child(one, "HPO")
    curie = text(child(term, "HPOId"))
    said = {"frequency": _name(one, "HPOFrequency"), "diagnostic_criteria": _name(one, "DiagnosticCriteria")}
    entity = Entity(curie, "Phenotype", text(child(term, "HPOTerm")) or curie)
    return entity, Annotation((disease, "HAS_SYMPTOM", curie, ""), one.sourceline, said=said)


def _gene(one: Any, disease: str) -> tuple[Entity, Annotation]:
    gene = child(one, "Gene")
    if gene is None:
        raise RecordError("it has no Gene")
    ids = {text(child(ref, "Source")): _curie(ref) for ref in _inside(gene, "ExternalReferenceList")}
    curie = next((ids[name] for name in _GENE_IDS if name in ids), f"Orphanet:{gene.get('id')}")
    symbol = text(child(gene, "Symbol")) or curie
    names = (text(child(gene, "Name")), *map(text, _inside(gene, "SynonymList")))
    xrefs = tuple(other for other in ids.values() if other != curie)
    entity = Entity(curie, "Gene", symbol, tuple(dict.fromkeys(filter(None, names))), xrefs=xrefs)
    word = _name(one, "DisorderGeneAssociationType")
    kind = "CAUSED_BY" if _CAUSES.match(word) else "ASSOCIATED_WITH"
    evidence = tuple(f"{b}:{a.strip()}" for a, b in _EVIDENCE.findall(text(child(one, "SourceOfValidation"))))
    said = {"status": _name(one, "DisorderGeneAssociationStatus")}
    return entity, Annotation((disease, kind, curie, word), one.sourceline, evidence, said)


_ASSOCIATIONS: Final = {"HPODisorderAssociationList": _phenotype, "DisorderGeneAssociationList": _gene}


def _inside(element: Any, tag: str) -> Iterator[Any]:
    listed = child(element, tag)
    yield from listed.iterchildren("*") if listed is not None else ()


def _name(element: Any, tag: str) -> str:
    return text(child(child(element, tag), "Name"))


def _curie(reference: Any) -> str:
    source = text(child(reference, "Source"))
    written = f"{_PREFIXES.get(source, source.replace(' ', '_'))}:{text(child(reference, 'Reference'))}"
    return prefixes.standard(written) or written
