"""Elements of large XML files, one after the other, without trusting the file: nothing is fetched, nothing expanded.

A DOCTYPE that names a DTD elsewhere, as the files of the National Library of Medicine do, is passed over. One that
declares entities in the file itself is refused; see `xml_safety`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ...errors import SourceFileError
from . import marks, xml_safety
from .opening import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_BLANKS: Final = re.compile(r"[ \t\n\r]+")


def elements(path: Path, root: str, tags: Sequence[str], below: Sequence[str] = ()) -> Iterator[Any]:
    """Read the elements that an XML file consists of.

    Yields:
        lxml elements; each is good until the next one is asked for.

    Raises:
        SourceFileError: The file is not XML of this kind, or stops being XML; what came before was yielded.
    """
    from lxml import etree

    found = xml_safety.prolog(path)
    if found.root != root:
        raise SourceFileError(f"has the outermost element <{found.root}> where <{root}> belongs: wrong file", path)
    with open_source(path) as file:
        context = xml_safety.iterate(file, tags)
        try:
            for _, element in context:
                if below and [local(one) for one in element.iterancestors()][::-1] != list(below):
                    continue
                yield element
                # Free an element, and whatever stands before it.
                element.clear()
                parent = element.getparent()
                while element.getprevious() is not None:
                    del parent[0]
        except etree.XMLSyntaxError as error:
            # The first fault: the error itself is raised at the end of the file for some.
            first = next(iter(context.error_log), None)
            line, reason = (first.line, first.message) if first else (error.lineno or 1, error.msg)
            raise SourceFileError(
                f"is no XML from here on ({reason}); what came before was read: fetch it again", path, line
            ) from error


def local(element: Any) -> str:
    """Give the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def child(element: Any, tag: str) -> Any:
    """Find the first child of an lxml element, or of None, that has a tag."""
    return next(element.iterchildren(tag), None) if element is not None else None  # three times as fast as `find`


def text(element: Any) -> str:
    """Give the text of an element or None with single blanks for blanks and line ends; see `marks` for markup in it."""
    if element is None:
        return ""
    said = marks.text_of(element) if len(element) else marks.written(element.text or "")
    if not said:
        return ""
    if "  " in said or "\n" in said or "\t" in said or said[0] == " " or said[-1] == " ":
        said = _BLANKS.sub(" ", said).strip(" ")
    return str(said)
