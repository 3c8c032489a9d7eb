r"""The syntax of OBO files, format versions 1.2 and 1.4: stanzas of clauses, a line each.

A backslash takes its meaning from the next character, or joins the next line; ` !` starts a comment;
`{name="value"}` at the end of a clause qualifies it; texts stand in quotation marks, references in square brackets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final

from ...errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MAX_LINE: Final = 100_000_000

_HEAD = re.compile(rb"\s*\[([A-Za-z]+)\]\s*(?:!.*)?", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEANING: Final = {"n": "\n", "t": "\t", "W": " "}
_TEXT = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_QUOTED = re.compile(rf"\s*({_TEXT})\s*", re.DOTALL)
_PAIR = rf"[^\s=\"{{}},]+\s*=\s*{_TEXT}"
_QUALIFIERS = re.compile(rf"(?:^|\s)\{{\s*((?:{_PAIR}(?:\s*,\s*{_PAIR})*)?)\s*\}}\s*$", re.DOTALL)
_ONE = re.compile(rf"([^\s=\"{{}},]+)\s*=\s*({_TEXT})", re.DOTALL)
_LANGUAGE = re.compile(r"@([A-Za-z0-9-]+)")
_DATATYPE = r"(?:xsd:|rdfs:|rdf:|<?https?://www\.w3\.org/2001/XMLSchema#)[A-Za-z]\S*"
_TYPED = re.compile(rf"(.*\S)\s+{_DATATYPE}", re.DOTALL)
_ITEM = re.compile(rf'(?:\\.|{_TEXT}|[^,\]\\"])+', re.DOTALL)
_LIST = re.compile(rf'\[((?:\\.|{_TEXT}|[^\]\\"])*)\]\s*$', re.DOTALL)


@dataclass(slots=True)
class Clause:
    """A line of a stanza; its value stands with escapes and all, and trouble makes it unusable."""

    line: int
    tag: str
    value: str
    trouble: str = ""


@dataclass(slots=True)
class Stanza:
    """A part of a file: a `Term`, `Typedef`, `Instance` …, or the header, whose kind is empty."""

    kind: str
    line: int
    clauses: list[Clause] = field(default_factory=list)

    def first(self, tag: str) -> str:
        """Give the value of the first clause with a tag, without comment and qualifiers; empty without one."""
        return next((plain(clause.value)[0] for clause in self.clauses if clause.tag == tag), "")


def stanzas(file: BinaryIO, kinds: Collection[str]) -> Iterator[Stanza]:
    """Read stanzas of these kinds, the header's the empty text, in the order of the file."""
    stanza = Stanza("", 1)
    for number, line in _lines(file):
        if found := _HEAD.fullmatch(line):
            if stanza.kind in kinds:
                yield stanza
            stanza = Stanza(found[1].decode(), number)
        elif stanza.kind in kinds and (clause := _clause(number, line)):
            stanza.clauses.append(clause)
    if stanza.kind in kinds:
        yield stanza


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Read lines, those joined that end in a backslash, each cut off where it is too long."""
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        start = number
        while len(line) <= MAX_LINE and _goes_on(line) and (more := file.readline(MAX_LINE + 1)):
            line = line.rstrip(b"\r\n")[:-1] + more
            number += 1
        yield start, line.removeprefix(b"\xef\xbb\xbf") if start == 1 else line
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE + 1)


def _goes_on(line: bytes) -> bool:
    text = line.rstrip(b"\r\n")
    return line.endswith(b"\n") and (len(text) - len(text.rstrip(b"\\"))) % 2 == 1


def _clause(number: int, line: bytes) -> Clause | None:
    if len(line) > MAX_LINE:
        return Clause(number, "", "", f"is longer than {MAX_LINE:,} bytes; shorten it")
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        tag = line.partition(b":")[0].decode("ascii", "replace").strip()
        return Clause(number, tag, "", f"is not UTF-8 (byte {error.start + 1} of the line); save the file as UTF-8")
    if not text or text.startswith("!"):
        return None
    tag, colon, value = text.partition(":")
    if not colon or not tag.strip():
        return Clause(number, "", "", f"{text[:40]!r} is no clause of a tag, a colon and a value; mend it")
    return Clause(number, tag.strip(), value.strip())


def unescape(text: str) -> str:
    """Take escapes out of a text."""
    return (_ESCAPE.sub(lambda found: _MEANING.get(found[1], found[1]), text) if "\\" in text else text).strip()


def plain(value: str) -> tuple[str, dict[str, list[str]]]:
    """Read a clause of an id or a text without quotation marks, and its qualifiers."""
    body, qualifiers = _tail(value, quotes=False)
    return unescape(body), qualifiers


def quoted(value: str) -> tuple[str, list[str], tuple[str, ...], dict[str, list[str]]]:
    """Read text in quotation marks (a definition, a synonym), words after it, references, and qualifiers."""
    found = _QUOTED.match(value)
    if not found:
        raise RecordError("holds no whole text in quotation marks; it may be cut off")
    rest, qualifiers = _tail(value[found.end() :], quotes=True)
    references: tuple[str, ...] = ()
    if listed := _LIST.search(rest):
        rest, references = rest[: listed.start()], _references(listed[1])
    elif "[" in rest:
        raise RecordError("has a list of references that does not end; it may be cut off")
    return unescape(found[1][1:-1]), rest.split(), references, qualifiers


@dataclass(frozen=True, slots=True)
class Pair:
    """A clause of two parts: a relation and its end, or a property and its value, which may be missing.

    It is a text rather than an id if it stands in quotation marks, or if its type of data follows it.
    """

    first: str
    second: str
    is_text: bool
    language: str
    qualifiers: dict[str, list[str]]


def pair(value: str) -> Pair:
    """Read a clause of two parts: a relation and its end, or a property and its value."""
    body, qualifiers = _tail(value, quotes=True)
    parts = re.split(r"(?<!\\)\s+", body.strip(), maxsplit=1)
    first, second = unescape(parts[0]), parts[1] if len(parts) > 1 else ""
    if found := _QUOTED.match(second):
        language = _LANGUAGE.match(second[found.end() :])
        return Pair(first, unescape(found[1][1:-1]), True, language[1] if language else "", qualifiers)
    typed = _TYPED.fullmatch(second)
    return Pair(first, unescape(typed[1] if typed else second), typed is not None, "", qualifiers)


def reference(value: str) -> tuple[str, str, dict[str, list[str]]]:
    """Read a cross-reference: the id, its description, and the qualifiers."""
    body, qualifiers = _tail(value, quotes=True)
    curie, *rest = re.split(r'(?<!\\)\s*(?=")', body, maxsplit=1)
    found = _QUOTED.match("".join(rest))
    return unescape(curie), unescape(found[1][1:-1]) if found else "", qualifiers


def _references(text: str) -> tuple[str, ...]:
    items = (re.split(r'(?<!\\)["{]', item, maxsplit=1)[0] for item in _ITEM.findall(text))
    return tuple(found for item in items if (found := unescape(item)))


def _tail(value: str, *, quotes: bool) -> tuple[str, dict[str, list[str]]]:
    if "!" in value:
        value = value[: _comment(value, quotes=quotes)]
    if not value.rstrip().endswith("}") or not (found := _QUALIFIERS.search(value)):
        return value, {}
    qualifiers: dict[str, list[str]] = {}
    for name, text in _ONE.findall(found[1]):
        qualifiers.setdefault(name, []).append(unescape(text[1:-1]))
    return value[: found.start()], qualifiers


def _comment(value: str, *, quotes: bool) -> int:
    """Find where the comment starts: at a ` !` that stands neither in quotation marks nor behind a backslash."""
    inside = False
    before = " "
    escaped = False
    for place, letter in enumerate(value):
        if escaped:
            escaped, letter = False, "\\"  # noqa: PLW2901
        elif letter == "\\":
            escaped = True
        elif letter == '"' and quotes:
            inside = not inside
        elif letter == "{" and before.isspace():
            quotes = True
        elif letter == "!" and not inside and before.isspace():
            return place
        before = letter
    return len(value)
