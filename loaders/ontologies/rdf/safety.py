"""What RDF files must not hold: DTDs and entities, never expanded, and contexts that would have to be fetched."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ....errors import SourceFileError
from ...files.opening import opened

if TYPE_CHECKING:
    from pathlib import Path

_BLOCK: Final = 1 << 20
_ENCODINGS: Final = {"", "utf-8", "utf8", "us-ascii", "ascii"}
_OWL_XML: Final = "http://www.w3.org/2002/07/owl# Ontology"


class _RootSeenError(Exception):
    """What comes before the root element was looked through."""


def check_xml(path: Path, *, whole: bool) -> None:
    """Make sure that a file is XML in UTF-8 without a DTD.

    Args:
        path: The file.
        whole: Whether it must be well-formed to its end; otherwise what comes before the root element is looked at,
            where alone a DTD can stand.

    Raises:
        SourceFileError: It is not.
    """
    from xml.parsers import expat  # looks at it alone: DTDs are refused before anything of them is read

    def declared(_: str, encoding: str | None, __: int) -> None:
        if (encoding or "").lower() not in _ENCODINGS:
            raise SourceFileError(f"is encoded in {encoding}; save it as UTF-8", path, 1)

    def doctype(*_: object) -> None:
        raise SourceFileError(
            "declares a DTD or entities, which are never read; save it without, with ROBOT for example",
            path,
            parser.CurrentLineNumber,
        )

    def element(name: str, _: dict[str, str]) -> None:
        parser.StartElementHandler = None
        if name == _OWL_XML:
            raise SourceFileError("is written in OWL/XML; save it as RDF/XML, with ROBOT or Protégé", path)
        if not whole:
            raise _RootSeenError

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.XmlDeclHandler, parser.StartDoctypeDeclHandler, parser.StartElementHandler = declared, doctype, element
    with opened(path) as file, suppress(_RootSeenError):
        try:
            while block := file.read(_BLOCK):
                parser.Parse(block, False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise SourceFileError(_trouble(expat.errors.messages[error.code]), path, error.lineno) from error


def _trouble(message: str) -> str:
    if "not well-formed (invalid token)" in message:
        return "is not well-formed XML in UTF-8: save it as UTF-8, or fetch it again"
    return f"is not well-formed XML ({message}); it may be cut off: fetch it again"


def check_json(path: Path) -> None:
    """Make sure that a JSON-LD file refers to no context elsewhere.

    Args:
        path: The file.

    Raises:
        SourceFileError: It is no JSON, or does.
    """
    import ijson

    with opened(path) as file:
        try:
            for place, event, value in ijson.parse(file):
                if event == "string" and place.endswith(("@context", "@context.item", "@context.@import")):
                    raise SourceFileError(
                        f"takes its context from {value[:200]}, which is not fetched; write the context into the file",
                        path,
                    )
        except (ijson.JSONError, UnicodeDecodeError) as error:
            message = " ".join(str(error).split())[:200]
            raise SourceFileError(f"is not whole JSON in UTF-8 ({message}); fetch it again", path) from error
