"""Rows of JSON and XML, however deep they stand, and what surrounds them.

A way such as `results.items` or `JDBOR/DisorderList/Disorder` leads to the rows; in JSON it may go through lists. `//`
before its last name means any depth, and each row comes without those in it; `*` is whatever an object has, with the
name as `@key`. The column `..name` is that of the object or element around the row, and `^group.name` that of the
nearest one called `group`.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ..base import Reject
from . import nested, xml_stream
from .json_items import JsonText, keys_of, list_items
from .texts import head, open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from .nested import Cell, Numbered

    Count = Callable[[str, str, int, int], None]
    Found = Iterator[tuple[int, Any, "Around"]]

Around = tuple[tuple[str, Any], ...]  # The names and objects that surround one, the outermost first
_KINDS: Final = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number"}
_FORMS: Final = "mappings read CSV, TSV, JSONL, Parquet and JSON arrays"
_AROUND: Final = ("..", "^")


def read_tree(
    path: Path, where: str, columns: Iterable[str], count: Count, *, gaps: bool
) -> Iterator[Numbered | Reject]:
    """Read rows of JSON or XML as `tables.read_cells` does; its `columns` are optional.

    The way to the rows, `where`, is empty if the document is an array.
    """
    empty = dict.fromkeys(columns, "")
    around = [name for name in empty if name.startswith(_AROUND)]
    is_xml = head(path, 1 << 10).lstrip()[:1] == b"<"
    for item in _xml(path, where, around, count) if is_xml else _json(path, where, around, count, gaps=gaps):
        yield item if isinstance(item, Reject) else (item[0], {**empty, **item[1]})


def _way(name: str) -> tuple[str, str]:
    """Part the name of a column that surrounds a row: which one, empty for the nearest, and what of it."""
    if name.startswith(".."):
        return "", name[2:]
    called, _, rest = name[1:].partition(".")
    return called, rest


def _json(path: Path, where: str, around: Sequence[str], count: Count, *, gaps: bool) -> Iterator[Numbered | Reject]:
    if head(path, 1 << 10).lstrip()[:1] == b"{" and not where:
        said = f"is one JSON object; {_FORMS}. One names a list in it: table: {{rows: NAME}}"
        raise SourceFileError(f'{said}, or {{rows: "*"}} where what it holds are the rows', path)
    start, deep, last = where.rpartition("//")
    names = [name for name in re.split("[./]", start if deep else where) if name] + (["", last] if deep else [])
    tag = names[-1] if names else ""
    for item in json_rows(path, names):
        if isinstance(item, Reject):
            yield item
            continue
        line, value, outer = item
        if not isinstance(value, dict):
            yield Reject(str(path), line, f"is no JSON object, but {json.dumps(value)[:60]}")
            continue
        if "" in names:
            value = {name: part for name, part in value.items() if name != tag}
        elif tag != "*" and isinstance(inner := value.get(tag), list) and inner:
            count(_INNER.format(tag, f"//{tag}"), "", line, len(inner))
        yield line, nested.flat(value, gaps=gaps) | {name: _json_around(outer, *_way(name)) for name in around}


_INNER: Final = "objects or elements {} in rows of the same name are not read; rows: …{} takes them as rows"


def _json_around(outer: Around, called: str, way: str) -> Cell:
    value: Any = next((held for name, held in reversed(outer) if called in {"", name}), None)
    return nested.flat(value, gaps=True).get(way, "") if isinstance(value, dict) else ""


def json_rows(path: Path, names: Sequence[str]) -> Iterator[tuple[int, Any, Around] | Reject]:
    """Read the items of the list that a document is, or has at the end of a way of names, which may go through lists.

    In the way, `*` is whatever an object has, with the name as `@key`, and an empty name any depth. Yields the line at
    which an item starts, the item, in which `NaN` and `Infinity` are texts, and the objects around it, the outermost
    first, as far as they are items of a list; a `Reject` for one that is not JSON.
    """
    with closing(open_source(path)) as file:
        text, place = JsonText(file, path, lenient=True), _Place()
        found = False
        for line, value, around in _below(text, list(names), place):
            found = True
            yield Reject(str(path), line, str(value)) if isinstance(value, RecordError) else (line, value, around)
        if not found:
            raise SourceFileError(f"has no list {'.'.join(names)}{place}" if names else "is an empty list", path)


@dataclass(slots=True)
class _Place:
    """How far a way leads, for who has to mend it: the names, and what stands there."""

    reached: list[str] = field(default_factory=list)
    kind: str = "an object"
    has: list[str] = field(default_factory=list)

    def take(self, way: Sequence[str], value: Any) -> None:
        """Note what stands at a way, if it leads further than those before."""
        if len(way) >= len(self.reached):
            self.reached, self.has = list(way), list(value) if isinstance(value, dict) else []
            self.kind = next((said for kind, said in _KINDS.items() if isinstance(value, kind)), "a value")

    def __str__(self) -> str:
        where = ".".join(self.reached) or "the document"
        return f": {where} is {self.kind}" + (f" with {', '.join(map(repr, self.has))}"[:300] if self.has else "")


def _below(text: JsonText, names: list[str], place: _Place, way: tuple[str, ...] = ()) -> Found:
    """Read rows as far as a way leads, item by item of the first list that it comes to."""
    if text.peek() == "[":
        place.take(way, [])
        for value, line in list_items(text):
            for row, around in _inside(value, names, place, way):
                yield line, row, around
    elif text.peek() == "{" and names:
        found = []
        for key in keys_of(text):
            found.append(key)
            yield from _member(text, key, names, place, way)
        place.take(way, dict.fromkeys(found))
    else:
        place.take(way, text.value()[0])


def _member(text: JsonText, key: str, names: list[str], place: _Place, way: tuple[str, ...]) -> Found:
    if names[0] == "" and key == names[1] and text.peek() == "[":
        for value, line in list_items(text):
            for row, around in ((value, ()), *_anywhere(value, key, (), key)):
                yield line, row, around
    elif names[0] in {"", "*"}:
        value, line = text.value()
        for row, around in _inside({key: value}, names, place, way):
            yield line, row, around[1:]
    elif key == names[0]:
        yield from _below(text, names[1:], place, (*way, key))
    else:
        text.value()


def _inside(
    value: Any, names: list[str], place: _Place, way: tuple[str, ...], around: Around = ()
) -> Iterator[tuple[Any, Around]]:
    if isinstance(value, RecordError) or not names:
        yield value, around
    elif isinstance(value, list):
        for part in value:
            yield from _inside(part, names, place, way, around)
    elif names[0] == "":
        yield from _anywhere(value, names[1], around, way[-1] if way else "")
    elif isinstance(value, dict):
        place.take(way, value)
        outer = (*around, (way[-1] if way else "", value))
        chosen = list(value) if names[0] == "*" else [name for name in names[:1] if name in value]
        for name in chosen:
            part = value[name]
            if len(names) == 1 and names[0] == "*":
                part = {"@key": name} | part if isinstance(part, dict) else part
            for one in part if isinstance(part, list) else [part]:
                yield from _inside(one, names[1:], place, (*way, name), outer)
    else:
        place.take(way, value)


def _anywhere(value: Any, name: str, around: Around, called: str) -> Iterator[tuple[Any, Around]]:
    """Find the rows of a name at any depth, each before those in it."""
    if isinstance(value, list):
        for part in value:
            yield from _anywhere(part, name, around, called)
    elif isinstance(value, dict):
        outer = (*around, (called, value))
        for key, part in value.items():
            for one in part if key == name and isinstance(part, list) else [part] if key == name else ():
                yield one, outer
                yield from _anywhere(one, name, outer, key)
            if key != name:
                yield from _anywhere(part, name, outer, key)


def _xml(path: Path, where: str, around: Sequence[str], count: Count) -> Iterator[Numbered | Reject]:
    root = xml_stream.prolog(path).root
    deep = "//" in where
    *below, tag = where.strip("/").replace("//", "/").split("/")
    if not below and tag != root:
        said = f"is XML; {_FORMS}. One names the elements that are rows: table: {{rows: {root}/…/NAME}}"
        raise SourceFileError(said, path)

    def outermost(names: list[str]) -> bool:
        return names[: len(below)] == below and tag not in names if deep else names == below

    found = False
    for whole in xml_stream.elements(path, (*below, tag)[0], [f"{{*}}{tag}"], outermost):
        found = True
        for element in whole.iter(f"{{*}}{tag}") if deep else [whole]:
            if not deep and (inner := sum(1 for _ in element.iter(f"{{*}}{tag}")) - 1):
                count(_INNER.format(tag, f"//{tag}"), "", element.sourceline, inner)
            try:
                own = {f"@{name}": value for name, value in element.attrib.items()}
                row = nested.flat(own | nested.of_element(element, without=tag if deep else ""), gaps=True)
                yield element.sourceline, row | {name: _xml_around(element, *_way(name)) for name in around}
            except RecordError as error:
                yield Reject(str(path), element.sourceline, str(error))
    if not found:
        raise SourceFileError(f"has no elements {where}", path)


def _xml_around(element: Any, called: str, way: str) -> Cell:
    outer = next((one for one in element.iterancestors() if called in {"", xml_stream.local(one)}), None)
    found = [] if outer is None else [outer]
    texts: list[str] = []
    for name in way.split("."):
        tag, at, attribute = name.partition("@")
        found = (
            [one for part in found for one in part.iterchildren("*") if xml_stream.local(one) == tag] if tag else found
        )
        texts = [one.get(attribute, "") if at else xml_stream.text(one) for one in found]
    return texts[0] if len(texts) == 1 else tuple(texts)
