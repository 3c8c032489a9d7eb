"""MeSH in XML (nlm.nih.gov/databases/download/mesh.html): `desc2026.xml` and `supp2026.xml`, packed with gzip or not.

Read twice: for the descriptors with their place in the tree, then for what relates them. Supplementary concepts are a
source of their own, `mesh-supplements`, whose headings are descriptors. Qualifiers are not read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...files import word_table
from ...schema.records import Entity, Relation, SourceInfo
from ..base import INFOS, Item, Reject, Row, Source, made
from ..files import xml_stream
from ..files.xml_stream import child, inside, text
from ..mending import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator


INFO: Final = INFOS["mesh"]

# By outermost element: what its records are called, what ids these have, and what the others in a file may be
_RECORDS: Final = {
    "DescriptorRecordSet": ("Descriptor", re.compile(r"D\d{6,9}"), "D and at least six digits"),
    "SupplementalRecordSet": ("SupplementalRecord", re.compile(r"C\d{6,9}"), "C and at least six digits"),
}
_TREE: Final = re.compile(r"[A-Z]\d\d(\.\d{3})*")
_YEAR: Final = re.compile(r"(?:desc|supp|descriptorrecordset_|supplementalrecordset_)((?:19|20)\d\d)")
_RECORD_BYTES: Final = {".xml": 10_000, ".gz": 550}
_REGISTRIES: Final = (
    ("CAS", re.compile(r"(\d{2,7}-\d\d-\d)")),
    ("EC", re.compile(r"EC (\d+(?:\.(?:\d+|-)){1,3})")),
    ("NCBITaxon", re.compile(r"txid(\d+)")),
    ("UNII", re.compile(r"([A-Z0-9]{10})")),
)

_TABLE: Final = word_table(Path(__file__).with_suffix(".tsv"))
# Beginning of a tree number → label, the longest one counts; of several labels of a descriptor the first one in _ORDER.
_BRANCHES: Final = {number: label for number, (label,) in _TABLE["branch"].items()}
_ORDER: Final = _TABLE["order"]["-"]
_CLASSES: Final = {number: label for number, (label,) in _TABLE["class"].items()}
_READ: Final = frozenset(_TABLE["read"]["-"])  # Elements of a record that are taken up
_TURNED: Final = {"NRW": "BRD", "BRD": "NRW"}


def records(path: Path) -> Iterator[Item]:
    """Read records, then what stands above them, their pharmacological actions and headings, and what to see also."""
    places: dict[str, str] = {}
    good: set[str] = set()
    left = LeftOut()
    root = xml_stream.prolog(path).root
    outer = root if root in _RECORDS else next(iter(_RECORDS))  # which is the error's to say
    what, tag = _RECORDS[outer], outer.removesuffix("Set")
    for element in xml_stream.elements(path, outer, [tag]):
        for part in {str(part.tag) for part in element.iterchildren("*")} - _READ:
            left.add(f"{part} of records is not read", _ui(element), str(path), element.sourceline)
        try:
            record = _entity(element, *what)
        except RecordError as error:
            named = f"{what[0].lower()} {_ui(element)[:20] or 'without UI'}"
            yield Reject(str(path), element.sourceline, f"{named}: {error}")
            continue
        places |= dict.fromkeys(map(text, inside(element, "TreeNumberList")), record.id)
        good.add(record.id)
        yield Row(record, str(path), element.sourceline)
    for element in xml_stream.elements(path, outer, [tag]):
        if (subject := f"MESH:{_ui(element)}") in good:
            yield from _relations(element, subject, places, str(path))
    yield from left.remarks()


def describe(path: Path) -> SourceInfo:
    """Read the year of the release from the file's name, or else from its DTD's."""
    prolog = xml_stream.prolog(path)
    found = _YEAR.search(path.name) or _YEAR.search(prolog.dtd)
    info = replace(INFO, version=found[1]) if found else INFO
    if prolog.root != "SupplementalRecordSet":
        return info
    return replace(info, id=f"{INFO.id}-supplements", title="Medical Subject Headings: supplementary concepts")


SOURCE: Final = Source(
    INFO,
    records,
    lambda path: 4 * path.stat().st_size // _RECORD_BYTES.get(path.suffix, 10_000),  # a descriptor and three relations
    order=14,
    describe=describe,
    recognise=lambda path: path.name.endswith((".xml", ".gz")) and xml_stream.prolog(path).root in _RECORDS,
)


def _ui(element: Any) -> str:
    return text(child(element, "DescriptorUI")) or text(child(element, "SupplementalRecordUI"))


def _entity(element: Any, what: str, ids: re.Pattern[str], like: str) -> Entity:
    if not ids.fullmatch(_ui(element)):
        raise RecordError(f"the {what}UI {_ui(element)[:20]!r} is not {like}")
    tree = [text(number) for number in inside(element, "TreeNumberList")]
    for number in tree:
        if not _TREE.fullmatch(number):
            raise RecordError(f"the tree number {number[:60]!r} is not of the form C08.127.108")
    concepts = list(element.iterfind("ConceptList/Concept"))
    preferred = next((c for c in concepts if c.get("PreferredConceptYN") == "Y"), None)
    name = text(element.find(f"{what}Name/String"))
    # Sort the entry terms by what their concept is to the preferred one; under the empty word those of that one.
    found: dict[str, list[str]] = {"": [], "NRW": [], "BRD": [], "REL": []}
    kinds = _kinds(concepts, text(child(preferred, "ConceptUI")))
    known = {name.casefold()}
    for concept in sorted(concepts, key=lambda c: c is not preferred):
        kind = "" if concept is preferred else kinds.get(text(child(concept, "ConceptUI")), "REL")
        for term in concept.iterfind("TermList/Term/String"):
            if (said := text(term)) and said.casefold() not in known:
                known.add(said.casefold())
                found[kind].append(said)
    names = {kind: tuple(names) for kind, names in found.items()}
    has_action = element.find("PharmacologicalActionList/PharmacologicalAction") is not None
    labels = {_branch(number) for number in tree} | {_CLASSES.get(element.get("SCRClass", ""), "Topic")}
    if has_action and "Chemical" in labels:  # what has a pharmacological action is used as a drug
        labels.add("Drug")
    return Entity(
        id=f"MESH:{_ui(element)}",
        label=next((label for label in _ORDER if label in labels), "Topic"),
        name=name,
        definition=text(child(preferred, "ScopeNote")) or text(child(element, "Note")),
        xrefs=tuple(_registry(preferred)),
        properties=(("tree_numbers", tuple(tree)),) if tree else (),
        synonyms=names[""],
        narrow_synonyms=names["NRW"],
        broad_synonyms=names["BRD"],
        related_synonyms=names["REL"],
    )


def _kinds(concepts: list[Any], preferred: str) -> dict[str, str]:
    """Tell what each concept of a descriptor is to the preferred one: `NRW` says that the second is the narrower."""
    kinds = {}
    for relation in (r for concept in concepts for r in concept.iterfind("ConceptRelationList/ConceptRelation")):
        one, two = text(child(relation, "Concept1UI")), text(child(relation, "Concept2UI"))
        name = relation.get("RelationName", "")
        if two == preferred:
            one, two, name = two, one, _TURNED.get(name, name)
        if one == preferred and name in {"NRW", "BRD", "REL"}:
            kinds[two] = name
    return kinds


def _branch(number: str) -> str:
    return next((_BRANCHES[number[:end]] for end in range(len(number), 0, -1) if number[:end] in _BRANCHES), "Topic")


def _registry(preferred: Any) -> dict[str, None]:
    """Give the CURIEs of registry numbers: of a chemical its UNII, CAS or EC number, of an organism its taxon."""
    if preferred is None:
        return {}
    found: dict[str, None] = {}
    for number in preferred.iter("RegistryNumber"):
        for prefix, form in _REGISTRIES:
            if said := form.fullmatch(text(number)):
                found[f"{prefix}:{said[1]}"] = None
                break
    return found


def _relations(element: Any, subject: str, places: dict[str, str], file: str) -> Iterator[Item]:
    line = element.sourceline
    parents: dict[str, None] = {}
    for number in map(text, inside(element, "TreeNumberList")):
        above = number.rpartition(".")[0]
        if above and above not in places:
            yield Reject(file, line, f"{subject}: its tree number {number} hangs under {above}, where nothing is")
        elif above and places[above] != subject:
            parents[places[above]] = None
    for parent in parents:
        yield Row(Relation(subject, "IS_A", parent, "meshv:broaderDescriptor"), file, line)
    for where, predicate in (
        ("PharmacologicalActionList/PharmacologicalAction", "meshv:pharmacologicalAction"),
        ("SeeRelatedList/SeeRelatedDescriptor", "meshv:seeAlso"),
        ("HeadingMappedToList/HeadingMappedTo", "meshv:mappedTo"),
    ):
        for other in element.iterfind(f"{where}/DescriptorReferredTo/DescriptorUI"):
            # A star marks the heading that articles on a supplementary concept are found under.
            said = (subject, "RELATED_TO", f"MESH:{text(other).lstrip('*')}", predicate)
            yield made(file, other.sourceline, Relation, *said, before=f"{subject}: ")
