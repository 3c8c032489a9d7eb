"""Makes parts of a label whose sections are fields of one line each, as openFDA has them.

What stands in a field and again in one around it is kept once, below that one. The heading of a section is found by
how it is written: its words begin with capitals, and the sentence behind it goes on in small letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ....patterns import read_pairs
from ...base import Reject
from ...files import xml_stream
from .label import ABOVE, LEFT_OUT, OTHER, PATIENTS, KnownSection, Part, clean_heading, kind_of, rows
from .text import text_of, without_references

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Mapping, Set

_META: Final = frozenset({"set_id", "id", "effective_time", "version", "openfda"})
_TABLE: Final = "_table"
_SMALL: Final = frozenset(
    "of and in or the for with to on a an by from at as during than vs due & - \u2013 / via".split()
)
_MOST: Final = 16  # words of a heading, at most, with the beginning of the sentence behind it
_NAME: Final = 2  # words of a heading that names a section (`Uses relieves …`) and begins no sentence, at most
_HEADING_ALONE: Final = 40  # characters of a field that may be no more than a heading in the field around it
_WORD: Final = re.compile(r"\S+")
_LEADING: Final = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s+")
_CAPITALS: Final = re.compile(r"(?:[A-Z][A-Z&/,()'-]+[ :]+){1,10}(?=[A-Z][a-z]|[A-Z] [a-z])")
_NUMBERED: Final = re.compile(r"(?<!\S)(\d{1,2})\.(\d{1,2})\s+(?=[A-Z])")
_LOST_QUOTE: Final = "\ufffd?"  # what is left of a closing quotation mark that was written in another encoding
_BULLET: Final = re.compile(r"\s+[•·▪●○◦■]\s*")
_ANY_BULLET: Final = re.compile("[•·▪●○◦■]")
_SENTENCE: Final = re.compile(r"(?<!Rx )\b[a-z]{2,}|\b(?:None|NONE)\b")
_EMPTY: Final = re.compile(r"\s*\(\s*\)")
_ALSO: Final = dict(read_pairs(Path(__file__).with_name("also.tsv")))  # field → other headings that it has in labels


@dataclass(slots=True)
class _Piece:
    """A field in one line, and the fields whose text stands in it; `heads` are headings that another field repeats."""

    name: str
    text: str
    inner: list[tuple[int, _Piece]] = field(default_factory=list)
    heads: dict[int, _Piece] = field(default_factory=dict)

    @property
    def known(self) -> KnownSection:
        return rows().get(self.name) or KnownSection("", self.name, OTHER, self.name.replace("_", " ").capitalize())


def parts(result: Mapping[str, Any], names: Set[str], unknown: Counter[str]) -> Iterator[Part]:
    """Make the parts of a label; counts sections of fields that the table lacks in `unknown`.

    `names` are words of the names of its products, in small letters.
    """
    pieces, tables = [], {}
    for name, value in result.items():
        texts = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]
        known = rows().get(name)
        if name.endswith(_TABLE):
            tables[name.removesuffix(_TABLE)] = [table for one in texts if (table := _table(one))]
        elif name not in _META and not (known and known.kind == LEFT_OUT):
            unknown[name] += len(texts) * (known is None)
            pieces += [_Piece(name, text) for one in texts if (text := " ".join(one.split()))]
    for root in _nested(pieces):
        yield from _written(root, Part(OTHER, (), ""), names, tables)


def _nested(pieces: list[_Piece]) -> list[_Piece]:
    """Put pieces into those whose text has theirs in it; give the outermost in the order of the table."""
    order = {name: place for place, name in enumerate(rows())}
    roots: list[_Piece] = []
    alone: list[_Piece] = []
    # Of the same text, the field with a kind of its own goes first.
    for piece in sorted(pieces, key=lambda one: (-len(one.text), one.known.kind == ABOVE)):
        if len(piece.text) < _HEADING_ALONE and piece.known.kind != ABOVE and len(piece.text.split()) < 6:
            alone.append(piece)
        elif not any(_put(root, piece) for root in roots):
            roots.append(piece)
    for piece in alone:
        if any(_put_heading(root, piece) for root in roots) or not _without_heading(piece.text, piece.known):
            continue
        if not any(_put(root, piece) for root in roots):
            roots.append(piece)
    return sorted(roots, key=lambda one: order.get(one.name, len(order)))


def _put(into: _Piece, piece: _Piece) -> bool:
    if (start := into.text.find(piece.text)) < 0:
        return False
    if len(piece.text) < len(into.text):
        for place, other in into.inner:
            if place <= start < place + len(other.text):
                return _put(other, piece)
        into.inner.append((start, piece))
    return True


def _put_heading(into: _Piece, piece: _Piece) -> bool:
    for start, other in into.inner:
        before = start - len(piece.text) - 1
        if before >= 0 and into.text.startswith(piece.text, before):
            into.heads[start] = piece
            return True
        if _put_heading(other, piece):
            return True
    return False


def _written(piece: _Piece, above: Part, names: Set[str], tables: dict[str, list[tuple[str, str]]]) -> Iterator[Part]:
    known = piece.known
    if known.kind == ABOVE:
        heading, rest = headed(piece.text, names)
        kind = kind_of(heading, leaflet=above.leaflet) or above.kind
        skipped = len(piece.text) - len(rest)
    else:
        heading, kind = known.heading, known.kind
        skipped = len(piece.text) - len(_without_heading(piece.text, known))
    leaflet = above.leaflet or known.code in PATIENTS
    own = Part(kind, (*above.headings, heading) if heading else above.headings, "", leaflet)
    inner = sorted(piece.inner, key=lambda one: one[0])
    said, place = [], min(skipped, inner[0][0]) if inner else skipped
    for start, other in inner:
        said.append(piece.text[place:start])
        place = max(place, start + len(other.text))
    said.append(piece.text[place:])
    heads = tuple(one.text for one in piece.heads.values())
    kept = [text for one in said if (text := _without_end(one.strip(), heads))]
    found = [table for table in tables.get(known.name, ()) if table[0] in piece.text]
    yield from _parted(own, kept, names, found)
    current = own
    for start, other in inner:
        if head := piece.heads.get(start):
            current = Part(head.known.kind, (*own.headings, head.known.heading), "", leaflet)
        elif other.known.kind != ABOVE:
            current = own
        yield from _written(other, current, names, tables)


def _without_end(text: str, ends: tuple[str, ...]) -> str:
    return next((text[: -len(end)].rstrip() for end in ends if text.endswith(end)), text)


def _parted(own: Part, said: list[str], names: Set[str], tables: list[tuple[str, str]]) -> Iterator[Part]:
    text = "\n\n".join(said)
    for flat, lines in tables:
        if flat in text:
            text = text.replace(flat, f"\n\n{lines}\n\n", 1)
    starts = _numbered(text)
    whole = text[: starts[0]] if starts else text
    if plain := _plain(whole):
        yield Part(own.kind, own.headings, plain, own.leaflet)
    for start, end in pairwise([*starts, len(text)] if starts else ()):
        heading, rest = headed(text[start:end], names)
        if plain := _plain(rest):
            kind = kind_of(heading, leaflet=own.leaflet) or own.kind
            yield Part(kind, (*own.headings, heading) if heading else own.headings, plain, own.leaflet)


def _numbered(text: str) -> list[int]:
    """Find where numbered headings stand: 5.1, then 5.2 and so on."""
    starts: list[int] = []
    major = ""
    for found in _NUMBERED.finditer(text):
        if int(found[2]) == len(starts) + 1 and found[1] == (major or found[1]):
            major = found[1]
            starts.append(found.start())
    return starts


def _plain(text: str) -> str:
    said = without_references(text.strip()).replace(_LOST_QUOTE, "\u201d")
    if "(" in said:
        said = _EMPTY.sub("", said)
    said = (_BULLET.sub("\n- ", said) if _ANY_BULLET.search(said) else said).strip()
    return said if len(said) > _HEADING_ALONE or _SENTENCE.search(said) else ""


def headed(text: str, names: Set[str]) -> tuple[str, str]:
    """Part the heading of a section, without its number, from its text; no heading where none is found.

    `names` are words that begin a sentence though more of them stand together: names of the product.
    """
    number = _LEADING.match(text)
    begin = number.end() if number else 0
    words = [(one.start(), one[0]) for one in islice(_WORD.finditer(text, begin, begin + 400), _MOST)]
    for place, (start, word) in enumerate(words):
        bare = word.strip("()[],:;.\"'")
        if word.endswith(":"):
            return clean_heading(text[begin : start + len(word)]), text[start + len(word) :].strip()
        if word.endswith((".", "?", "!")):
            return "", text[begin:]
        if bare and not bare[0].isupper() and not bare[0].isdigit() and bare not in _SMALL:
            last = _before(words, place, names)
            return clean_heading(text[begin : words[last][0]]) if last else "", text[words[last][0] :]
    if len(words) < _MOST:
        return clean_heading(text[begin:]), ""
    return "", text[begin:]


def _before(words: list[tuple[int, str]], place: int, names: Set[str]) -> int:
    """Find the word that begins the sentence, whose first small word is at a place."""
    last = max(place - 1, 0)
    while last > 0 and words[last][1] in _SMALL:
        last -= 1
    if last and words[last][1][:1].isdigit():  # Table 2 shows …
        last -= 1
    first = last
    while first > 1 and words[first - 1][1].lower() in names:
        first -= 1
    if first > 1 and words[first - 1][1] in {"and", "or", "&"}:  # … Bleeding SSRIs and SNRIs may …
        return max(first - 2, 0)
    if first and words[first - 1][1] in _SMALL:  # … Treatment with NAME Symptoms are …
        first = last
    while first and words[first - 1][1] in _SMALL:
        first -= 1
    return first


@lru_cache(maxsize=256)
def _pattern(known: KnownSection) -> re.Pattern[str]:
    said = [re.escape(known.heading), re.escape(known.name).replace("_", " "), *filter(None, [_ALSO.get(known.name)])]
    either = "|".join(sorted(said, key=len, reverse=True)).replace("\\ ", " ").replace(" and ", "(?: and | & |/)")
    return re.compile(rf"(?:{_LEADING.pattern})?(?:{either})(?:\s+section)?\b\s*[:.\u2013-]*\s*", re.IGNORECASE)


def _without_heading(text: str, known: KnownSection) -> str:
    found = _pattern(known).match(text) or _CAPITALS.match(text) or _LEADING.match(text)
    rest = text[found.end() :] if found else text
    # `If pregnant or breast-feeding, ask …` is a sentence, though its first words are the heading as well.
    goes_on = rest[:1] in {",", ";"} or (rest[:1].islower() and len(known.heading.split()) > _NAME)
    return text if goes_on else rest


def _table(said: str) -> tuple[str, str] | None:
    """Read a table of HTML: its words as they stand in the field beside it, and its rows as lines."""
    root = xml_stream.parse(f'<text xmlns="urn:hl7-org:v3">{said}</text>'.encode(), "table")
    return None if isinstance(root, Reject) else (" ".join(" ".join(root.itertext()).split()), text_of(root, {}))
