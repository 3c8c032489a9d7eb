"""Files of sets: people's labels and grades of sections, sentences, pages, mentions, relations and paths; JSON lines.

Grades have a line each without a header; other tables begin with the names of their columns.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from medgraph.errors import SourceFileError
from medgraph.files import table_lines
from medgraph.loaders.files.texts import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    Grades = Mapping[str, Mapping[str, int]]  # question → section → grade
    # A question's id, what of it is asked, and a section's id with where a sentence of it begins and ends.
    Quoted = tuple[str, str, str, int, int]
    PageOf = tuple[str, str, str]  # a question's id, as what it is asked, and a page's id

NEAR: Final = 2  # the least grade of a section that is about what is asked, from 1 to 4
GOOD: Final = 3  # the least grade of a section that answers
HELPS: Final = 2  # the least grade of a sentence that helps, from 0 to 3
QUESTION: Final = "question"
MESSAGE: Final = "message"


def json_rows(path: Path, *keys: str) -> list[dict[str, Any]]:
    """Read a file of JSON lines, each an object that has some keys."""
    with open_source(path) as file:
        return [_object(line, keys, path, place) for place, line in enumerate(file, start=1)]


def _object(line: bytes, keys: tuple[str, ...], path: Path, place: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise SourceFileError("this is no JSON object", path, place)
    if lost := [key for key in keys if key not in row]:
        raise SourceFileError(f"lacks {lost[0]!r}", path, place)
    return row


def read_grades(*paths: Path) -> dict[str, dict[str, int]]:
    """Read grades of sections: question → section → grade."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for path in paths:
        for question, section, grade in _graded(path, "question<TAB>section<TAB>grade from 1 to 4", "1234"):
            grades[question][section] = int(grade)
    return dict(grades)


def read_sentences(path: Path) -> dict[Quoted, int]:
    """Read grades of sentences."""
    form = "question<TAB>what it asks<TAB>section<TAB>start<TAB>end<TAB>grade from 0 to 3"
    rows = _graded(path, form, "0123", numbers=(3, 4))
    return {
        (question, asked, section, int(start), int(end)): int(grade)
        for question, asked, section, start, end, grade in rows
    }


def read_pages(path: Path) -> dict[PageOf, int]:
    """Read grades of pages."""
    grades = {}
    for question, asked, page, grade in _graded(
        path, "question<TAB>question or message<TAB>page<TAB>grade from 0 to 2", "012"
    ):
        if asked not in {QUESTION, MESSAGE}:
            raise SourceFileError(f"says that {question} is asked as {asked!r}; write question or message", path)
        grades[question, asked, page] = int(grade)
    return grades


def _graded(path: Path, form: str, grades: str, numbers: Sequence[int] = ()) -> Iterator[list[str]]:
    width = form.count("<TAB>") + 1
    for line_number, line in table_lines(path):
        cells = line.split("\t")
        if len(cells) != width or cells[-1] not in [*grades] or not all(cells[place].isdecimal() for place in numbers):
            raise SourceFileError(f"write the line as {form}", path, line_number)
        yield cells


def rows_of(path: Path, columns: Sequence[str], last: Sequence[str] = ()) -> list[dict[str, str]]:
    """Read a table that has columns, and perhaps others; the last of these says one of `last`, where they are given."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error
    header = lines[0].split("\t") if lines else []
    if not {*columns} <= {*header}:
        raise SourceFileError(f"needs the columns {', '.join(columns)}", path, 1)
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        row = dict(zip(header, cells, strict=False))
        if len(cells) != len(header) or (last and row[columns[-1]] not in last):
            told = f", {' or '.join(last)} in the column {columns[-1]}" if last else ""
            raise SourceFileError(f"needs {len(header)} cells{told}", path, number)
        rows.append(row)
    return rows
