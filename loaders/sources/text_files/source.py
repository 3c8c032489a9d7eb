"""A curator's own texts: PDF, DOCX, HTML, Markdown and plain text, a file or a folder of them.

A document is called by the source's name and the file's path in the folder (its name, where one file is loaded), so
that a changed file replaces its document. Nothing is loaded without a licence, which every citation states.
"""

from __future__ import annotations

import unicodedata
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from ....errors import InputError, RecordError, SourceFileError
from ....schema.languages import stored_tag
from ....schema.records import Document, SourceInfo
from ... import mending
from ...base import UNSTATED, Reject, Row, Source
from ...mending import LeftOut
from .blocks import sections
from .docx import read_docx
from .html import read_html
from .pdf import read_pdf
from .plain import read_markdown, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ...base import Item
    from .blocks import Contents

INFO: Final = SourceInfo("files", "Texts of your own", version="unversioned", licence=UNSTATED, url="")

_READ: Final[dict[str, tuple[Callable[[Path], Contents], str]]] = {
    ".pdf": (read_pdf, "pypdfium2"),
    ".docx": (read_docx, "mammoth"),
    ".html": (read_html, ""),
    ".htm": (read_html, ""),
    ".xhtml": (read_html, ""),
    ".md": (read_markdown, "markdown_it"),
    ".markdown": (read_markdown, "markdown_it"),
    ".txt": (read_text, ""),
}
_REFUSED: Final = {
    ".docm": "may hold macros, which are not let in; save it as .docx",
    ".dotm": "may hold macros, which are not let in; save it as .docx",
    ".doc": "is of the old format of Word; save it as .docx",
    ".rtf": "is RTF; save it as .docx",
    ".odt": "is OpenDocument; save it as .docx",
}


def records(path: Path, *, name: str = INFO.id, base: str = "", language: str = "") -> Iterator[Item]:
    """Read a file, or each file of a folder that is of a known kind.

    Yields:
        A document a file; in a folder a reject for one that cannot be read, and remarks that count the others.

    Raises:
        SourceFileError: The one file cannot be read, or the folder has none of these.
    """
    left, found = LeftOut(), _listed(path)
    for file, place in found:
        suffix = file.suffix.lower()
        if suffix not in _READ and suffix not in _REFUSED and path.is_dir():
            left.add(f"files that are not {', '.join(_READ)}", place, str(file), 0)
            continue
        try:
            yield from _items(file, place, name, base, language)
        except RecordError as error:
            if not path.is_dir():
                raise SourceFileError(str(error), path) from error
            yield Reject(str(file), 0, str(error))
        except SourceFileError as error:
            if not path.is_dir():
                raise
            yield Reject(str(file), error.line or 0, error.message)
    yield from left.remarks()
    if not any(file.suffix.lower() in _READ for file, _ in found):
        raise SourceFileError(f"has no file that is {', '.join(_READ)}", path)


def _listed(path: Path) -> list[tuple[Path, str]]:
    """List files that are not hidden, each with its path in the folder."""
    if not path.is_dir():
        return [(path, path.name)]
    found = ((file, file.relative_to(path)) for file in path.rglob("*") if file.is_file())
    return sorted((file, inner.as_posix()) for file, inner in found if not any(p.startswith(".") for p in inner.parts))


def _items(file: Path, place: str, name: str, base: str, language: str) -> Iterator[Item]:
    suffix = file.suffix.lower()
    if suffix in _REFUSED or suffix not in _READ:
        raise SourceFileError(_REFUSED.get(suffix, f"is none of {', '.join(_READ)}"), file)
    read, library = _READ[suffix]
    if library and not find_spec(library):
        raise InputError(f"{file} is {suffix[1:]}, for which pip install 'medgraph[files]' is needed")
    try:
        contents = read(file)
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", file) from error
    contents.url = f"{base.rstrip('/')}/{quote(place)}" if base else contents.url
    document = _document(contents, f"{name}:{unicodedata.normalize('NFC', place)}", file, language)
    yield Row(document, str(file), 0)
    yield from mending.remarks(contents.notes, document.id, str(file), 0)


def _document(contents: Contents, called: str, file: Path, language: str) -> Document:
    if not contents.blocks:
        raise RecordError("has no text")
    title = contents.titled(file.stem.replace("_", " ").replace("-", " ").strip())
    facts: dict[str, Any] = {"url": contents.url, "authors": contents.authors}
    facts["published"] = mending.date(contents.published, contents.notes)
    spoken = stored_tag(language or contents.language) if language or contents.language else ""
    found = tuple(sections(called, title, contents.blocks))
    if spoken.partition("-")[0] in {"", "en"}:
        return Document(called, title, sections=found, **facts)
    contents.notes.append(f"is in the language {spoken}, and is found by search in that language alone")
    return Document(called, title, translations=tuple(f"{one.text}@{spoken}" for one in found), **facts)


def _estimate(path: Path) -> int:
    return sum(file.suffix.lower() in _READ for file, _ in _listed(path))


SOURCE: Final = Source(
    INFO,
    records,
    _estimate,
    order=44,
    unit="document",
    describe=lambda _: INFO,
    names_parts=True,
    needs_licence=True,
    options={"base": "the address that the files stand below, for links", "language": "their language, such as fr"},
)
