"""Every reader of XML goes through this module: nothing is fetched, and only short texts are expanded.

A large file is read element by element by `elements`, which looks at it by `prolog` first, up to its outermost element,
before which alone a DTD can stand. A DOCTYPE that names a DTD elsewhere, as the files of the National Library of
Medicine do, is passed over. Entities that the file itself declares may be plain texts, as Protégé writes beginnings of
addresses; one that is long, stands elsewhere or expands others is refused. A small document is read whole by `parse`.
"""

from __future__ import annotations

import codecs
import re
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO, TextIOWrapper
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from xml.parsers import expat

from ...errors import SourceFileError
from ..base import Reject
from . import marks
from .texts import open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from xml.etree.ElementTree import Element


MAX_PROLOG: Final = 1 << 20  # Bytes before the first element; a file with more is none of these
_BLOCK: Final = 1 << 14
_LARGE_BLOCK: Final = 1 << 20
_UTF_8: Final = {"utf-8", "ascii"}
_DECLARATION: Final = re.compile(r"^\ufeff?<\?xml[^>]*\?>")
_LONGEST: Final = 400  # characters that an entity may stand for: a text of so many times its size is no bomb
_EXPANDS: Final = re.compile("[&%<]")


@dataclass(frozen=True, slots=True)
class Prolog:
    """The outermost element of an XML file without its namespace, that, the address of a DTD, and the encoding.

    `expands` tells that the file declares entities.
    """

    root: str
    namespace: str = ""
    dtd: str = ""
    encoding: str = "utf-8"
    expands: bool = False


def prolog(path: Path, data: bytes | None = None, *, whole: bool = False) -> Prolog:
    """Read the beginning of an XML file, and refuse entities that must not be expanded.

    If `whole`, the file has to be well-formed to its end.
    """
    guard = _Guard(path, whole=whole)
    with open_source(path) if data is None else BytesIO(data) as file:
        for _ in range(MAX_PROLOG // _BLOCK):
            guard.feed(file.read(_BLOCK))
            if guard.found:
                break
        if not guard.found:
            raise SourceFileError(f"has no element in its first {MAX_PROLOG >> 20} MiB: it is no file of records", path)
        while whole and (block := file.read(_LARGE_BLOCK)):
            guard.feed(block)
        if whole:
            guard.feed(b"")
    return guard.found


@contextmanager
def opened_as_utf_8(path: Path) -> Iterator[BinaryIO]:
    """Open XML in UTF-8, which one in another encoding is written in on the disk, without its declaration."""
    encoding = prolog(path).encoding
    with open_source(path) as file:
        if encoding in _UTF_8:
            yield file
            return
        with TextIOWrapper(file, encoding, newline="") as said, TemporaryFile() as copy:
            copy.write(_DECLARATION.sub("", said.read(_BLOCK)).encode())
            while block := said.read(_LARGE_BLOCK):
                copy.write(block.encode())
            copy.seek(0)
            yield copy


def parse(data: bytes, name: str) -> Element | Reject:
    """Read a small document whole: its outermost element, or a reject where it is no XML, or declares a DTD."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root: Element = fromstring(data, forbid_dtd=True)
    except ParseError as error:
        line = error.position[0] if hasattr(error, "position") else 1
        return Reject(name, line, f"is not well-formed XML: {error}")
    except DefusedXmlException:
        return Reject(name, 1, "declares a DTD or entities, which are never read")
    except (ValueError, LookupError) as error:
        return Reject(name, 1, f"cannot be decoded: {error}")
    return root


class _Guard:
    """Looks at XML as it comes, and refuses what declares anything that must not be read."""

    def __init__(self, path: Path, *, whole: bool = False) -> None:
        self.found: Prolog | None = None
        self._path, self._whole, self._dtd, self._encoding = path, whole, "", "utf-8"
        self._expands = False
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.XmlDeclHandler = self._declared
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._entity
        self._parser.StartElementHandler = self._element

    def feed(self, block: bytes) -> None:
        """Look at a block; an empty one is the end of the file."""
        try:
            self._parser.Parse(block, not block)
        except expat.ExpatError as error:
            if self._whole or not self.found:
                raise self._fault(self._trouble(error), error.lineno) from error
        except (ValueError, LookupError) as error:
            raise self._fault(f"is in an encoding that cannot be read: {error}; save it as UTF-8", 1) from error

    def _declared(self, _: str, encoding: str | None, __: int) -> None:
        self._encoding = codecs.lookup(encoding or "utf-8").name

    def _doctype(self, _: str, system: str | None, *__: Any) -> None:
        self._dtd = system or ""

    def _entity(self, name: str, of_dtd: int, value: str | None, *_: Any) -> None:
        if of_dtd or value is None or len(value) > _LONGEST or _EXPANDS.search(value):
            said = "which stands elsewhere, is long or expands others, and is never expanded"
            raise self._fault(f"declares the entity {name!r}, {said}: get the file from its maker")
        self._expands = True

    def _element(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        namespace, _, root = name.rpartition(" ")
        self.found = Prolog(root, namespace, self._dtd, self._encoding, self._expands)
        self._parser.StartElementHandler = None

    def _fault(self, message: str, line: int | None = None) -> SourceFileError:
        return SourceFileError(message, self._path, line or self._parser.CurrentLineNumber)

    def _trouble(self, error: expat.ExpatError) -> str:
        message = expat.errors.messages[error.code]
        why = f"be in another encoding than {self._encoding}" if "invalid token" in message else "be cut off"
        return f"is not well-formed XML ({message}); it may {why}: fetch it again"


_BLANKS: Final = re.compile(r"[ \t\n\r]+")
# Options of lxml's iterator of elements as they end, with all off that fetches
_SAFE: Final = {"load_dtd": False, "no_network": True, "remove_comments": True, "remove_pis": True, "huge_tree": False}


def elements(
    path: Path,
    root: str,
    tags: Sequence[str],
    wanted: Callable[[list[str]], bool] | None = None,
    data: bytes | None = None,
) -> Iterator[Any]:
    """Read the lxml elements that an XML file consists of; each is good until the next one is asked for.

    Args:
        wanted: Chooses elements by the names of those around them, the outermost first; what else stands around these
            is kept then.
        data: What is read, where it does not stand in the file `path` but in one inside it.
    """
    from lxml import etree

    found = prolog(path, data)
    if found.root != root:
        raise SourceFileError(f"has the outermost element <{found.root}> where <{root}> belongs: wrong file", path)
    with open_source(path) if data is None else BytesIO(data) as file:
        how: dict[str, Any] = {**_SAFE, "resolve_entities": "internal" if found.expands else False}
        context, last = etree.iterparse(file, tag=tags, collect_ids=False, **how), None
        try:
            for _, element in context:
                if wanted and not wanted([local(one) for one in element.iterancestors()][::-1]):
                    continue
                yield element
                # Free an element, and whatever stands before it.
                element.clear()
                parent = element.getparent()
                if wanted:
                    if last is not None and last.getparent() is not None:
                        last.getparent().remove(last)
                    last = element
                    continue
                while element.getprevious() is not None:
                    del parent[0]
        except etree.XMLSyntaxError as error:
            # The first fault: the error itself is raised at the end of the file for some.
            first = next(iter(context.error_log), None)
            line, reason = (first.line, first.message) if first else (error.lineno or 1, error.msg)
            said = f"is no XML from here on ({reason}); what came before was read: fetch it again"
            raise SourceFileError(said, path, line) from error


def local(element: Any) -> str:
    """Give the name of an element without its namespace."""
    return _local(element.tag)


@lru_cache(maxsize=1 << 12)
def _local(tag: Any) -> str:
    return str(tag).rpartition("}")[2]


def child(element: Any, tag: str) -> Any:
    """Find the first child of an lxml element, or of None, that has a tag."""
    return next(element.iterchildren(tag), None) if element is not None else None  # three times as fast as `find`


def inside(element: Any, tag: str) -> Iterator[Any]:
    """Give the elements in the first child of an lxml element, or of None, that has a tag."""
    listed = child(element, tag)
    return listed.iterchildren("*") if listed is not None else iter(())


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
