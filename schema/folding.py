"""Texts without what readers may type otherwise: accents, ligatures, widths, indices, soft hyphens, Greek letters.

The full-text index has the words that this changes beside a text, which itself stays as it is; questions are folded
too.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_INVISIBLE: Final = dict.fromkeys([0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF])
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"}
    | dict.fromkeys("\u2018\u2019\u02bc", "'")
    | dict.fromkeys("\u2010\u2011\u2013\u2212", "-")
    | {"Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "TH"}
)
_GREEK: Final = {
    chr(code): unicodedata.name(chr(code)).rpartition(" ")[2].lower().replace("lamda", "lambda")
    for code in (*range(0x391, 0x3A2), *range(0x3A3, 0x3AA), *range(0x3B1, 0x3CA))
}
# A Greek letter that is no part of a Greek word
_SYMBOL: Final = re.compile("(?<![\u0370-\u03ff])[\u0391-\u03a9\u03b1-\u03c9](?![\u0370-\u03ff])")
_MICRO: Final = re.compile("[\u00b5\u03bc](?=[gmlLMAVsU]\\b|mol|[mM]ol)")
_POWER: Final = re.compile("(?<=\\d)(?=[\u2070\u00b9\u00b2\u00b3\u2074-\u207b\u00bc-\u00be\u2150-\u215e])")
_WORD: Final = re.compile(r"[^\W_]+")


def composed(text: str) -> str:
    """Give a text in one form for each character, with its accents.

    Without soft hyphens, ligatures and the like: `H2O2` for `H₂O₂`; a power is a word of its own, `10 6` for `10⁶`.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _POWER.sub(" ", text.translate(_INVISIBLE)))


@lru_cache(maxsize=1 << 16)
def folded(text: str) -> str:
    """Give a text in letters without accents: `Sjogren` for `Sjögren`, the names of Greek letters for these."""
    if text.isascii():
        return text
    plain = _MICRO.sub("u", _POWER.sub(" ", text.translate(_INVISIBLE)))
    plain = unicodedata.normalize("NFKD", _SYMBOL.sub(lambda found: _GREEK[found[0]], plain).translate(_LETTERS))
    return unicodedata.normalize("NFC", "".join(c for c in plain if not unicodedata.combining(c)))


def folded_words(*texts: str) -> str:
    """Give the words of texts that fold to others, each once, folded, with blanks between them."""
    odd = dict.fromkeys(token for text in texts if not text.isascii() for token in text.split() if not token.isascii())
    return " ".join(dict.fromkeys(word for token in odd for word in _others(token)))


@lru_cache(maxsize=1 << 16)
def _others(token: str) -> tuple[str, ...]:
    said = _WORD.findall(token)
    return tuple(word for word in _WORD.findall(folded(token)) if word not in said)


def folded_names(*names: str) -> list[str]:
    """Give those of some names that fold to others, folded."""
    return [plain for name in names if (plain := folded(name)) not in {name, ""}]
