"""Weighs how much each word of a message matters to its question, by a small, readable logistic model.

The model is fitted to MeQSum, which holds messages with the short question that an expert made of each: a word matters
where the expert kept it. `salience.tsv` holds the weights, and how often words of messages were kept.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines, write_table
from ..logistic import LogisticModel
from . import lucene

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .entities import Mention
    from .message import MessagePart

FILE: Final = Path(__file__).with_name("salience.tsv")
LEAST_SEEN: Final = 3  # messages that have a word before it counts how often it was kept
DOUBT: Final = 4.0  # as many messages as these speak for the average before a word's own count
_STEM: Final = 7  # letters of a stem
FEATURES: Final = (
    "always", "heading", "asks", "asks only", "first", "before asking", "repeated", "position", "capital", "digits",
    "short", "length", "condition", "drug", "treatment", "anatomy", "other name", "no name", "kept",
)  # fmt: skip
_KINDS: Final = {
    "Disease": "condition", "Phenotype": "condition", "Symptom": "condition", "SideEffect": "condition",
    "Drug": "drug", "DrugClass": "drug", "Treatment": "treatment", "Test": "treatment", "Anatomy": "anatomy",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SalienceModel:
    """What makes words matter."""

    weights: Mapping[str, float]
    average: float  # the share of words that were kept
    seen: Mapping[str, int]  # stem → messages that had it
    kept: Mapping[str, int]  # stem → messages whose short question had it too

    def prior(self, word_stem: str, *, without: bool | None = None) -> float:
        """Tell how likely a word is to be kept, whatever the message: log-odds, less those of the average word.

        Args:
            without: Whether it was kept in a message that is not to count; None to count all.
        """
        seen, kept = self.seen.get(word_stem, 0), self.kept.get(word_stem, 0)
        if without is not None and seen:
            seen, kept = seen - 1, kept - without
        share = (kept + DOUBT * self.average) / (seen + DOUBT)
        return _logit(share) - _logit(self.average)

    def salience(self, features: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        """Tell how much words matter, from 0 to 1, by their features."""
        model = LogisticModel(self.weights)
        return {word: model.likely({**own, "kept": self.prior(stem(word))}) for word, own in features.items()}


def stem(word: str) -> str:
    """Cut a word to what its forms share."""
    plain = re.sub(r"['\u2019]s$", "", word.lower())
    return plain.rstrip("s")[:_STEM] if len(plain) > 4 else plain


def name_stem(word: str) -> str:
    """Cut a word of a name to what its forms share, and names of other things do not.

    `Endometriosi` is of no `endometrial cancer`, nor `pancreatit` of a pancreatic.
    """
    plain = re.sub(r"['\u2019]s$", "", word.lower())
    return plain.rstrip("s")[: max(_STEM, len(plain.rstrip("s")) - 1)] if len(plain) > 4 else plain


def features_of(parts: Sequence[MessagePart], mentions: Iterable[Mention]) -> dict[str, dict[str, float]]:
    """Say of each content word of a message where it stands and what it is; what it is not is left out."""
    kinds: dict[str, set[str]] = {}
    for mention in mentions:
        for word in lucene.all_words(mention.surface):
            kinds.setdefault(word, set()).add(_KINDS.get(mention.label, "other name"))
    found: dict[str, dict[str, float]] = {}
    counts: Counter[str] = Counter()
    told: set[str] = set()
    total = sum(len(lucene.all_words(part.text)) for part in parts) or 1
    body = next((i for i, part in enumerate(parts) if part.kind != "heading"), -1)
    place = 0
    for i, part in enumerate(parts):
        asks_next = i + 1 < len(parts) and parts[i + 1].kind == "asks"
        letters = [c for c in part.text if c.isalpha()]
        shouted = sum(c.isupper() for c in letters) > len(letters) / 2
        for j, match in enumerate(lucene.WORD.finditer(part.text)):
            word, place = match[0].lower(), place + 1
            if not lucene.content_words([word]):
                continue
            counts[word] += 1
            own = found.setdefault(word, {"position": (place - 1) / total})
            marks = {
                "heading": part.kind == "heading",
                "asks": part.kind == "asks",
                "first": i == body,
                "before asking": asks_next,
                "capital": j > 0 and match[0][0].isupper() and not shouted,
            }
            own.update({name: 1.0 for name, there in marks.items() if there})
            if part.kind == "tells":
                told.add(word)
    for word, own in found.items():
        own.update(dict.fromkeys(kinds.get(word, {"no name"}), 1.0))
        own["always"], own["length"], own["repeated"] = 1.0, math.log(total) / 3 - 1, math.log(counts[word])
        own["digits"], own["short"] = float(any(c.isdigit() for c in word)), float(len(word) < 4)
        own["asks only"] = float("asks" in own and word not in told)
    return found


@cache
def model() -> SalienceModel:
    """Read the model that the package has."""
    return load(FILE)


def rows_by_kind(path: Path) -> dict[str, list[list[str]]]:
    """Read a table whose first column says what a row is: kind → the other cells of its rows."""
    rows: dict[str, list[list[str]]] = {}
    for _, line in table_lines(path):
        kind, *cells = line.split("\t")
        rows.setdefault(kind, []).append(cells)
    return rows


def load(path: Path) -> SalienceModel:
    """Read a model that `write` wrote."""
    rows = rows_by_kind(path)
    weights = {name: float(value) for name, value in rows["weight"]}
    words = rows.get("word", [])
    seen = {name: int(seen) for name, seen, _ in words}
    return SalienceModel(weights, float(rows["average"][0][0]), seen, {name: int(kept) for name, _, kept in words})


def write(given: SalienceModel, path: Path, made_by: str) -> None:
    """Write a model as a table that people can read."""
    words = [(name, count) for name, count in sorted(given.seen.items()) if count >= LEAST_SEEN]
    rows = [
        ("average", f"{given.average:.4f}"),
        *(("weight", name, f"{given.weights[name]:.3f}") for name in FEATURES),
        *(("word", name, str(count), str(given.kept.get(name, 0))) for name, count in words),
    ]
    columns = "kind\tname\tvalue, or messages that have the word\tthose whose short question has it"
    write_table(path, made_by, columns, rows)


def _logit(share: float) -> float:
    return math.log(share / (1 - share))
