"""Writes the marked text of a label's section as lines, with the names of images and without cross-references."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...files.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from xml.etree.ElementTree import Element

NAMESPACE: Final = "{urn:hl7-org:v3}"

_LINK, _LINK_END = "\ue000", "\ue001"  # mark what is a link in the file, until cross-references are left out
_INSIDE: Final = r"[^\[\]()]{0,400}(?:\([^()]{0,200}\)[^\[\]()]{0,400}){0,12}"
_REFERENCE: Final = re.compile(rf"\s*[\[(]\s*(?:also )?(?:see|refer to)\b{_INSIDE}[\])]", re.IGNORECASE)
_UNCLOSED: Final = re.compile(
    r"\s*\[\s*see(?=[A-Z\s])[^\[\]().\n]{0,200}(?:\([^()\n]{0,60}\)[^\[\]().\n]{0,200}){0,6}\]?"
)
_LINKS: Final = re.compile(rf"\s*[\[(](?:{_LINK}[^{_LINK_END}]*{_LINK_END}|[\s,;]|\band\b)+[\])]")
_EMPTY: Final = re.compile(r"\s*\[(?:and|[,;\s])*\]")
_BEFORE_STOP: Final = re.compile(r" +([.,;:])(?=\s|$)")
_IMAGES: Final = re.compile(r"(?:\[Image[^\]]*\]\s*)+")


def without_references(text: str) -> str:
    """Leave out what only points to another section: `[see Warnings (5.1)]`, `(see PRECAUTIONS)`."""
    plain = text
    if "see" in text or "See" in text or "efer to" in text or "SEE" in text:
        plain = _REFERENCE.sub("", plain)
    if _LINK in plain:
        plain = _LINKS.sub("", plain).replace(_LINK, "").replace(_LINK_END, "")
    if "[" in plain:
        plain = _EMPTY.sub("", _UNCLOSED.sub("", plain))
    return text if plain == text else _BEFORE_STOP.sub(r"\1", plain)


def text_of(node: Element | None, images: Mapping[str, str]) -> str:
    """Write a marked text as lines, with an empty one between paragraphs, lists and tables.

    `images` says by its id what each image shows, or the name of its file.
    """
    return without_references(_Label(images).text(node)).strip()


def is_images(text: str) -> bool:
    """Tell whether a text names images and says nothing else."""
    return _IMAGES.fullmatch(text) is not None


def plain(node: Element | None) -> str:
    """Give the text of an element in one line."""
    return " ".join(text_of(node, {}).split())


class _Label(Lines):
    def __init__(self, images: Mapping[str, str]) -> None:
        super().__init__()
        self._images = images

    def special(self, element: Any, name: str) -> bool:
        if name == "renderMultiMedia":
            shown = self._images.get(element.get("referencedObject", ""), "")
            self.block([f"[Image: {shown}]" if shown else "[Image]"])
        elif name == "footnote":
            self.note(element)
        elif name == "linkHtml":
            self.add(_LINK)
            self.walk(element)
            self.add(_LINK_END)
        else:
            return name == "footnoteRef"
        return True
