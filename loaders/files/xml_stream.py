"""Elements of large XML files, one after the other, without trusting the file: nothing is fetched, nothing expanded.

```python
for element in xml_stream.elements(path, "PubmedArticleSet", ["PubmedArticle"]):
    ...  # an lxml element with all that is in it; emptied when the next one is asked for
```

A DOCTYPE that names a DTD elsewhere, as the files of the National Library of Medicine do, is passed over. One that
declares entities in the file itself is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from xml.parsers import expat

from ...errors import RecordError, SourceFileError
from . import texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MAX_PROLOG: Final = 1 << 20
"""Bytes before the first element; a file with more is none of these."""
_BLOCK: Final = 1 << 14
_BLANKS: Final = re.compile(r"[ \t\n\r]+")


@dataclass(slots=True)
class Prolog:
    """What stands at the beginning of an XML file.

    Attributes:
        root: The outermost element's name.
        dtd: The address or file name of the DTD that it names.
        refused: What forbids reading the file.
    """

    root: str = ""
    dtd: str = ""
    refused: str = ""


class _Found(Exception):  # noqa: N818 - it ends the parsing, and is no error
    """The prolog was read."""


def prolog(path: Path) -> Prolog:
    """Read the beginning of an XML file.

    Args:
        path: The file, packed with gzip or not.

    Returns:
        What it says; nothing of it was fetched or expanded.

    Raises:
        SourceFileError: It is not XML, or declares entities.
    """
    found = Prolog()
    parser = _parser(found)
    try:
        with texts.open_bytes(path) as file:
            if not (block := file.read(_BLOCK)):
                raise SourceFileError("is empty; fetch it again", path)
            for _ in range(MAX_PROLOG // _BLOCK):
                parser.Parse(block, not block)
                block = file.read(_BLOCK)
    except _Found:
        if found.refused:
            raise SourceFileError(found.refused, path, parser.CurrentLineNumber) from None
        return found
    except expat.ExpatError as error:
        raise SourceFileError(f"is not XML: {error}; fetch it again", path, error.lineno) from error
    except (ValueError, LookupError) as error:
        raise SourceFileError(f"is in an encoding that cannot be read: {error}; save it as UTF-8", path, 1) from error
    raise SourceFileError(f"has no element in its first {MAX_PROLOG >> 20} MiB: it is no file of records", path)


def _parser(found: Prolog) -> expat.XMLParserType:
    def doctype(name: str, system: str | None, public: str | None, internal: bool) -> None:  # noqa: ARG001
        found.dtd = system or ""

    def entity(name: str, *_: Any) -> None:
        found.refused = f"declares the entity {name!r} itself; entities are never expanded: get the file from its maker"
        raise _Found

    def start(name: str, _: Any) -> None:
        found.root = name
        raise _Found

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = entity
    parser.StartElementHandler = start
    return parser


def elements(path: Path, root: str, tags: Sequence[str]) -> Iterator[Any]:
    """Read the elements that an XML file consists of.

    Args:
        path: The file, packed with gzip or not.
        root: What its outermost element must be.
        tags: The elements wanted, children of the outermost one.

    Yields:
        lxml elements; each is good until the next one is asked for.

    Raises:
        SourceFileError: The file is not XML of this kind, or stops being XML; what came before was yielded.
    """
    from lxml import etree

    found = prolog(path)
    if found.root != root:
        raise SourceFileError(f"has the outermost element <{found.root}> where <{root}> belongs: wrong file", path)
    with texts.open_bytes(path) as file:
        context = etree.iterparse(
            file,
            tag=tags,
            load_dtd=False,
            no_network=True,
            resolve_entities=False,
            remove_comments=True,
            remove_pis=True,
            huge_tree=False,
            collect_ids=False,
        )
        try:
            for _, element in context:
                yield element
                _forget(element)
        except etree.XMLSyntaxError as error:
            line, reason = _fault(context.error_log, error)
            raise SourceFileError(
                f"is no XML from here on ({reason}); what came before was read: fetch it again", path, line
            ) from error


def _fault(log: Any, error: SyntaxError) -> tuple[int, str]:
    """Give line and reason of the first fault: the error itself is raised at the end of the file for some."""
    for entry in log:
        return entry.line, entry.message
    return error.lineno or 1, error.msg


def _forget(element: Any) -> None:
    """Free an element, and whatever stands before it."""
    element.clear()
    parent = element.getparent()
    while element.getprevious() is not None:
        del parent[0]


def child(element: Any, tag: str) -> Any:
    """Find a child.

    Args:
        element: An lxml element, or None.
        tag: The child's tag.

    Returns:
        The first child of that tag; None when there is none.
    """
    return next(element.iterchildren(tag), None) if element is not None else None  # three times as fast as `find`


def text(element: Any) -> str:
    """Give the text of an element, that of all markup in it included, with single blanks for blanks and line ends.

    Args:
        element: An lxml element, or None.

    Returns:
        The text; empty for None.

    Raises:
        RecordError: The text refers to an entity that is not one of XML's own.
    """
    if element is None:
        return ""
    said = _inner(element) if len(element) else element.text
    if not said:
        return ""
    if "  " in said or "\n" in said or "\t" in said or said[0] == " " or said[-1] == " ":
        said = _BLANKS.sub(" ", said).strip(" ")
    return str(said)


def _inner(element: Any) -> str:
    said = "".join(element.itertext())
    if "&" in said:  # or a reference, which has its name for a text
        from lxml import etree

        for entity in element.iter(etree.Entity):
            raise RecordError(f"it uses the entity {entity.text}, and entities are never expanded; write the character")
    return said
