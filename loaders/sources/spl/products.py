"""Reads the products of a label in Structured Product Labeling: names, ingredients, appearance, approval."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from .label import Product
from .substances import Drug, Substance
from .text import NAMESPACE, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from xml.etree.ElementTree import Element

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


def products(root: Element) -> Iterator[Product]:
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
