"""Word's DOCX as blocks, by way of HTML that mammoth writes: what was inserted stays, what was deleted goes."""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING, Any, Final

from ....errors import SourceFileError
from ...base import Reject
from ...files import archives, xml_stream
from . import html

if TYPE_CHECKING:
    from pathlib import Path
    from xml.etree.ElementTree import Element

    from .blocks import Contents

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
_NAMES: Final = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
    "t": "http://purl.org/dc/terms/",
}
_NOTE: Final = re.compile(r'<a href="#(?:foot|end)note-ref-\d+">↑</a>')


def read_docx(path: Path) -> Contents:
    """Read a DOCX without macros and without a password."""
    import mammoth

    _check(path)
    try:
        with path.open("rb") as file:
            made: Any = mammoth.convert_to_html(
                file,
                style_map=_STYLES,
                convert_image=mammoth.images.img_element(lambda _: {}),
                external_file_access=False,
            )
    except (*archives.BROKEN, KeyError, AttributeError, RecursionError) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise SourceFileError(f"is no sound DOCX ({said}); open it in Word and save it again", path) from error
    page = f"<main>{_NOTE.sub('', made.value)}</main>"
    contents = html.of_pieces([page.encode()])
    _describe(path, contents)
    return contents


def _check(path: Path) -> None:
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


def _describe(path: Path, contents: Contents) -> None:
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
    found = core.find(name, _NAMES)
    return " ".join((found.text or "").split()) if found is not None else ""
