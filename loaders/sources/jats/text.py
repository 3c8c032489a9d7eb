"""Writes the marked text of an article as lines, without the markers of its references and apart from its figures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...files.lines import Lines
from ...files.xml_stream import child, local

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINK, _LINK_END = "\ue000", "\ue001"  # mark what points to a reference, until these markers are left out
_ONE: Final = rf"{_LINK}[^{_LINK_END}]*{_LINK_END}"
_WORDS: Final = r"\b(?:and|see|also|e\.g\.|i\.e\.|cf\.|reviewed in|for (?:an? )?reviews?,?(?: see)?)"
_OTHER: Final = rf"\s|[,;&\u2013-]|{_WORDS}"
_BRACKETED: Final = re.compile(rf"\s*[\[(](?:{_OTHER})*{_ONE}(?:{_ONE}|{_OTHER})*[\])]")
_NUMBER: Final = rf"{_LINK}[\[(]?\d[\d,\s\u2013-]*[\])]?{_LINK_END}"
_NUMBERS: Final = re.compile(rf"\s*{_NUMBER}(?:[\s,;\u2013-]*{_NUMBER})*")
_NAMED: Final = re.compile(r"\b(?:ref|refs|reference|references|study|studies|trial|trials)\.?$", re.IGNORECASE)
_BEFORE_STOP: Final = re.compile(r" +([.,;:])(?=\s|$)")
_TEX: Final = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)

_MARKERS: Final = frozenset({"bibr", "fn", "table-fn", "aff", "corresp"})  # what xrefs point to that tell nothing
_BLOCKS: Final = frozenset(
    "boxed-text statement verse-group verse-line speech preformat caption attrib disp-formula def-item sec app "
    "supplementary-material array list-item disp-formula-group question answer abstract".split()
)
_LEFT_OUT: Final = frozenset(
    "graphic inline-graphic object-id label permissions ref-list processing-meta alt-text long-desc "
    "related-article sub-article response".split()
)


class Article(Lines):
    """Lines of an article; `legends` are those of its figures, each with the figure's name, as they were met."""

    def __init__(self) -> None:
        super().__init__()
        self.legends: list[tuple[str, str]] = []

    def plain(self, node: Any) -> str:
        """Give a marked text without markers of references."""
        return without_markers(self.text(node))

    def line(self, node: Any) -> str:
        """Give a marked text in one line."""
        return " ".join(self.plain(node).split())

    def special(self, element: Any, name: str) -> bool:
        """Write what only JATS has."""
        if name == "xref":
            self._reference(element)
        elif name == "sup" and (kinds := _pointing(element)):
            self.add(f"{_LINK}0{_LINK_END}" * ("bibr" in kinds))
        elif name in {"fig", "media"}:
            self._figure(element)
        elif name == "table-wrap":
            self.table(element)
        elif name == "fn":
            self.note(element)
        elif name == "table-wrap-foot":
            self.block(self.inner(element))
        elif name == "tex-math":
            self._formula(element)
        elif name in _BLOCKS:
            self.paragraph(element)
        else:
            return name in _LEFT_OUT
        return True

    def _reference(self, element: Any) -> None:
        kind = element.get("ref-type") or ""
        if kind == "bibr":
            self.add(f"{_LINK}{''.join(element.itertext())}{_LINK_END}")
        elif kind not in _MARKERS:
            self.walk(element)

    def _figure(self, element: Any) -> None:
        name, caption = self.line(child(element, "label")), self.plain(child(element, "caption"))
        if caption:
            self.legends.append((name or "Figure", caption))

    def table(self, element: Any) -> None:
        """Write a table with its name and its notes."""
        name, caption = self.line(child(element, "label")), child(element, "caption")
        titled = " ".join(filter(None, (name.rstrip(".") + "." * bool(name), self.line(caption))))
        self.block([titled] * bool(titled))
        for part in element.iterchildren():
            if local(part) not in {"label", "caption"}:
                self.write(part)
        self.end_block()

    def _formula(self, element: Any) -> None:
        above = element.getparent()
        if above is not None and local(above) == "alternatives" and len(above) > 1:
            return
        said = element.text or ""
        self.add((found[1] if (found := _TEX.search(said)) else said).replace("$$", " ").strip())


def _pointing(element: Any) -> set[str]:
    """Give the kinds of the markers that what is raised consists of; none where it says something else."""
    kinds = {one.get("ref-type") or "" for one in element.iter("xref")}
    outside = (element.text or "") + "".join(one.tail or "" for one in element.iter("xref"))
    return kinds if kinds <= _MARKERS and not outside.strip(" ,;\u2013-[]()\n\t") else set()


def without_markers(said: str) -> str:
    """Leave out what only points to references: `[1, 2]`, `(Smith et al., 2020; see also …)`, raised numbers."""
    if _LINK not in said:
        return said
    plain = _NUMBERS.sub(_gap, _BRACKETED.sub(_gap, said)).replace(_LINK, "").replace(_LINK_END, "")
    return _BEFORE_STOP.sub(r"\1", plain)


def _gap(found: re.Match[str]) -> str:
    """Give what stands for a marker: itself where the sentence names it, a blank where words would run together."""
    before, after = found.string[: found.start()][-20:], found.string[found.end() :][:1]
    if _NAMED.search(before):
        return found[0]
    return " " * (before[-1:].isalnum() and after.isalnum())


def parts(node: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str, Any, list[tuple[str, str]]]]:
    """Yield each section below an element, itself first, without those below it.

    Yields:
        The titles from the outermost one, the text, the element, and the legends of figures in it.
    """
    writer = Article()
    headings = (*above, title) if (title := writer.line(child(node, "title"))) else above
    below = list(node.iterchildren("sec"))
    for one in (*below, *node.iterchildren("title", "label", "sec-meta")):
        node.remove(one)
    said = writer.plain(node)
    yield headings, said, node, writer.legends
    for one in below:
        yield from parts(one, headings)
