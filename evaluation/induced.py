"""Diseases that chemicals induce, by abstracts of BC5CDR: pairs of both in one sentence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..errors import SourceFileError
from ..linking.role_features import MARKS, NOTHING, SUBJECT, Name, features, words_of
from ..linking.roles import NAMES, model
from ..text import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KIND: Final = "abstract"
ENOUGH: Final = 0.4
"""Chance from which a pair counts as told: the best on two folds of the training set."""


@dataclass(slots=True)
class Abstract:
    """An abstract with its chemicals, its diseases, and which of these induce which.

    Attributes:
        names: Start, end, `Chemical` or `Disease`, and MeSH ids with | between, of each.
    """

    id: str
    text: str = ""
    names: list[tuple[int, int, str, str]] = field(default_factory=list)
    induced: set[tuple[str, str]] = field(default_factory=set)


def read_abstracts(path: Path) -> list[Abstract]:
    """Read a file of BC5CDR."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceFileError(f"cannot be read: {error}", path) from error
    found: dict[str, Abstract] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if len(parts := line.split("|", 2)) == 3 and parts[1] in {"t", "a"}:
            one = found.setdefault(parts[0], Abstract(parts[0]))
            one.text += parts[2] if parts[1] == "t" else f" {parts[2]}"
            continue
        cells = line.split("\t")
        if cells[0] not in found or len(cells) < 4:
            raise SourceFileError("is no line of PubTator's form", path, number)
        if cells[1] == "CID":
            found[cells[0]].induced.add((cells[2], cells[3]))
        elif len(cells) > 5 and cells[1].isdigit() and cells[2].isdigit():
            found[cells[0]].names.append((int(cells[1]), int(cells[2]), cells[4], cells[5]))
    return list(found.values())


def pairs_of(abstract: Abstract) -> Iterator[tuple[tuple[str, str], list[str]]]:
    """Describe each chemical and disease that a sentence names together."""
    before = NOTHING
    for span in sentences(abstract.text):
        inside = sorted({one[0]: one for one in abstract.names if span[0] <= one[0] and one[1] <= span[1]}.values())
        by_disease: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
        for one in inside:
            if one[2] == "Disease":
                for id_ in one[3].split("|"):
                    by_disease[id_].append(one)
        plain = words_of(abstract.text, span, ())
        for disease in by_disease:
            marks = [
                Name(start, end, SUBJECT if disease in ids.split("|") else MARKS[label])
                for start, end, label, ids in inside
            ]
            words = words_of(abstract.text, span, marks)
            for start, _, label, ids in inside:
                if label == "Chemical" and start in words.at:
                    described = features(words, words.at[start], KIND, label, NOTHING, before)
                    yield from (((chemical, disease), described) for chemical in ids.split("|"))
        before = plain


def measure(path: Path) -> list[dict[str, Any]]:
    """Measure the model of roles by the pairs of abstracts."""
    causes = NAMES.index("causes")
    told: set[tuple[str, str, str]] = set()
    abstracts = read_abstracts(path)
    for one in abstracts:
        pairs = list(pairs_of(one))
        if pairs:
            chances = model().chances([("Chemical", described) for _, described in pairs])[:, causes]
            told |= {(one.id, *pair) for (pair, _), chance in zip(pairs, chances, strict=True) if chance >= ENOUGH}
    stated = {(one.id, *pair) for one in abstracts for pair in one.induced}
    right = len(told & stated)
    precision, recall = right / max(1, len(told)), right / max(1, len(stated))
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    task = "diseases that chemicals induce"
    return [
        {
            "task": task,
            "n": len(stated),
            "precision": round(precision, 3),
            "recall": round(recall, 3),
            "f1": round(f1, 3),
        }
    ]
