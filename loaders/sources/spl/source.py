"""Drug labels of the FDA as Structured Product Labeling (dailymed.nlm.nih.gov/dailymed/spl-resources.cfm).

XML of HL7, a label a file: a file, a folder, a zip archive, or DailyMed's archives of archives. Files are read twice,
one label at a time: first for the newest version of each label and for the drugs, which come before the labels.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ....errors import RecordError, SourceFileError
from ....loaders import mending
from ....schema.records import SourceInfo
from ...base import Reject, Row, Source
from ...files import archives, xml_stream
from ...files.opening import head, open_source
from ...remarks import LeftOut
from .label import ABOVE, LEFT_OUT, OTHER, PATIENTS, Label, Part, Product, Versions, clean_heading, kind_of, rows
from .substances import Drug, Substance
from .text import NAMESPACE, is_images, local, plain, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from xml.etree.ElementTree import Element

    from ...base import Item


_LOOKS: Final = frozenset({"SPLCOLOR", "SPLSHAPE", "SPLSIZE", "SPLIMPRINT", "SPLSCORE"})


def _way(path: str) -> str:
    return "/".join(f"{NAMESPACE}{tag}" for tag in path.split("/"))


_OUTER: Final = f".//{_way('subject/manufacturedProduct')}"
_INNER: Final = (_way("manufacturedProduct"), _way("manufacturedMedicine"))
_PARTS: Final = _way("part")
_PART: Final = (_way("partProduct"), _way("partMedicine"))
_INGREDIENTS: Final = _way("ingredient")
_SUBSTANCE: Final = (_way("ingredientSubstance"),)
_MOIETIES: Final = _way("activeMoiety/activeMoiety")
_GENERIC: Final = _way("asEntityWithGeneric/genericMedicine/name")
_ROUTES: Final = _way("consumedIn/substanceAdministration/routeCode")
_LOOK: Final = _way("subjectOf/characteristic")
_POLICY: Final = _way("subjectOf/policy/code")
_APPROVAL: Final = _way("subjectOf/approval/id")
_CLASS: Final = f".//{_way('asSpecializedKind/generalizedMaterialKind/code')}"
_CODE, _NAME, _FORM, _VALUE = _way("code"), _way("name"), _way("formCode"), _way("value")


def _products(root: Element) -> Iterator[Product]:
    """Read the products of a label; what belongs to a kit is a product where it has the kit's name."""
    for outer in root.iterfind(_OUTER):
        if (inner := _first(outer, _INNER)) is None:
            continue
        whole = _product(inner, outer)
        parts = [_product(found, part) for part in inner.iterfind(_PARTS) if (found := _first(part, _PART)) is not None]
        own = [part for part in parts if part.drug.brand.lower() == whole.drug.brand.lower()]
        for product in own or parts or [whole]:
            if product.drug.entity()[0]:
                yield replace(
                    product, ndc=product.ndc or whole.ndc, application=product.application or whole.application
                )


def _first(node: Element, ways: Iterable[str]) -> Element | None:
    return next((found for way in ways if (found := node.find(way)) is not None), None)


def _product(inner: Element, outer: Element) -> Product:
    active: list[Substance] = []
    inactive: list[Substance] = []
    for ingredient in inner.iterfind(_INGREDIENTS):
        if substance := _substance(ingredient):
            (active if ingredient.get("classCode", "").startswith("ACTI") else inactive).append(substance)
    classes = ((one.get("displayName") or "", one.get("code") or "") for one in inner.iterfind(_CLASS))
    drug = Drug(plain(inner.find(_NAME)), plain(inner.find(_GENERIC)), tuple(active), tuple(filter(any, classes)))
    return Product(
        drug,
        ndc=_attribute(inner.find(_CODE), "code"),
        form=_attribute(inner.find(_FORM), "displayName"),
        routes=_several(node.get("displayName") for outside in (inner, outer) for node in outside.iterfind(_ROUTES)),
        inactive=tuple(inactive),
        looks=tuple(_looks(outer)) or tuple(_looks(inner)),
        schedule=_attribute(outer.find(_POLICY), "displayName") or _attribute(inner.find(_POLICY), "displayName"),
        application=_attribute(outer.find(_APPROVAL), "extension"),
    )


def _attribute(node: Element | None, name: str) -> str:
    return " ".join((node.get(name) or "").split()) if node is not None else ""


def _several(found: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, found)))


def _substance(ingredient: Element) -> Substance | None:
    node = _first(ingredient, _SUBSTANCE)
    if node is None or not (name := plain(node.find(_NAME))):
        return None
    moieties = tuple(
        (said, _attribute(one.find(_CODE), "code"))
        for one in node.iterfind(_MOIETIES)
        if (said := plain(one.find(_NAME)))
    )
    return Substance(name, _attribute(node.find(_CODE), "code"), moieties, _strength(ingredient))


def _strength(ingredient: Element) -> str:
    """Write how much of an ingredient is in a unit of the product: `20 mg`, `40 mg/0.4 mL`."""
    above, below = ingredient.find(_way("quantity/numerator")), ingredient.find(_way("quantity/denominator"))
    value, unit = _attribute(above, "value"), _attribute(above, "unit")
    if not value:
        return ""
    said = value if unit in {"", "1"} else f"{value} {unit}"
    of, per = _attribute(below, "value"), _attribute(below, "unit")
    return said if per in {"", "1"} else f"{said}/{per}" if of in {"", "1"} else f"{said}/{of} {per}"


def _looks(outer: Element) -> Iterator[tuple[str, str]]:
    found: dict[str, list[str]] = {}
    for one in outer.iterfind(_LOOK):
        code, value = _attribute(one.find(_CODE), "code"), one.find(_VALUE)
        if code in _LOOKS and value is not None:
            measured = f"{_attribute(value, 'value')} {_attribute(value, 'unit')}".strip()
            if said := _attribute(value, "displayName") or measured or plain(value):
                found.setdefault(code, []).append(said)
    yield from ((code, " and ".join(dict.fromkeys(said))) for code, said in found.items())


INFO: Final = SourceInfo(
    id="spl",
    title="Drug labels (Structured Product Labeling)",
    version="unversioned",
    licence="CC0-1.0",
    url="https://dailymed.nlm.nih.gov/dailymed/",
    citation="DailyMed. Bethesda (MD): National Library of Medicine (US).",
    rank=6,
    prefixes=("openfda",),
)

_SECTION: Final = f"{NAMESPACE}section"
_BELOW: Final = f"{NAMESPACE}component/{_SECTION}"
_BODY: Final = f"{NAMESPACE}component/{NAMESPACE}structuredBody/{_BELOW}"
_SIGN: Final = b"urn:hl7-org:v3"
_SET_ID: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,80}")


def records(path: Path) -> Iterator[Item]:
    """Read labels of a file, a folder or an archive.

    Yields:
        Drugs and their classes, relations between them, then labels in the order of their files; rejects; remarks that
        count what was left out.

    Raises:
        SourceFileError: The path holds no labels, or is a broken or dangerous archive.
    """
    newest, left = Versions(), LeftOut()
    for name, root in _parsed(path):
        if not isinstance(root, Reject):
            with suppress(RecordError, RecursionError):
                newest.offer(_label(root), name, name)
    yield from newest.drugs()
    for name, root in _parsed(path):
        if isinstance(root, Reject):
            yield root
            continue
        try:
            yield from _items(root, name, newest, left)
        except RecordError as error:
            yield Reject(name, 1, str(error))
        except RecursionError:
            yield Reject(name, 1, "its elements are nested too deep")
    yield from left.remarks()


def _recognise(path: Path) -> bool:
    if path.is_dir():
        files = [file for file in path.iterdir() if not file.name.startswith(".")]
        return bool(files) and all(file.is_file() and _recognise(file) for file in files)
    if path.suffix.lower() == ".zip":
        with suppress(SourceFileError, StopIteration, OSError, zipfile.BadZipFile):
            first = next(_members(path))
            return not isinstance(first, Reject) and _SIGN in first[1][:4096]
        return False
    if not path.name.lower().endswith((".xml", ".xml.gz")) or _SIGN not in head(path, 4096):
        return False
    with suppress(SourceFileError):
        return xml_stream.prolog(path).root == "document"
    return False


def _estimate(path: Path) -> int | None:
    return archives.count(path, ".xml") or None if path.is_dir() or path.suffix.lower() == ".zip" else 1


SOURCE: Final = Source(INFO, records, _estimate, order=42, unit="document", recognise=_recognise)


def _members(path: Path) -> Iterator[tuple[str, bytes] | Reject]:
    """Read every XML file of a path, those of archives in it as well."""
    if not path.is_dir() and path.suffix.lower() != ".zip":
        with open_source(path) as file:
            data = file.read(archives.MAX_MEMBER + 1)
        if len(data) > archives.MAX_MEMBER:
            raise SourceFileError(f"is larger than {archives.MAX_MEMBER >> 20} MiB: it is no label", path)
        yield str(path), data
        return
    yield from archives.members(path, ".xml")
    for member in archives.members(path, ".zip"):
        if isinstance(member, Reject):
            yield member
        else:
            yield from archives.inner_members(*member, ".xml")


def _parsed(path: Path) -> Iterator[tuple[str, Element | Reject]]:
    empty = True
    for member in _members(path):
        empty = False
        if isinstance(member, Reject):
            yield member.file, member
            continue
        name, data = member
        root = xml_stream.parse(data, name)
        if not isinstance(root, Reject) and root.tag != f"{NAMESPACE}document":
            reason = f"has the outermost element <{local(root)}> where <document> of {_SIGN.decode()} belongs: no label"
            root = Reject(name, 1, reason)
        yield name, root
    if empty:
        raise SourceFileError("has no file .xml, nor an archive with one; give labels of DailyMed", path)


def _items(root: Element, name: str, newest: Versions, left: LeftOut) -> Iterator[Item]:
    label = _label(root)
    if newest.kept[label.set_id].place != name:
        left.add("labels left out: a version as new of the same set id is kept", label.set_id, name, 1)
        return
    unknown: Counter[str] = Counter()
    label = replace(label, parts=tuple(_parts(root, unknown)))
    if not _is_english(root, label):
        left.add("labels left out: they are not in English", label.title[:80], name, 1)
        return
    for code, count in sorted(unknown.items()):
        left.add(f"sections with the unknown LOINC code {code}, kept as {OTHER}", label.title[:80], name, 1, count)
    if not label.parts and not label.products:
        raise RecordError("it has neither a section with text nor a product")
    notes: list[str] = []
    document = label.document(f"spl:{label.set_id}", notes)
    yield Row(document, name, 1)
    yield from mending.remarks(notes, document.id, name, 1)


def _label(root: Element) -> Label:
    def said(way: str, attribute: str) -> str:
        found = root.find("/".join(f"{NAMESPACE}{tag}" for tag in way.split("/")))
        return (found.get(attribute) or "").strip() if found is not None else ""

    set_id, version = said("setId", "root") or said("id", "root"), said("versionNumber", "value") or "1"
    if not _SET_ID.fullmatch(set_id):
        raise RecordError(f'its set id {set_id[:60]!r} is none; a label has <setId root="…"/>')
    if not version.isdecimal() or len(version) > 6:
        raise RecordError(f"its version {version[:60]!r} is not a number of at most six digits")
    labeler = root.find(f"{NAMESPACE}author/{NAMESPACE}assignedEntity/{NAMESPACE}representedOrganization")
    return Label(
        set_id=set_id.lower(),
        version=int(version),
        effective=said("effectiveTime", "value")[:8],
        kind=said("code", "displayName"),
        title=plain(root.find(f"{NAMESPACE}title")),
        labeler=plain(labeler.find(f"{NAMESPACE}name")) if labeler is not None else "",
        products=tuple(_products(root)),
    )


def _is_english(root: Element, label: Label) -> bool:
    stated = root.find(f"{NAMESPACE}languageCode")
    code = stated.get("code", "") if stated is not None else ""
    return label.is_english and (not code or code.lower().startswith("en"))


def _parts(root: Element, unknown: Counter[str]) -> Iterator[Part]:
    images = {}
    for media in root.iter(f"{NAMESPACE}observationMedia"):
        file = next((one.get("value", "") for one in media.iter(f"{NAMESPACE}reference")), "")
        images[media.get("ID", "")] = plain(media.find(f"{NAMESPACE}text")) or file
    for section in root.iterfind(_BODY):
        yield from _walk(section, Part(OTHER, (), ""), images, unknown)


def _walk(section: Element, above: Part, images: Mapping[str, str], unknown: Counter[str]) -> Iterator[Part]:
    coded = section.find(f"{NAMESPACE}code")
    code = coded.get("code", "") if coded is not None else ""
    known = rows().get(code)
    if known and known.kind == LEFT_OUT:
        return
    unknown[code] += bool(code and not known)
    title = plain(section.find(f"{NAMESPACE}title"))
    heading = clean_heading(title) or (known.heading if known and known.kind != ABOVE else "")
    leaflet = above.leaflet or code in PATIENTS
    own = known.kind if known and known.kind != ABOVE else kind_of(heading, leaflet=leaflet)
    kind = own or (OTHER if code and not known else above.kind)
    question = title if leaflet and title.endswith("?") else ""
    text = text_of(section.find(f"{NAMESPACE}text"), images)
    below = list(section.iterfind(_BELOW))
    if not text and not below:
        text = text_of(section.find(f"{NAMESPACE}excerpt"), images)
    part = Part(kind, (*above.headings, heading) if heading else above.headings, text, leaflet, question)
    if text and text.lower() != title.lower() and not is_images(text):
        yield part
    for one in below:
        yield from _walk(one, part, images, unknown)
