"""A curator's own texts: PDF, DOCX, HTML, Markdown and plain text, a file or a folder of them.

A document is called by the source's name and the file's path in the folder (its name, where one file is loaded), so
that a changed file replaces its document. Nothing is loaded without a licence, which every citation states.
"""

from __future__ import annotations

import re
import unicodedata
import zipfile
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from ....errors import InputError, RecordError, SourceFileError, install_line
from ....files import below
from ....schema.languages import stored_tag
from ....schema.records import Document
from ... import mending
from ...base import INFOS, Item, Reject, Row, Source
from ...files import archives, xml_stream
from ...files.texts import whole
from ...mending import LeftOut
from . import html
from .blocks import Block, Contents, sections
from .html import read_html
from .pdf import read_pdf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from xml.etree.ElementTree import Element


_OLE: Final = b"\xd0\xcf\x11\xe0"  # begins a document of old Word, and one that is encrypted
_LARGEST: Final = 32 << 20  # bytes of a document's XML
_STYLES: Final = """
p[style-name='Title'] => h1:fresh
p[style-name='heading 1'] => h2:fresh
p[style-name='heading 2'] => h3:fresh
p[style-name='heading 3'] => h4:fresh
p[style-name='heading 4'] => h5:fresh
p[style-name='heading 5'] => h6:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name^='toc '] => !
p[style-name^='TOC '] => !
p[style-name='TOC Heading'] => !
"""
_NAMESPACES: Final = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
    "t": "http://purl.org/dc/terms/",
}
_NOTE: Final = re.compile(r'<a href="#(?:foot|end)note-ref-\d+">↑</a>')


def read_docx(path: Path) -> Contents:
    """Read a DOCX without macros and without a password."""
    import mammoth

    _check_docx(path)
    try:
        with path.open("rb") as file:
            how = {"style_map": _STYLES, "convert_image": mammoth.images.img_element(lambda _: {})}
            made: Any = mammoth.convert_to_html(file, external_file_access=False, **how)
    except (*archives.BROKEN, KeyError, AttributeError, RecursionError) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise SourceFileError(f"is no sound DOCX ({said}); open it in Word and save it again", path) from error
    page = f"<main>{_NOTE.sub('', made.value)}</main>"
    contents = html.of_pieces([page.encode()])
    _take_facts(path, contents)
    return contents


def _check_docx(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(4) == _OLE:
            why = "is protected by a password, or of the old format .doc; save it as .docx without a password"
            raise SourceFileError(why, path)
    archives.count(path, "")  # which refuses what would unpack to far more than texts do
    with zipfile.ZipFile(path) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist()}
    if any(name.endswith("vbaProject.bin") for name in sizes):
        raise SourceFileError("holds macros, which are not let in; save it as .docx without macros", path)
    if "[Content_Types].xml" not in sizes or not any(name.startswith("word/") for name in sizes):
        raise SourceFileError("is a zip archive, but no document of Word; save it as .docx", path)
    if max(size for name, size in sizes.items() if name.endswith(".xml")) > _LARGEST:
        raise SourceFileError(f"has more than {_LARGEST >> 20} MiB of text and markup; split it", path)


def _take_facts(path: Path, contents: Contents) -> None:
    for item in archives.members(path, "docProps/core.xml"):
        if isinstance(item, Reject):
            continue
        core = xml_stream.parse(item[1], item[0])
        if not isinstance(core, Reject):
            contents.title = _text_of(core, "dc:title")
            contents.authors = tuple(filter(None, map(str.strip, _text_of(core, "dc:creator").split(";"))))
            contents.published = _text_of(core, "t:modified")[:10]
            contents.language = _text_of(core, "dc:language")


def _text_of(core: Element, name: str) -> str:
    found = core.find(name, _NAMESPACES)
    return " ".join((found.text or "").split()) if found is not None else ""


_UNDERLINE: Final = re.compile(r"(={3,}|-{3,}|~{3,})\s*")
_LIST_ITEM: Final = re.compile(r"\s*(?:[-*•o+]|\(?\d{1,2}[.)])\s")
_WRAPPED: Final = 45  # characters from which a line of text is one that the next goes on from
_FRONT: Final = re.compile(r"---\n(.*?)\n(?:---|\.\.\.)\n", re.DOTALL)


def read_text(path: Path) -> Contents:
    """Read plain text: paragraphs between blank lines, headings where a line is underlined."""
    blocks: list[Block] = []
    paragraph: list[str] = []
    for line in [*_whole(path).split("\n"), ""]:
        if paragraph and len(paragraph) == 1 and _UNDERLINE.fullmatch(line):
            blocks.append(Block(paragraph.pop(), 1 if line[0] == "=" else 2))
        elif not line.strip() and paragraph:
            blocks.append(Block("\n".join(paragraph)))
            paragraph = []
        elif paragraph and len(paragraph[-1]) >= _WRAPPED and not _LIST_ITEM.match(line):
            paragraph[-1] = f"{paragraph[-1]} {line.strip()}"
        elif line.strip():
            paragraph.append(" ".join(line.split()))
    return Contents(blocks)


def read_markdown(path: Path) -> Contents:
    """Read Markdown, with what YAML in front of it says of the document."""
    from markdown_it import MarkdownIt

    text = _whole(path)
    front = _FRONT.match(text)
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text[front.end() :] if front else text)
    contents = html.of_pieces([f"<main>{page}</main>".encode()])
    return _stated(contents, _facts(front[1], path)) if front else contents


def _stated(contents: Contents, said: dict[str, Any]) -> Contents:
    authors = said.get("authors") or said.get("author") or []
    contents.title = str(said.get("title") or "")
    contents.authors = tuple(map(str, authors if isinstance(authors, list) else [authors]))
    contents.published = str(said.get("date") or said.get("published") or "")
    contents.url = str(said.get("url") or "")
    contents.language = str(said.get("lang") or said.get("language") or "")
    return contents


def _facts(front: str, path: Path) -> dict[str, Any]:
    import yaml

    try:
        said = yaml.safe_load(front)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = f"has broken YAML in front ({getattr(error, 'problem', '')}); mend it, or take it out"
        raise SourceFileError(reason, path, mark.line + 2 if mark else 1) from error
    return said if isinstance(said, dict) else {}


def _whole(path: Path) -> str:
    if not (found := whole(path)).strip():
        raise RecordError("has no text")
    return found


INFO: Final = INFOS["files"]

_READ: Final[dict[str, tuple[Callable[[Path], Contents], str]]] = {
    ".pdf": (read_pdf, "pypdfium2"),
    ".docx": (read_docx, "mammoth"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), (read_html, "")),
    **dict.fromkeys((".md", ".markdown"), (read_markdown, "markdown_it")),
    ".txt": (read_text, ""),
}
_REFUSED: Final = {
    **dict.fromkeys((".docm", ".dotm"), "may hold macros, which are not let in; save it as .docx"),
    ".doc": "is of the old format of Word; save it as .docx",
    ".rtf": "is RTF; save it as .docx",
    ".odt": "is OpenDocument; save it as .docx",
}


def records(path: Path, *, name: str = INFO.id, base: str = "", language: str = "") -> Iterator[Item]:
    """Read a file, or each file of a folder that is of a known kind.

    Yields a document a file; in a folder a reject for one that cannot be read, and remarks that count the others.
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
    return [(file, file.relative_to(path).as_posix()) for file in below(path) if file.is_file()]


def _items(file: Path, place: str, name: str, base: str, language: str) -> Iterator[Item]:
    suffix = file.suffix.lower()
    if suffix in _REFUSED or suffix not in _READ:
        raise SourceFileError(_REFUSED.get(suffix, f"is none of {', '.join(_READ)}"), file)
    read, library = _READ[suffix]
    if library and not find_spec(library):
        raise InputError(f"{file} is {suffix[1:]}, which needs an extra; {install_line('files')}")
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
