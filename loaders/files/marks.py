"""Marked text as plain text that means the same: exponents, indices, fractions and formulas.

`10<sup>5</sup>` is 10⁵, `H<sub>2</sub>O` is H₂O, a fraction of MathML is 1/2; other markup only goes.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable

_RAISED: Final = str.maketrans("0123456789+-\u2212\u2013=()nim", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱᵐ")
_LOWERED: Final = str.maketrans("0123456789+-\u2212\u2013=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
# An exponent, a charge, the mass of an isotope (99m), a genotype (+/-)
_FORMULA: Final = re.compile("[0-9+\\-\u2212\u2013=()ni]+|[0-9]+m|[+\\-\u2212\u2013]/[+\\-\u2212\u2013]")
_SPACED: Final = re.compile("\\s*([+\\-\u2212\u2013])\\s*")
_INDEX: Final = re.compile("[0-9+\\-\u2212\u2013=()]+")
_LISTED: Final = re.compile("[0-9]+(?:[,\u2013-] ?[0-9]+)*")
# What is raised and no exponent: the end of an ordinal, a mark such as ® or *, a reference
_KEPT: Final = re.compile(r"st|nd|rd|th|er|e|[^\w+=^(){}\[\]/.-]+|\[[\d\s,\u2013-]+\]", re.IGNORECASE)
_SIGNS: Final = {"TM": "™", "SM": "℠", "R": "®", "o": "°"}
_SIMPLE: Final = re.compile(r"[\w.]+|\([^()]*\)")
_WRITTEN: Final = re.compile(r"<(su[pb])>((?:[^<>]|<(?!/?su[pb]\b)[^<>]*>){,60})</\1>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*>")
_NAMED: Final = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")


def raised(said: str) -> str:
    """Write what stands above the line: `⁻⁹` for `-9`, `^1.5` for `1.5`; other text as it is."""
    said = said.strip()
    said = close if _FORMULA.fullmatch(close := _SPACED.sub(r"\1", said)) else said
    if _FORMULA.fullmatch(said) or _LISTED.fullmatch(said):
        return said.translate(_RAISED)
    if not said or _KEPT.fullmatch(said):
        return said
    return _SIGNS.get(said) or f"^{_single(said)}"


def lowered(said: str, before: str = "", after: str = "") -> str:
    """Write what stands below the line as people type it (H2O, Cmax); `₂` for `2` where digits would run together."""
    said = said.strip()
    plain = before[-1:].isalpha() or before.endswith((")", "]"))
    if (plain and not after[:1].isdigit()) or not _INDEX.fullmatch(said):
        return said
    return said.translate(_LOWERED)


def written(text: str) -> str:
    """Give a plain text in which somebody wrote `<sup>`, `<sub>` or names of characters (`&plusmn;`) without these."""
    if "&" in text:
        text = _NAMED.sub(lambda name: unescape(name[0]), text)
    if "</su" not in text and "</SU" not in text:
        return text
    return _WRITTEN.sub(_plain, text)


def _plain(found: re.Match[str]) -> str:
    said = _TAG.sub("", found[2])
    if found[1].lower() == "sup":
        return raised(said)
    return lowered(said, found.string[: found.start()][-1:], found.string[found.end() : found.end() + 1])


def text_of(element: Any) -> str:
    """Give the text of an element, of lxml or the standard library, with markup in it."""
    parts: list[str] = []
    _collect(element, parts)
    return written("".join(parts))


def _collect(element: Any, parts: list[str]) -> None:
    if element.text:
        parts.append(element.text)
    for part in element:
        tag = part.tag
        if not isinstance(tag, str):
            parts.append(reference(part))
        elif make := _made(part):
            parts.append(make(part, parts[-1][-1:] if parts else ""))
        else:
            _collect(part, parts)
        if part.tail:
            parts.append(part.tail)


def reference(node: Any) -> str:
    """Give the character that an entity of lxml names; empty for a comment or an instruction."""
    from lxml import etree

    if node.tag is not etree.Entity:  # a comment, or an instruction for a program
        return ""
    said = html5.get(node.text[1:])
    if said is None:
        raise RecordError(f"it uses the entity {node.text}, and entities are never expanded; write the character")
    return said


def _single(said: str) -> str:
    return said if _SIMPLE.fullmatch(said) else f"({said})"


def _inside(element: Any) -> str:
    return " ".join(text_of(element).split())


def _parts(element: Any) -> list[str]:
    """Give the texts of the children of a formula, and empty ones for those that it lacks."""
    found = []
    for part in (one for one in element if isinstance(one.tag, str)):
        make = _made(part)
        found.append(make(part, "") if make else _inside(part))
    return [*found, "", "", ""]


def _made(part: Any) -> Callable[[Any, str], str] | None:
    return _MARKS.get(part.tag.rpartition("}")[2].rpartition(":")[2].lower())


def _fraction(element: Any, before: str) -> str:
    above, below, *_ = _parts(element)
    return f"{' ' * before.isdigit()}{_single(above)}/{_single(below)}"


def _scripts(below: int, above: int) -> Callable[[Any, str], str]:
    """Make what writes a base with what stands below and above it, each the child of that place; 0 for none."""

    def make(element: Any, _before: str) -> str:
        parts = _parts(element)
        base = parts[0]
        return base + (lowered(parts[below], base) if below else "") + (raised(parts[above]) if above else "")

    return make


def _scripts_around(element: Any, _before: str) -> str:
    """Write a base with pairs of what stands below and above it, in front of it as well: an isotope."""
    tags = [part.tag.rpartition("}")[2].rpartition(":")[2] for part in element if isinstance(part.tag, str)]
    base, *scripts = _parts(element)[: len(tags)]
    end = tags.index("mprescripts") - 1 if "mprescripts" in tags else len(scripts)
    behind, front = scripts[:end], scripts[end + 1 :]
    return (
        "".join(map(raised, front[1::2]))
        + "".join(map(lowered, front[::2]))
        + base
        + "".join(lowered(one, base) for one in behind[::2])
        + "".join(map(raised, behind[1::2]))
    )


# What elements become behind a text, by their names without a namespace
_MARKS: Final[dict[str, Callable[[Any, str], str]]] = {
    "sup": lambda element, _: raised(_inside(element)),
    "sub": lambda element, before: lowered(_inside(element), before, element.tail or ""),
    "mfrac": _fraction,
    **dict.fromkeys(("msup", "mover"), _scripts(0, 1)),
    **dict.fromkeys(("msub", "munder"), _scripts(1, 0)),
    **dict.fromkeys(("msubsup", "munderover"), _scripts(1, 2)),
    "mmultiscripts": _scripts_around,
    "mfenced": lambda element, _: f"({', '.join(filter(None, _parts(element)))})",
    "mtd": lambda element, _: f" {_inside(element)}",
    "msqrt": lambda element, _before: f"√{_single(_inside(element))}",
    "mroot": lambda element, _: f"{_single(_parts(element)[0])}^(1/{_parts(element)[1]})",
    **dict.fromkeys(("mspace", "br"), lambda *_: " "),
    **dict.fromkeys(("annotation", "annotation-xml"), lambda *_: ""),
}
