"""Texts that are not English, told by letters and commonest words; a light guess, which says how sure it is."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from .findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..graph.database import Database
    from .findings import Severity

ENGLISH: Final = "English"

# Words that are common in one of these languages and rare in the others; what several have in common says little.
WORDS: Final[dict[str, frozenset[str]]] = {
    ENGLISH: frozenset(
        "the of and is are with for that this can may your from which have has been or it by you as".split()
    ),
    "Spanish": frozenset(
        "el los las del una con para por que como más puede pero esta este se su sus al y es son".split()
    ),
    "French": frozenset(
        "le les des une dans pour est avec sur qui que peut cette aux du et sont par ou ces plus".split()
    ),
    "German": frozenset(
        "der die das und ist nicht ein eine mit von den dem zu im auch bei wird werden sich oder für".split()
    ),
    "Italian": frozenset("il gli della di che una per con sono nel alla può del le è delle dei anche più come".split()),
    "Portuguese": frozenset("os uma com para não que pode mais ser são da do dos das em no na por ou como à".split()),
    "Dutch": frozenset("de het een van en niet zijn met voor dat kan ook worden bij op wordt naar deze uit".split()),
}
COMMON: Final = (" the ", " of ", " and ", " is ", " to ", " with ", " for ", " are ", " in a ", " or ")
"""A text with two of these is English enough, and is left on the server."""

CHARACTERS: Final = 600
FEWEST_WORDS: Final = 8
FEWEST_HITS: Final = 3
FEWEST_LETTERS: Final = 10
SURE: Final = 0.8

_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = ("CYRILLIC", "GREEK", "ARABIC", "HEBREW", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "DEVANAGARI", "THAI")


@dataclass(slots=True)
class _Tally:
    count: int = 0
    sureness: float = 0.0
    examples: list[str] = field(default_factory=list)


def language(text: str) -> tuple[str, float]:
    """Guess the language of a text.

    Args:
        text: The text; a few sentences are enough.

    Returns:
        The language, or the script where letters are not Latin, and how sure that is, from 0 to 1; an empty text and 0
        for what is too short, or a mere list of names.
    """
    letters = [letter for letter in text if letter.isalpha()]
    if len(letters) < FEWEST_LETTERS:
        return "", 0.0
    others = Counter(script for letter in letters if letter > "\u024f" and (script := _script(letter)))
    if others:
        script, count = others.most_common(1)[0]
        if count > len(letters) / 2:
            return f"{script.capitalize()} script", count / len(letters)
    words = [word.lower() for word in _WORD.findall(text)]
    if len(words) < FEWEST_WORDS:
        return "", 0.0
    hits = {name: sum(1 for word in words if word in known) for name, known in WORDS.items()}
    first, second = sorted(hits, key=lambda name: (-hits[name], name))[:2]
    if hits[first] < FEWEST_HITS or len(set(words) & WORDS[first]) < FEWEST_HITS:
        return "", 0.0
    return first, (hits[first] - hits[second] / 2) / hits[first]


def find(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find texts that are not English.

    Args:
        scope: The values of `source` and `examples`.

    Yields:
        A finding for each source and language.
    """
    query = catalogue.get("foreign_texts")
    tallies: dict[tuple[str, str], _Tally] = {}
    for row in database.stream(query, source=scope["source"], words=list(COMMON), characters=CHARACTERS):
        name, sure = language(row["text"])
        if name in {"", ENGLISH}:
            continue
        tally = tallies.setdefault((row["source"], name), _Tally())
        tally.count += 1
        tally.sureness += sure
        if len(tally.examples) < scope["examples"]:
            tally.examples.append(f"{row['id']}: {' '.join(row['text'][:80].split())}… ({sure:.0%})")
    for (source, name), tally in tallies.items():
        sure = tally.sureness / tally.count
        what = f"texts in {name}, by a guess that is {sure:.0%} sure"
        severity: Severity = "warning" if sure >= SURE else "note"
        yield Finding(query.name, severity, source, (source, name), what, tally.count, tuple(tally.examples))


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0] if unicodedata.name(letter, "").startswith(_SCRIPTS) else ""
