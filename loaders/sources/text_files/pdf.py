"""PDF as blocks with their pages, by PDFium: characters with places, which `layout` makes lines and paragraphs of."""

from __future__ import annotations

import ctypes
import re
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from ....errors import RecordError, SourceFileError
from ...files import marks
from .blocks import Contents
from .layout import HYPHEN, ITEM, Line, blocks_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LEAST: Final = 20  # characters of a page's text, with fewer of which a page that has an image is a scan
_UNKNOWN: Final = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f]")
_HYPHENS: Final = {0x02, 0xFFFE}  # what PDFium writes for a hyphen at the end of a line
_CONTROLS: Final = {10, 13, 0xAD, 0xFFFF}
_ENDS: Final = {10, 13} | _HYPHENS
_BOLD: Final = re.compile(r"bold|black|heavy|semibold|-bd", re.IGNORECASE)
_JUNK: Final = re.compile(
    r"(?:microsoft word|untitled|powerpoint|slide \d)|\.(?:docx?|pdf|indd|qxd|pptx?)$", re.IGNORECASE
)
_DATE: Final = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?")
_GAP: Final = 1.0  # widths of a blank between cells of a table, in sizes of the font


def read_pdf(path: Path) -> Contents:
    """Read a PDF that has text and needs no password."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(path) as pdf:
            read = [_page(pdf, number) for number in range(len(pdf))]
            pages, scans = [lines for lines, _ in read], [n for n, (_, scanned) in enumerate(read, 1) if scanned]
            _check(path, pages, scans)
            outline = _outline(pdf)
            facts = pdf.get_metadata_dict()
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pypdfium2.raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise SourceFileError("is protected by a password; save it without one", path) from error
        raise SourceFileError(f"is no sound PDF ({error}); save or fetch it again", path) from error
    title, author = (" ".join(facts.get(name, "").split()) for name in ("Title", "Author"))
    dated = _DATE.match(facts.get("CreationDate", ""))
    contents = Contents(
        blocks_of(pages, outline),
        title="" if _JUNK.search(title) else title,
        authors=() if author in {"", "anonymous"} else (author,),
        published="-".join(filter(None, dated.groups())) if dated else "",
    )
    if unknown := sum(len(_UNKNOWN.findall(line.text)) for lines in pages for line in lines):
        contents.notes.append(f"its fonts do not say what {unknown:,} characters are; look at them in the file")
    if scans:
        said = f"pages that are images without text are left out: {_listed(scans)}; recognise their text"
        contents.notes.append(said)
    return contents


def _check(path: Path, pages: list[list[Line]], scans: list[int]) -> None:
    text = "".join(line.text for lines in pages for line in lines)
    if not text.strip():
        if scans:
            said = "is scanned: images without text; have its text recognised (OCR), and load that"
            raise SourceFileError(said, path)
        raise RecordError("has no text")
    if len(_UNKNOWN.findall(text)) * 20 > len(text):
        why = "does not say which characters its fonts show; print it to PDF anew, or have its text recognised (OCR)"
        raise SourceFileError(why, path)


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:20])) + (f" and {len(numbers) - 20} more" if len(numbers) > 20 else "")


def _outline(pdf: Any) -> dict[int, list[tuple[int, str]]]:
    """Give levels, from 1, and titles of the outline by page."""
    found: dict[int, list[tuple[int, str]]] = {}
    for mark in pdf.get_toc():
        place = mark.get_dest()
        page = place.get_index() if place else None
        if page is not None:
            found.setdefault(page + 1, []).append((mark.level + 1, mark.get_title()))
    return found


def _page(pdf: Any, number: int) -> tuple[list[Line], bool]:
    from pypdfium2 import raw

    page = pdf[number]
    try:
        text = page.get_textpage()
        _, height = page.get_size()
        lines = [line for group in _lines(text, raw) if (line := _line(group, text, raw, number + 1, height))]
        shown = sum(len(line.text) for line in lines)
        images = shown < _LEAST and any(True for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4))
        return ([] if images and not shown else lines), images
    finally:
        page.close()


_Char = tuple[int, str, float, float, float]  # its index, itself, its left and right edge, and its base line


def _lines(text: Any, raw: Any) -> Iterator[list[_Char]]:
    """Group characters by lines, as PDFium ends them; parts of a row side by side are one line."""
    line: list[_Char] = []
    before: list[_Char] = []
    left, right, bottom, top, x, y = [ctypes.c_double() for _ in range(6)]
    for index in range(raw.FPDFText_CountChars(text)):
        code = raw.FPDFText_GetUnicode(text, index)
        if code not in _CONTROLS:
            raw.FPDFText_GetCharBox(text, index, *map(ctypes.byref, (left, right, bottom, top)))
            raw.FPDFText_GetCharOrigin(text, index, ctypes.byref(x), ctypes.byref(y))
            sign = HYPHEN if code in _HYPHENS else chr(code or 0xFFFD)
            line.append((index, sign, left.value, right.value, y.value))
        # PDFium ends no line behind a hyphen.
        if line and code in _ENDS:
            if before and not _goes_on(before, line):
                yield before
                before = []
            before, line = before + line, []
    for rest in [before + line] if before and line and _goes_on(before, line) else [before, line]:
        if rest:
            yield rest


def _goes_on(before: list[_Char], line: list[_Char]) -> bool:
    """Tell whether a line stands to the right of the one before, on the same base line."""
    return abs(before[-1][4] - line[0][4]) < 1 and line[0][2] > before[-1][3]


def _line(chars: list[_Char], text: Any, raw: Any, page: int, height: float) -> Line | None:
    shown = [one for one in chars if not one[1].isspace()]
    if not shown:
        return None
    index = shown[len(shown) // 2][0]
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
    size = raw.FPDFText_GetFontSize(text, index) * (matrix.c**2 + matrix.d**2) ** 0.5 or 10.0
    cells: list[tuple[float, float, str]] = []
    start, parts, edge, blank = shown[0][2], list[str](), shown[0][2], False
    baseline = median(one[4] for one in shown)
    for sign, left, right in _written(chars, baseline, size):
        if sign.isspace():
            blank = True
            continue
        if left - edge > _GAP * size and parts:
            cells.append((start, edge, "".join(parts)))
            start, parts, blank = left, [], False
        parts += [" ", sign] if blank and parts else [sign]
        blank, edge = False, right
    cells.append((start, edge, "".join(parts)))
    if len(cells) > 1 and ITEM.fullmatch(cells[0][2]):
        cells[:2] = [(cells[0][0], cells[1][1], f"{cells[0][2]} {cells[1][2]}")]
    return Line(tuple(cells), round(size * 2) / 2, _bold(text, raw, [one[0] for one in shown]), page, baseline, height)


def _written(chars: list[_Char], baseline: float, size: float) -> Iterator[tuple[str, float, float]]:
    """Give signs with their edges; exponents and indices, which stand above or below the line, as such."""
    before = ""
    for shift, group in groupby(chars, lambda one: 0 if one[1].isspace() else round((one[4] - baseline) / size * 2.5)):
        together = list(group)
        if shift == 0:
            yield from ((sign, left, right) for _, sign, left, right, _ in together)
            before = together[-1][1]
            continue
        said = "".join(one[1] for one in together)
        yield (marks.raised(said) if shift > 0 else marks.lowered(said, before), together[0][2], together[-1][3])


def _bold(text: Any, raw: Any, indexes: list[int]) -> bool:
    buffer, flags = ctypes.create_string_buffer(200), ctypes.c_int()
    for index in {indexes[0], indexes[len(indexes) // 2], indexes[-1]}:
        raw.FPDFText_GetFontInfo(text, index, buffer, 200, ctypes.byref(flags))
        if not _BOLD.search(buffer.value.decode("utf-8", "replace")) and not flags.value & (1 << 18):
            return False
    return True
