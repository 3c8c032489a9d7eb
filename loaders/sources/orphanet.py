"""Orphanet's products in XML (https://www.orphadata.com), a file or a folder of them.

Diseases (1), their classifications (3), phenotypes (4), genes (6), preferential parents (7), prevalence, age of onset
and inheritance (9). Names in another language than English are kept with it. Phenotypes that Orphanet excludes are left
out and counted. References in brackets behind a number (`22587682[PMID]`) are evidence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ...schema.records import Entity, SourceInfo, Value
from ..base import INFOS, Item, Reject, Row, Source
from ..files import xml_stream
from ..files.texts import files_of, head
from ..files.xml_stream import child, inside, text
from ..mending import LeftOut
from .term_annotations import Annotation, relations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


INFO: Final = INFOS["orphanet"]

_ROOT: Final = "JDBOR"
_VERSION: Final = re.compile(rb'<JDBOR[^>]*\bdate="(\d{4}-\d\d-\d\d)')
_SET: Final = "HPODisorderSetStatus"
_PLACES: Final = {"DisorderList", _SET, "ClassificationNode"}
# What stands in a disorder and is read, or says nothing.
_KNOWN: Final = set(
    "OrphaCode Name ExpertLink SynonymList DisorderType ExternalReferenceList SummaryInformationList PrevalenceList "
    "AverageAgeOfOnsetList TypeOfInheritanceList HPODisorderAssociationList DisorderGeneAssociationList "
    "DisorderDisorderAssociationList Disorder".split()
)
_ADDS: Final = re.compile(rb"<(?:Prevalence|AverageAgeOfOnset|TypeOfInheritance)List|<Name lang=.(?!en\b)")
_IS_A: Final = "preferential parent"
_EVIDENCE: Final = re.compile(r"([^\[\]_]+)\[(\w+)\]")
_HPO: Final = re.compile(r"HP:\d+")
_CAUSES: Final = re.compile(r"disease-causing", re.IGNORECASE)
_PREFIXES: Final = {"Ensembl": "ENSEMBL", "SwissProt": "UniProtKB", "ICD-10": "ICD10", "ICD-11": "ICD11"}
_GENE_IDS: Final = ("HGNC", "Ensembl", "SwissProt", "OMIM")  # whose ids name a gene, the best first


def records(path: Path) -> Iterator[Item]:
    """Read one product, or a folder of them: entities, then relations with all that is said of each."""
    files, facts, left_out = _files(path), dict[str, _Facts](), LeftOut()
    for file in files:  # what some products add to diseases of others comes with the first that names one
        for element in xml_stream.elements(file, _ROOT, ["Disorder"]) if _ADDS.search(head(file)) else ():
            facts.setdefault(text(child(element, "OrphaCode")), _Facts()).take(element)
    known: set[str] = set()
    items = chain.from_iterable(_items(file, known, facts, left_out) for file in files)
    yield from relations(str(path), items)
    yield from left_out.remarks()


def describe(path: Path) -> SourceInfo:
    """Read the release from the date in the newest file."""
    dates = [found[1].decode() for file in _files(path) if (found := _VERSION.search(head(file, 4096)))]
    return replace(INFO, version=max(dates)) if dates else INFO


def recognise(path: Path) -> bool:
    """Tell whether a file, or every XML file of a folder, is a product of Orphanet."""
    return all(xml_stream.prolog(file).root == _ROOT for file in _files(path))


SOURCE: Final = Source(INFO, records, order=22, describe=describe, recognise=recognise)


def _files(path: Path) -> list[Path]:
    # English first, in which a disease gets its name; the names in other languages come with it.
    files = files_of(path, (".xml",), "a product of Orphanet")
    return sorted(files, key=lambda file: (not file.name.startswith("en_"), file.name))


class _Facts:
    def __init__(self) -> None:
        self.properties: dict[str, dict[str, None]] = {}
        self.translations: dict[str, None] = {}

    def take(self, element: Any) -> None:
        for tag, name in (("AverageAgeOfOnset", "age_of_onset"), ("TypeOfInheritance", "inheritance")):
            for one in inside(element, f"{tag}List"):
                self._add(name, text(child(one, "Name")))
        for one in inside(element, "PrevalenceList"):
            self._add("prevalence", _prevalence(one))
        if (language := _language(element)) != "en":
            named = (text(child(element, "Name")), *map(text, inside(element, "SynonymList")))
            self.translations.update(dict.fromkeys(f"{said}@{language}" for said in named if said))

    def _add(self, name: str, said: str) -> None:
        if said:
            self.properties.setdefault(name, {})[said] = None


def _prevalence(one: Any) -> str:
    """Write a prevalence in one line: `Point prevalence; 1-9 / 100 000; mean 2.5; Europe; Validated; PMID:1`."""
    mean, names = text(child(one, "ValMoy")), ("PrevalenceType", "PrevalenceClass")
    said = [_name(one, tag) for tag in names]
    said += [f"mean {mean}" if mean.strip("0.") else "", _name(one, "PrevalenceQualification")]
    said += [_name(one, "PrevalenceGeographic"), _name(one, "PrevalenceValidationStatus"), *_evidence(one, "Source")]
    return "; ".join(filter(None, said))


def _items(path: Path, known: set[str], facts: dict[str, _Facts], left_out: LeftOut) -> Iterator[Item | Annotation]:
    file, found_any = str(path), False
    for element in _disorders(path, left_out):
        line, found_any = element.sourceline, True
        for one in inside(element, "ExternalReferenceList"):
            if not prefixes.is_id(curie := _curie(one)):
                left_out.add("external references without an id of the vocabulary are not read", curie, file, line)
        try:
            disease = _disease(element, facts)
        except RecordError as error:
            yield Reject(file, line, str(error))
            continue
        found, annotations = {disease.id: disease}, list(_wider(element, disease.id))
        for read, one in ((read, one) for tag, read in _ASSOCIATIONS.items() for one in inside(element, tag)):
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
    if not found_any:
        raise SourceFileError("holds no disorder; it is a product of Orphanet that is not read", path)


def _disorders(path: Path, left_out: LeftOut) -> Iterator[Any]:
    """Give the disorders that a product is about; count what is not read in them and around them."""
    for element in xml_stream.elements(path, _ROOT, ["Disorder", _SET]):
        disorder = xml_stream.local(element) != _SET
        if disorder and xml_stream.local(element.getparent()) not in _PLACES:
            continue
        for tag in sorted({xml_stream.local(one) for one in element.iterchildren("*")} - _KNOWN):
            code = text(child(element, "OrphaCode"))
            left_out.add(f"{tag} of disorders is not read", code, str(path), element.sourceline)
        if disorder:
            yield element


def _wider(element: Any, disease: str) -> Iterator[Annotation]:
    """Give what a disorder stands below in a classification, with its name."""
    node = element.getparent()
    node.set("disorder", disease)  # for what stands below it: the element of a disorder is freed behind it
    if xml_stream.local(node) == "ClassificationNode" and (wider := node.getparent().getparent().get("disorder")):
        name = next((text(child(one, "Name")) for one in node.iterancestors("Classification")), "")
        yield Annotation((disease, "IS_A", wider, ""), element.sourceline, said={"classification": name})


def _language(element: Any) -> str:
    name = child(element, "Name")
    return name.get("lang", "en") if name is not None else "en"


def _disease(element: Any, facts: dict[str, _Facts]) -> Entity:
    code, name = text(child(element, "OrphaCode")), child(element, "Name")
    if not code.isdecimal():
        raise RecordError(f"the disorder {text(name)[:60]!r} has no OrphaCode (a number)")
    more = facts.get(code, _Facts())
    if _language(element) != "en":
        return Entity(f"Orphanet:{code}", translations=tuple(more.translations))
    exact, others = _references(element)
    kind, link = _name(element, "DisorderType"), text(child(element, "ExpertLink"))
    said: dict[str, Value] = {"disorder_type": kind, "expert_link": link, "inexact_xrefs": others}
    said |= {name: tuple(values) for name, values in more.properties.items()}
    return Entity(
        f"Orphanet:{code}",
        "Disease",
        text(name) or f"Orphanet:{code}",
        tuple(filter(None, map(text, inside(element, "SynonymList")))),
        text(next(element.iter("Contents"), None)),
        xrefs=exact,
        translations=tuple(more.translations),
        properties=tuple((key, value) for key, value in sorted(said.items()) if value),
    )


def _references(element: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give ids elsewhere of the same, and those of something wider or narrower with how they are related."""
    exact: list[str] = []
    others: list[str] = []
    for one in inside(element, "ExternalReferenceList"):
        curie, relation = _curie(one), _name(one, "DisorderMappingRelation").partition(" ")[0]
        if not prefixes.is_id(curie):  # which was counted
            continue
        if relation in {"", "E"}:
            exact.append(curie)
        else:
            others.append(f"{curie} {relation}")
    return tuple(dict.fromkeys(exact)), tuple(dict.fromkeys(others))


def _phenotype(one: Any, disease: str) -> tuple[Entity, Annotation]:
    term = child(one, "HPO")
    curie = text(child(term, "HPOId"))
    if not _HPO.fullmatch(curie):
        raise RecordError(f"{curie[:60]!r} is no HPO term, such as HP:0000001")
    said = {"frequency": _name(one, "HPOFrequency"), "diagnostic_criteria": _name(one, "DiagnosticCriteria")}
    entity = Entity(curie, "Phenotype", text(child(term, "HPOTerm")) or curie)
    return entity, Annotation((disease, "HAS_SYMPTOM", curie, ""), one.sourceline, said=said)


def _gene(one: Any, disease: str) -> tuple[Entity, Annotation]:
    gene = child(one, "Gene")
    if gene is None:
        raise RecordError("it has no Gene")
    ids = {text(child(ref, "Source")): _curie(ref) for ref in inside(gene, "ExternalReferenceList")}
    own = (f"Orphanet:{number}",) if (number := gene.get("id")) else ()
    curie = next(iter([*(ids[name] for name in _GENE_IDS if prefixes.is_id(ids.get(name, ""))), *own]), "")
    if not curie:
        raise RecordError("its Gene has no id")
    symbol = text(child(gene, "Symbol")) or curie
    names = (text(child(gene, "Name")), *map(text, inside(gene, "SynonymList")))
    xrefs = tuple(other for other in ids.values() if other != curie)
    entity = Entity(curie, "Gene", symbol, tuple(dict.fromkeys(filter(None, names))), xrefs=xrefs)
    word = _name(one, "DisorderGeneAssociationType")
    kind = "CAUSED_BY" if _CAUSES.match(word) else "ASSOCIATED_WITH"
    evidence = _evidence(one, "SourceOfValidation")
    said = {"status": _name(one, "DisorderGeneAssociationStatus")}
    return entity, Annotation((disease, kind, curie, word), one.sourceline, evidence, said)


def _disorder(one: Any, disease: str) -> tuple[Entity, Annotation]:
    target, word = child(one, "TargetDisorder"), _name(one, "DisorderDisorderAssociationType").lower()
    if not (code := text(child(target, "OrphaCode"))):
        raise RecordError("it has no TargetDisorder with an OrphaCode")
    curie, name, language = f"Orphanet:{code}", text(child(target, "Name")), _language(target)
    kind = "IS_A" if word == _IS_A else "RELATED_TO"
    if language != "en" or not name:
        entity = Entity(curie, translations=(f"{name}@{language}",) if name else ())
    else:
        entity = Entity(curie, "Disease", name)
    return entity, Annotation((disease, kind, curie, word), one.sourceline)


_ASSOCIATIONS: Final = {
    "HPODisorderAssociationList": _phenotype,
    "DisorderGeneAssociationList": _gene,
    "DisorderDisorderAssociationList": _disorder,
}


def _evidence(element: Any, tag: str) -> tuple[str, ...]:
    return tuple(f"{b}:{a.strip()}" for a, b in _EVIDENCE.findall(text(child(element, tag))))


def _name(element: Any, tag: str) -> str:
    return text(child(child(element, tag), "Name"))


def _curie(reference: Any) -> str:
    source = text(child(reference, "Source"))
    written = f"{_PREFIXES.get(source, source.replace(' ', '_'))}:{text(child(reference, 'Reference'))}"
    return prefixes.standard(written) or written
