r"""Parses table cells: lists as programs print them, names that become ids, CURIEs.

A cell holds several names as Python or JSON print a list, a tuple or a set (`['Fever', "Crohn's disease"]`), which is
read without running anything, or with `;` or `|` between them. A comma separates nothing outside brackets, since names
have commas. Of a list, `nan`, `None` and `null` are no items.
"""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from ...errors import RecordError, SourceFileError
from ...files import word_table
from ..base import Reject, Remark
from ..mending import LeftOut
from . import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Set


Made = TypeVar("Made")

_NOTHING: Final = {"", "nan", "none", "null", "n/a", "na", "-"}
_ITEM = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)"|<NA>|(?:nan|NaN|None|null|NA|NaT)\b)\s*(,|\Z)""", re.DOTALL
)
_COMMAS: Final = re.compile(r"[^\W\d_],[^\W\d_]|^[A-Z][^,]*(?:, ?[A-Z][^,]*){2,}$")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U000[0-9a-fA-F]{5}|U0010[0-9a-fA-F]{4}|[\\'\"abfnrtv\n])")
_LETTERS: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\n": ""}
_BYTES = re.compile(r"(?:\\x[0-9a-fA-F]{2})+")
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,60}")
_TEXTS: Final = {".csv", ".tsv", ".tab", ".jsonl", ".ndjson"}
_COLUMNS: Final = Path(__file__).parents[1] / "sources" / "columns.tsv"
_LOOK: Final = 20
_LISTED: Final = re.compile(r"\[|[({]\s*['\"]")  # How a list, a tuple or a set begins
_ENDS: Final = {"[": "]", "(": ")", "{": "}"}


def is_nothing(text: str) -> bool:
    """Tell whether a cell says that there is nothing, as `nan`, `None` and blanks do."""
    return text.strip().lower() in _NOTHING


def names(text: str) -> tuple[str, ...]:
    """Read a cell that holds several names: a list of Python or JSON, names with `;` or `|` between them, or one name.

    Each is given once, in order, without blanks around it; what says nothing (`nan`) is left out.
    """
    plain = text.strip()
    found = _listed(plain) if _LISTED.match(plain) else re.split(r"[;|]", plain)
    return tuple(dict.fromkeys(" ".join(name.split()) for name in found if not is_nothing(name)))


def looks_listed(text: str) -> bool:
    """Tell whether one name looks like several: `Cough,Wheeze` and `Cough, Wheeze, Fever`, not `Cramps, or spasms`."""
    return not _LISTED.match(text.lstrip()) and not re.search("[;|]", text) and bool(_COMMAS.search(text.strip()))


def items(text: str) -> tuple[str, ...]:
    """Read a list as a program prints it, with repeated and empty items; or one name."""
    plain = text.strip()
    return tuple(_listed(plain)) if _LISTED.match(plain) else (plain,)


def _listed(text: str) -> list[str]:
    if not text.startswith("["):
        return _python_list(text)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return _python_list(text)
    found = ["" if item is None or item != item else item for item in found]  # noqa: PLR0124 # nan is not itself
    if not all(isinstance(item, str) for item in found):
        raise RecordError(f"the list {text[:60]!r} holds something that is no text; put names in quotes")
    return found


def _python_list(text: str) -> list[str]:
    end = _ENDS[text[0]]
    if not text.endswith(end) or len(text) < 2:
        raise RecordError(f"the list {text[:60]!r} has no {end} at its end; was the cell cut off?")
    inner, place, found = text[1:-1].rstrip(), 0, []
    while place < len(inner):
        item = _ITEM.match(inner, place)
        if item is None:
            said = f"the list has {inner[place : place + 40].strip()!r} at character {place + 2}"
            raise RecordError(f"{said}, where a name in quotes, with a comma behind it, should stand")
        found.append(_ESCAPE.sub(_unescape, item[1] if item[1] is not None else item[2] or ""))
        place = item.end()
    return found


def _unescape(escape: re.Match[str]) -> str:
    mark, digits = escape[1][0], escape[1][1:]
    return chr(int(digits, 16)) if digits else _LETTERS.get(mark, mark)


def restored(text: str) -> str:
    r"""Undo what a program left when it printed bytes, not a text: `\xc5\x93dema` is œdema, `Crohn\'s` is Crohn's."""
    return _BYTES.sub(_decode, text).replace("\\'", "'").replace('\\"', '"') if "\\" in text else text


def _decode(found: re.Match[str]) -> str:
    try:
        return bytes.fromhex(found[0].replace("\\x", "")).decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


def slug(name: str) -> str:
    """Make the local part of an id from a name: `crohn-s-disease` of `Crohn's disease`, shortened where it is long."""
    plain = re.sub(r"[\W_]+", "-", name.lower()).strip("-")
    if len(plain) <= 80:
        return plain or hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{plain[:60]}-{hashlib.sha256(plain.encode()).hexdigest()[:12]}"


def plain_header(name: str) -> str:
    """Give the words of a column's name in small letters: `risk factors` of `Risk_Factors` and `riskFactors`."""
    return " ".join(re.sub(r"[\W_]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).lower().split())


def columns(kind: str) -> dict[str, str]:
    """Give what the columns of a kind of table in `columns.tsv` hold, by their names as `plain_header` has them."""
    listed = word_table(_COLUMNS)[kind].items()
    return {plain_header(name): what for what, names in listed for name in names}


def stem(path: Path) -> str:
    """Make the name of a source, and the prefix of its ids, of a file's: `our-clinic` for `Our clinic.csv.gz`."""
    name = slug(path.name.partition(".")[0])[:60].strip("-")
    return name if _PREFIX.fullmatch(name) else f"table-{name}"


def own_prefix(given: str, otherwise: str) -> str:
    """Choose the prefix of a table's ids: the one that a curator gives, if it can be one, or the other."""
    if given and not _PREFIX.fullmatch(given):
        raise SourceFileError("cannot come before ids: use a letter, then letters, digits, . _ and -", given)
    return given or otherwise


def first_row(path: Path) -> dict[str, str]:
    """Look at the first row of a table, to recognise it; nothing where it is none, or cannot be used."""
    suffixes = [part.lower() for part in path.suffixes[-2:]]
    if not _TEXTS & set(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:]) or not path.is_file():
        return {}
    with suppress(SourceFileError), closing(tables.read(path)) as rows:  # type: ignore[type-var]  # it is a generator
        return next((item[1] for item in islice(rows, _LOOK) if not isinstance(item, Reject)), {})
    return {}


def unread(path: Path, known: Collection[str], **written: str) -> Iterator[Remark]:
    """Remark on the columns of a table, written as for `tables.columns`, that nobody reads."""
    names, plain = tables.columns(path, **written) or first_row(path), set(map(plain_header, known))
    if left := [name for name in names if plain_header(name) not in plain]:
        yield from LeftOut.columns(left, str(path))


def rows(
    path: Path,
    words: Mapping[str, str],
    required: Set[str],
    needs: str,
    make: Callable[[dict[str, str], dict[str, str]], Made],
) -> Iterator[tuple[int, Made | Reject]]:
    """Make something of each row, and of its columns by what `words` says of their headers; a table needs two of them.

    A `SourceFileError` says what it `needs` where a required column is missing.
    """
    header: tuple[str, ...] = ()
    columns: dict[str, str] = {}
    for item in tables.read(path):
        if isinstance(item, Reject):
            yield item.line, item
            continue
        line, row = item
        if tuple(row) != header:
            header = tuple(row)
            columns = {what: name for name in reversed(header) if (what := words.get(plain_header(name)))}
        if not required <= columns.keys() or len(columns) < 2:
            raise SourceFileError(f"needs {needs}; has {', '.join(map(repr, row))[:500]}", path, line)
        try:
            yield line, make(row, columns)
        except RecordError as error:
            yield line, Reject(str(path), line, str(error))
