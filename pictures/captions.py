"""Text on pictures: made harmless, measured, broken into lines and shortened; all sizes are pixels at scale 1."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

ELLIPSIS: Final = "…"
MOST_LINES: Final = 24  # more lines than this has no paragraph
_GLUE: Final = "\ue000"

# Advances of the printable ASCII characters of Open Sans Semibold, in hundredths of the font's size.
_WIDTHS: Final = (
    "26 28 44 65 57 86 74 24 32 32 55 57 27 32 27 39 57 57 57 57 57 57 57 57 57 57 27 27 57 57 57 45 90 66 66 "
    "63 73 56 53 73 75 31 30 64 54 92 78 79 61 79 64 55 56 74 62 95 62 59 58 33 39 33 57 42 32 58 62 50 62 58 "
    "36 55 64 28 28 57 28 95 64 61 62 62 43 49 40 64 53 82 55 54 48 38 55 38 57"
)
_ADVANCE: Final = {chr(32 + i): int(width) / 100 for i, width in enumerate(_WIDTHS.split())}
_OTHER: Final = 0.64
_WIDE: Final = 1.05
_ROOM: Final = 1.04  # other fonts, which a browser may choose, are a little wider
_DROPPED: Final = re.compile(
    # Controls, halves of characters, what XML cannot hold, and marks that turn the direction of all that follows.
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")


def clean(text: str) -> str:
    """Make any text one line that XML can hold and that cannot disturb the text around it."""
    return " ".join(_DROPPED.sub("", text).split())


def width(text: str, size: float) -> float:
    """Measure about how wide a text is, in the unit of the size; rather too much than too little."""
    return sum(_advance(character) for character in text) * size * _ROOM


def shorten(text: str, most: float, size: float) -> str:
    """Clean a text, and cut one that is too wide: its beginning with an ellipsis."""
    text = clean(text)
    if len(text) * size * 0.24 <= most and width(text, size) <= most:
        return text
    room = most / size / _ROOM - _advance(ELLIPSIS)
    kept = 0
    for character in text:
        room -= _advance(character)
        if room < 0:
            break
        kept += 1
    while kept and (text[kept : kept + 1] in _JOINERS or text[kept - 1] in _JOINERS or _is_mark(text[kept : kept + 1])):
        kept -= 1
    return text[:kept].rstrip() + ELLIPSIS


def wrap(text: str, most: float, size: float, lines: int = 2) -> tuple[str, ...]:
    """Break a text into lines of some width at most; the last one is shortened where the text is too long."""
    words = clean(text)[: int(lines * most / size * 8) + 200].split(" ")
    done: list[str] = []
    while words and len(done) < lines - 1:
        count = 1
        while count < len(words) and width(" ".join(words[: count + 1]), size) <= most:
            count += 1
        if width(words[0], size) > most:
            break
        done.append(" ".join(words[:count]))
        words = words[count:]
    rest = " ".join(words)
    return (*done, shorten(rest, most, size)) if rest or not done else tuple(done)


def paragraph(text: str, most: float, size: float) -> tuple[str, ...]:
    """Break a text into as many lines as it takes, up to a bound; none ends at a no-break space."""
    return tuple(line.replace(_GLUE, " ") for line in wrap(text.replace("\u00a0", _GLUE), most, size, MOST_LINES))


def _advance(character: str) -> float:
    known = _ADVANCE.get(character)
    if known is not None:
        return known
    if _is_mark(character) or character in _JOINERS:
        return 0.0
    return _WIDE if unicodedata.east_asian_width(character) in "WF" else _OTHER


def _is_mark(character: str) -> bool:
    return bool(character) and unicodedata.category(character) in {"Mn", "Me"}
