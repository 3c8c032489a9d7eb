"""Pairs of questions, of which some mean the same or entail one another: does their nearness tell which?

`rqe_train.xml` is RQE (AMIA 2016): a clinical question, a short one, and whether an answer of the short one answers it.
`mqp_dev.csv` is from Medical Question Pairs: a question with one that doctors made to be similar and one that is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from defusedxml import ElementTree

from ...errors import SourceFileError
from ...loaders.base import Reject
from ...loaders.files import tables
from ...queries import lucene
from ...queries.salience import stem
from ..halves import number, part_of
from ..retrieval import Result
from ..statistics import Auc

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ...embeddings.encoders.encoder import TextEncoder
    from ..retrieval import Bench

FLOOR: Final = "words in common"
BASE: Final = "encoder of passages (as mode questions)"
WAYS: Final = {BASE: FLOOR, "encoder of questions": BASE, "both encoders (as mode learned)": BASE}
"""How two questions are compared → what that is compared with."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions.

    Attributes:
        entails: Whether an answer of the other one answers it, at least in part.
    """

    asked: str
    short: str
    entails: bool


def read_pairs(path: Path) -> list[Pair]:
    """Read pairs of RQE (AMIA 2016): XML with `pair` elements of `chq`, `faq` and the attribute `value`."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ValueError, ElementTree.ParseError) as error:  # of forbidden entities, too
        raise SourceFileError(f"cannot be read: {error}; give RQE's training file", path) from error
    found = []
    for element in root.iter("pair") if root is not None else ():
        asked, short = (" ".join((element.findtext(name) or "").split()) for name in ("chq", "faq"))
        if asked and short and asked.lower() != short.lower():
            found.append(Pair(asked, short, element.get("value") == "true"))
    if len({pair.entails for pair in found}) < 2:
        raise SourceFileError("has not pairs of both values, true and false; give RQE's training file", path)
    return found


def read_similar(path: Path) -> list[Pair]:
    """Read pairs of Medical Question Pairs: doctor, question, another one, and 1 where they mean the same."""
    columns = ["doctor", "question", "other", "same"]
    rows = [item[1] for item in tables.read(path, columns, header=columns) if not isinstance(item, Reject)]
    if {row["same"] for row in rows} != {"0", "1"}:
        raise SourceFileError("has not pairs of both values, 0 and 1; give a table of Medical Question Pairs", path)
    return [Pair(row["question"], row["other"], row["same"] == "1") for row in rows]


def sampled(pairs: Sequence[Pair], sample: int) -> list[Pair]:
    """Take the pairs of some questions."""
    asked = sorted({pair.asked for pair in pairs}, key=lambda text: (number(text), text))[:sample]
    places = {text: place for place, text in enumerate(asked)}
    return sorted((pair for pair in pairs if pair.asked in places), key=lambda pair: places[pair.asked])


def measure(pairs: Sequence[Pair], encoder: TextEncoder) -> dict[str, Auc]:
    """Tell pairs that belong together from others by how near they are.

    Returns:
        `FLOOR` and each of `WAYS` → the area under the curve.
    """
    places = {text: place for place, text in enumerate(dict.fromkeys(pair.asked for pair in pairs))}
    owners = np.array([places[pair.asked] for pair in pairs])
    good = np.array([pair.entails for pair in pairs])
    asked, other = [pair.asked for pair in pairs], [pair.short for pair in pairs]
    as_passages = encoder.encode(asked), encoder.encode(other)
    as_questions = encoder.encode_questions(asked), encoder.encode_questions(other)
    scores = [
        np.array([_in_common(pair) for pair in pairs]),
        _cosines(*as_passages),
        _cosines(*as_questions),
        _cosines(as_questions[0], as_passages[1]),
    ]
    return {name: Auc(given, good, owners) for name, given in zip((FLOOR, *WAYS), scores, strict=True)}


def preferred(area: Auc) -> float:
    """Say how often a question's own pair that belongs together is nearer than its own that does not."""
    shares = [0.0, 0.0]
    for owner in range(area.questions):
        mine = area.owners == owner
        good, bad = area.scores[mine & area.good], area.scores[mine & ~area.good]
        ahead = good[:, None] - bad[None]
        shares[0] += float((ahead > 0).sum() + (ahead == 0).sum() / 2)
        shares[1] += ahead.size
    return shares[0] / shares[1] if shares[1] else 0.5


def _cosines(asked: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float64]:
    products: NDArray[np.float64] = (asked * other).sum(axis=1).astype(np.float64)
    return products


def _in_common(pair: Pair) -> float:
    """Give the share of the words of both that they have in common."""
    asked, other = (
        {stem(word) for word in lucene.content_words(lucene.all_words(text))} for text in (pair.asked, pair.short)
    )
    return len(asked & other) / max(1, len(asked | other))


def similar(bench: Bench, path: Path) -> Iterator[Result]:
    """Measure on Medical Question Pairs."""
    return _results("mqp", read_similar(path), bench)


def entailed(bench: Bench, path: Path) -> Iterator[Result]:
    """Measure on the half of RQE."""
    return _results("rqe", [pair for pair in read_pairs(path) if part_of(pair.asked.lower()) == bench.part], bench)


def _results(name: str, read: Sequence[Pair], bench: Bench) -> Iterator[Result]:
    for way, area in measure(sampled(read, bench.sample), bench.encoder).items():
        yield Result(name, "", way, WAYS.get(way, ""), "auc", area, {"preferred": preferred(area)})
