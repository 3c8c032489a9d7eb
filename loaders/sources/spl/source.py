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
from ...base import INFOS, Item, Reject, Source
from ...files import archives, xml_stream
from ...files.texts import all_files, head, open_source
from ...mending import LeftOut
from .label import ABOVE, LEFT_OUT, OTHER, PATIENTS, Label, Part, Product, Versions, clean_heading, kind_of, rows
from .substances import Drug, Substance
from .text import NAMESPACE, is_images, plain, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from xml.etree.ElementTree import Element


INFO: Final = INFOS["spl"]

_SIGN: Final = b"urn:hl7-org:v3"
_SET_ID: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,80}")
_NAMES: Final = {"": "urn:hl7-org:v3"}
_LOOKS: Final = frozenset({"SPLCOLOR", "SPLSHAPE", "SPLSIZE", "SPLIMPRINT", "SPLSCORE"})


def records(path: Path) -> Iterator[Item]:
    """Read labels of a file, a folder or an archive.

    Yields drugs and their classes, relations between them, then labels in the order of their files; rejects; remarks.
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
        return all_files(path, _recognise)
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
            found = xml_stream.local(root)
            root = Reject(name, 1, f"has the outermost element <{found}> where <document> of {_SIGN.decode()} belongs")
        yield name, root
    if empty:
        raise SourceFileError("has no file .xml, nor an archive with one; give labels of DailyMed", path)


def _items(root: Element, name: str, newest: Versions, left: LeftOut) -> Iterator[Item]:
    label = _label(root)
    if newest.kept[label.set_id].place != name:
        left.add("labels left out: a version as new of the same set id is kept", label.set_id, name, 1)
        return
    unknown: Counter[str] = Counter()
    label = replace(label, parts=tuple(_parts(root, unknown)), language=_attribute(root, "languageCode", "code"))
    empty = "" if label.parts or label.products else "it has neither a section with text nor a product"
    said = {f"with the unknown LOINC code {code}": count for code, count in unknown.items()}
    yield from label.items(f"spl:{label.set_id}", (name, 1), said, left, empty)


def _label(root: Element) -> Label:
    def value_of(way: str, attribute: str) -> str:
        found = root.find(way, _NAMES)
        return (found.get(attribute) or "").strip() if found is not None else ""

    set_id, version = value_of("setId", "root") or value_of("id", "root"), value_of("versionNumber", "value") or "1"
    if not _SET_ID.fullmatch(set_id):
        raise RecordError(f'its set id {set_id[:60]!r} is none; a label has <setId root="…"/>')
    if not version.isdecimal() or len(version) > 6:
        raise RecordError(f"its version {version[:60]!r} is not a number of at most six digits")
    labeler = root.find("author/assignedEntity/representedOrganization", _NAMES)
    return Label(
        set_id=set_id.lower(),
        version=int(version),
        effective=value_of("effectiveTime", "value")[:8],
        kind=value_of("code", "displayName"),
        title=plain(root.find("title", _NAMES)),
        labeler=plain(labeler.find("name", _NAMES)) if labeler is not None else "",
        products=tuple(_products(root)),
    )


def _parts(root: Element, unknown: Counter[str]) -> Iterator[Part]:
    images = {}
    for media in root.iter(f"{NAMESPACE}observationMedia"):
        file = next((one.get("value", "") for one in media.iter(f"{NAMESPACE}reference")), "")
        images[media.get("ID", "")] = plain(media.find(f"{NAMESPACE}text")) or file
    for section in root.iterfind("component/structuredBody/component/section", _NAMES):
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
    below = list(section.iterfind("component/section", _NAMES))
    if not text and not below:
        text = text_of(section.find(f"{NAMESPACE}excerpt"), images)
    part = Part(kind, (*above.headings, heading) if heading else above.headings, text, leaflet, question)
    if text and text.lower() != title.lower() and not is_images(text):
        yield part
    for one in below:
        yield from _walk(one, part, images, unknown)


def _products(root: Element) -> Iterator[Product]:
    """Read the products of a label; what belongs to a kit is a product where it has the kit's name."""
    for outer in root.iterfind(".//subject/manufacturedProduct", _NAMES):
        if (inner := _first(outer, "manufacturedProduct", "manufacturedMedicine")) is None:
            continue
        whole = _product(inner, outer)
        within = ((_first(part, "partProduct", "partMedicine"), part) for part in inner.iterfind("part", _NAMES))
        parts = [_product(found, part) for found, part in within if found is not None]
        own = [part for part in parts if part.drug.brand.lower() == whole.drug.brand.lower()]
        for product in own or parts or [whole]:
            ndc, application = product.ndc or whole.ndc, product.application or whole.application
            if product.drug.entity()[0]:
                yield replace(product, ndc=ndc, application=application)


def _first(node: Element, *ways: str) -> Element | None:
    return next((found for way in ways if (found := node.find(way, _NAMES)) is not None), None)


def _product(inner: Element, outer: Element) -> Product:
    active: list[Substance] = []
    inactive: list[Substance] = []
    for ingredient in inner.iterfind("ingredient", _NAMES):
        if substance := _substance(ingredient):
            (active if ingredient.get("classCode", "").startswith("ACTI") else inactive).append(substance)
    kinds = inner.iterfind(".//asSpecializedKind/generalizedMaterialKind/code", _NAMES)
    classes = tuple(filter(any, ((one.get("displayName") or "", one.get("code") or "") for one in kinds)))
    generic = inner.find("asEntityWithGeneric/genericMedicine/name", _NAMES)
    drug = Drug(plain(inner.find("name", _NAMES)), plain(generic), tuple(active), classes)
    way = "consumedIn/substanceAdministration/routeCode"
    routes = (node.get("displayName") for outside in (inner, outer) for node in outside.iterfind(way, _NAMES))
    schedules = (_attribute(one, "subjectOf/policy/code", "displayName") for one in (outer, inner))
    return Product(
        drug,
        ndc=_attribute(inner, "code", "code"),
        form=_attribute(inner, "formCode", "displayName"),
        routes=tuple(dict.fromkeys(filter(None, routes))),
        inactive=tuple(inactive),
        looks=tuple(_looks(outer)) or tuple(_looks(inner)),
        schedule=next(filter(None, schedules), ""),
        application=_attribute(outer, "subjectOf/approval/id", "extension"),
    )


def _attribute(node: Element, way: str, name: str) -> str:
    found = node.find(way, _NAMES)
    return " ".join((found.get(name) or "").split()) if found is not None else ""


def _substance(ingredient: Element) -> Substance | None:
    node = ingredient.find("ingredientSubstance", _NAMES)
    if node is None or not (name := plain(node.find("name", _NAMES))):
        return None
    found = node.iterfind("activeMoiety/activeMoiety", _NAMES)
    said = ((plain(one.find("name", _NAMES)), _attribute(one, "code", "code")) for one in found)
    moieties = tuple(one for one in said if one[0])
    return Substance(name, _attribute(node, "code", "code"), moieties, _strength(ingredient))


def _strength(ingredient: Element) -> str:
    """Write how much of an ingredient is in a unit of the product: `20 mg`, `40 mg/0.4 mL`."""
    above, below = "quantity/numerator", "quantity/denominator"
    value, unit = _attribute(ingredient, above, "value"), _attribute(ingredient, above, "unit")
    if not value:
        return ""
    said = value if unit in {"", "1"} else f"{value} {unit}"
    of, per = _attribute(ingredient, below, "value"), _attribute(ingredient, below, "unit")
    return said if per in {"", "1"} else f"{said}/{per}" if of in {"", "1"} else f"{said}/{of} {per}"


def _looks(outer: Element) -> Iterator[tuple[str, str]]:
    found: dict[str, list[str]] = {}
    for one in outer.iterfind("subjectOf/characteristic", _NAMES):
        code = _attribute(one, "code", "code")
        if code in _LOOKS:
            measured = f"{_attribute(one, 'value', 'value')} {_attribute(one, 'value', 'unit')}".strip()
            if said := _attribute(one, "value", "displayName") or measured or plain(one.find("value", _NAMES)):
                found.setdefault(code, []).append(said)
    yield from ((code, " and ".join(dict.fromkeys(said))) for code, said in found.items())
