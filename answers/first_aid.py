"""Which emergencies a question asks about what to do in: `What should I do if someone has a stroke?`.

The words stand in `first_aid.tsv`. What a stroke is, or how hospitals treat it, is an ordinary question.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..patterns import read_patterns
from .cues import END, is_mentioned, plain_words

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

_TABLE: Final = Path(__file__).with_name("first_aid.tsv")

_AROUND: Final = 20
"""Words of the same sentence before an emergency that may ask what to do; set by hand."""

_ASKS, _SUPPOSES, _BEHIND, _NAMED, _ELSE = "asks", "supposes", "asks behind", "named", "else"
_NO_KINDS: Final = frozenset({_ASKS, _SUPPOSES, _BEHIND, _NAMED, _ELSE})


def first_aid_in(text: str) -> list[str]:
    """Find the emergencies of which a text asks what to do.

    Returns:
        Their kinds, in the order of the table; none for a question that asks something else of them.
    """
    plain = plain_words(text)
    if is_mentioned(plain):
        return []
    kinds = ((kind, names) for kind, names in _patterns().items() if kind not in _NO_KINDS)
    return [kind for kind, names in kinds if any(_is_asked(plain, found) for found in names.finditer(plain))]


def _is_asked(plain: str, found: re.Match[str]) -> bool:
    patterns = _patterns()
    before = plain[: found.start()].rpartition(END)[2].split()[-_AROUND:]
    rest, _, following = plain[found.end() :].partition(END)
    rest = rest.strip()
    if patterns[_ELSE].match(rest):
        return False
    if patterns[_NAMED].match(rest) or _ends(_ASKS, before):
        return True
    behind = patterns[_BEHIND]
    return _ends(_SUPPOSES, before) and bool(behind.search(rest) if rest else behind.match(following))


def _ends(name: str, words: list[str]) -> bool:
    """Tell whether the last of some words are of a kind."""
    return any(_patterns()[name].fullmatch(" ".join(words[number:])) for number in range(len(words)))


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TABLE)
