"""Claims with passages, labelled by reading: SciFact, K-QA; HealthVer and Citation-Integrity for development only."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject
from medgraph.loaders.files import tables
from medgraph.text import sentences

from ..statistics import number
from .grades import json_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medgraph.answers.scoring import RememberedVectors
    from medgraph.embeddings.encoders.encoder import TextEncoder

SUPPORTS: Final = "supports"
REFUTES: Final = "refutes"
NEUTRAL: Final = "neutral"
LABELS: Final = (SUPPORTS, REFUTES, NEUTRAL)

HEALTHVER: Final = "healthver/healthver_dev.csv"
CITINT: Final = "citint"
SCIFACT: Final = "scifact"
KQA: Final = "kqa/claims.csv"
NEAREST: Final = 3  # sentences of a passage that are read together with a claim, at most; set by hand
_COLUMNS: Final = ["claim", "evidence", "label", "topic_ip"]
_VOTES: Final = ("label_0", "label_1", "label_2")
_KQA: Final = ("Question", "answer", "claim", "category_x", "majority_label", *_VOTES)
_JUDGED: Final = {"Entailment": SUPPORTS, "Contradict": REFUTES, "Contradiction": REFUTES, "Neutral": NEUTRAL}
_CITED: Final = {"SUPPORT": SUPPORTS, "REFUTE": REFUTES, "CONTRADICT": REFUTES}
# What stands for citations, with brackets that hold nothing else.
_MARKS: Final = re.compile(r"[\[(]?(?:<\|\w+\|>[,;\s\u2013-]*)+[\])]?")


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim with a passage."""

    claim: str
    passage: tuple[str, ...]
    label: str  # one of `LABELS`
    topic: str  # what the claim is about; pairs of one topic stay together when they are parted
    kind: str = ""  # what kind of statement it is, where the set says so
    votes: tuple[str, ...] = ()  # what each person says, where the set says so


def read_healthver(path: Path) -> list[LabelledClaim]:
    """Read HealthVer's pairs."""
    rows = [item[1] for item in tables.read(path, _COLUMNS) if not isinstance(item, Reject)]
    pairs = [
        LabelledClaim(row["claim"], sentences_of(row["evidence"]), row["label"].lower(), row["topic_ip"])
        for row in rows
        if row["label"].lower() in LABELS
    ]
    if not pairs:
        raise SourceFileError("has no claim that is labelled Supports, Refutes or Neutral", path)
    return pairs


def read_kqa(path: Path) -> list[LabelledClaim]:
    """Read K-QA's statements with answers of models, as most of three physicians judged them."""
    rows = [item[1] for item in tables.read(path, [*_KQA]) if not isinstance(item, Reject)]
    found = [
        LabelledClaim(
            row["claim"],
            sentences_of(row["answer"]),
            _JUDGED[row["majority_label"]],
            row["Question"],
            row["category_x"],
            tuple(_JUDGED[row[label]] for label in _VOTES if row[label] in _JUDGED),
        )
        for row in rows
        if row["majority_label"] in _JUDGED
    ]
    if not found:
        raise SourceFileError("has no claim that is labelled Entailment, Neutral or Contradict", path)
    return found


def sentences_of(text: str) -> tuple[str, ...]:
    """Cut a text into sentences."""
    return tuple(text[start:end] for start, end in sentences(text))


def read_citint(folder: Path, part: str) -> list[LabelledClaim]:
    """Read pairs of Citation-Integrity."""
    passages = {
        row["doc_id"]: tuple(row["abstract"]) for row in json_rows(folder / "corpus.jsonl", "doc_id", "abstract")
    }
    found = []
    path = folder / f"claims_{part}.jsonl"
    for row in json_rows(path, "id", "claim", "evidence", "cited_doc_ids"):
        labels = [_CITED.get(one["label"], NEUTRAL) for given in row["evidence"].values() for one in given]
        passage = passages.get(row["cited_doc_ids"][0])
        if passage is None:
            raise SourceFileError(f"cites {row['cited_doc_ids'][0]}, which the corpus lacks", path)
        claim = " ".join(_MARKS.sub("", row["claim"]).split())
        found.append(LabelledClaim(claim, passage, labels[0] if labels else NEUTRAL, str(row["id"])))
    return found


def read_scifact(folder: Path, encoder: TextEncoder, sample: int | None = None) -> list[LabelledClaim]:
    """Read pairs of SciFact (Wadden et al., "Fact or Fiction", EMNLP 2020), some with evidence that decides nothing.

    A claim stands with each group of sentences that decides it. It stands as neutral with the nearest other sentence of
    each abstract that it cites, and with the nearest sentence of the abstract of the nearest title that it does not
    cite.

    Args:
        sample: Claims that are read, at most, always the same; None for all.

    Returns:
        The pairs; claims that cite an abstract in common have one topic.

    Raises:
        SourceFileError: A file lacks what is read of it.
    """
    path = folder / "claims_train.jsonl"
    documents = {row["doc_id"]: row for row in json_rows(folder / "corpus.jsonl.gz", "doc_id", "title", "abstract")}
    rows = [row for row in json_rows(path, "claim", "evidence", "cited_doc_ids") if row["cited_doc_ids"]]
    rows = sorted(rows, key=lambda row: number(row["claim"]))[:sample] if sample else rows
    if lost := {one for row in rows for one in row["cited_doc_ids"]} - documents.keys():
        raise SourceFileError(f"cites {min(lost)}, which the corpus lacks", path)
    titles = encoder.encode([one["title"] for one in documents.values()])
    vectors = encoder.encode([row["claim"] for row in rows])
    topics = _topics([row["cited_doc_ids"] for row in rows])
    others = [
        _nearest_uncited(row["cited_doc_ids"], titles @ vector, list(documents))
        for row, vector in zip(rows, vectors, strict=True)
    ]
    read = {one for row, other in zip(rows, others, strict=True) for one in (*row["cited_doc_ids"], other)}
    known = {one: encoder.encode(documents[one]["abstract"]) for one in sorted(read)}
    found = []
    for row, vector, other in zip(rows, vectors, others, strict=True):
        topic = str(topics[row["cited_doc_ids"][0]])
        for one in (*row["cited_doc_ids"], other):
            text, groups = documents[one]["abstract"], row["evidence"].get(str(one), [])
            for group in groups:
                passage = tuple(text[place] for place in sorted(group["sentences"]))
                found.append(LabelledClaim(row["claim"], passage, _CITED.get(group["label"], NEUTRAL), topic))
            decides = {place for group in groups for place in group["sentences"]}
            order = [place for place in (-(known[one] @ vector)).argsort().tolist() if place not in decides]
            found += [LabelledClaim(row["claim"], (text[place],), NEUTRAL, topic) for place in order[:1]]
    return found


def _nearest_uncited(cited: Sequence[int], cosines: NDArray[np.float32], names: Sequence[int]) -> int:
    """Give the document of the nearest title that is not cited."""
    order: list[int] = (-cosines).argsort().tolist()
    return next(names[place] for place in order if names[place] not in cited)


def _topics(cited: Iterable[Sequence[int]]) -> Mapping[int, int]:
    """Give documents that are cited together, directly or through others, one number."""
    mine: dict[int, list[int]] = defaultdict(list)
    for some in cited:
        joined = sorted({other for one in some for other in (mine[one] or [one])})
        mine |= dict.fromkeys(joined, joined)
    return {one: joined[0] for one, joined in mine.items()}


def evidence_of(claims: Sequence[LabelledClaim], encoder: TextEncoder | RememberedVectors) -> list[str]:
    """Write passages as they are read together with their claims: of a long one the sentences nearest to the claim."""
    long = [one for one in claims if len(one.passage) > NEAREST]
    texts = list(dict.fromkeys(text for one in long for text in (one.claim, *one.passage)))
    vectors = dict(zip(texts, encoder.encode(texts) if texts else (), strict=True))

    def nearest(one: LabelledClaim) -> list[int]:
        cosines = [float(vectors[one.claim] @ vectors[sentence]) for sentence in one.passage]
        return sorted(sorted(range(len(cosines)), key=lambda place: -cosines[place])[:NEAREST])

    chosen = (nearest(one) if len(one.passage) > NEAREST else range(len(one.passage)) for one in claims)
    return [" ".join(one.passage[place] for place in places) for one, places in zip(claims, chosen, strict=True)]
