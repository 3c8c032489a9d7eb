"""Verification measured: faults put into cited sentences, rewordings that say the same, and claims labelled by reading.

Faults are put into sentences of MedQuAD's half held; what the verifier's model was fitted to, and what its rules were
chosen on, is of the other half. Labelled claims are judged three ways: supported, refuted, neither.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED
from medgraph.answers.scoring import RememberedVectors
from medgraph.answers.verify.claims import LEVELS, SUPPORTS, Chances, claims_of, likely, pairs_of
from medgraph.answers.verify.rules import compare
from medgraph.answers.verify.verifier import judge
from medgraph.embeddings.candidate_sentences import candidates
from medgraph.errors import InputError
from medgraph.files import table_lines
from medgraph.graph import catalogue

from .sets.claims import LABELS, NEUTRAL, REFUTES, evidence_of
from .sets.claims import SUPPORTS as SUPPORTING
from .statistics import number, part_of, share

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from numpy.typing import NDArray

    from medgraph.answers.verify.reader import CrossReader
    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.graph.database import Database

    from .sets.claims import LabelledClaim

    Floats = NDArray[np.float64]

SOURCE: Final = "medquad"
FILE: Final = Path(__file__).with_name("faults.tsv")
PAGE: Final = 1000
MADE_BY: Final = "MedQuAD's sections (github.com/abachaa/MedQuAD, CC BY 4.0), of the half dev"

# Words of a sentence that faults are put into.
_FEWEST: Final = 8
_MOST: Final = 45
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|can|may|should|must|could|will|does|do|has been|have been)\b(?! (?:not|no|never)\b)"
)
_NOT: Final = re.compile(r"(?:\bnot |\bcan(?=not\b)not|n['\u2019]t\b)")
_NUMBER: Final = re.compile(r"(?<![\w.,-])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w,]|\.\d)")
_BRACKETS: Final = re.compile(r" \([^()]{2,80}\)")

SEED: Final = 11
FOLDS: Final = 5
SENTENCES: Final = 100_000  # sentences whose vectors are remembered while they are measured
POOL: Final = 5  # sentences that are read for each fault, at most
_VERDICTS: Final = {SUPPORTED: SUPPORTING, CONTRADICTED: REFUTES, NO_EVIDENCE: NEUTRAL}


@dataclass(frozen=True, slots=True)
class QuotedSentence:
    """A sentence that could be cited."""

    section: str
    text: str
    around: tuple[str, ...] = ()  # the sentences before and behind it that could be cited, too


@dataclass(frozen=True, slots=True)
class ChangedSentence:
    """A sentence that was changed."""

    kind: str  # the fault that was put into it, or how it was reworded
    text: str
    cited: str
    right: bool


@cache
def _table() -> Mapping[str, Sequence[tuple[str, ...]]]:
    found = defaultdict[str, list[tuple[str, ...]]](list)
    for _, line in table_lines(FILE):
        kind, *words = line.split("\t")
        found[kind].append(tuple(words))
    return found


def quoted(database: Database, part: str, most: int) -> list[QuotedSentence]:
    """Read sentences of MedQuAD that could be cited."""
    pages = database.pages(catalogue.get("section_words"), PAGE, source=SOURCE)
    rows = [row for page in pages for row in page if part_of(row["title"].lower()) == part]
    if not rows:
        raise InputError(
            "faults are put into sentences of MedQuAD, which the graph lacks; run: medgraph load medquad PATH"
        )
    found: dict[str, QuotedSentence] = {}
    for row in sorted(rows, key=lambda row: number(row["id"])):
        if len(found) == most:
            break
        fitting = [
            one.text
            for one in candidates(0, row["text"])
            if _FEWEST <= len(one.text.split()) <= _MOST and ":" not in one.text
        ]
        if fitting:
            place = number(row["id"]) % len(fitting)
            text, around = fitting[place], (*fitting[max(0, place - 1) : place], *fitting[place + 1 : place + 2])
            found.setdefault(text, QuotedSentence(row["id"], text, tuple(one for one in around if one != text)))
    return list(found.values())


def faulty(sentences: Sequence[QuotedSentence], most: int, chance: Random) -> list[ChangedSentence]:
    """Put faults into sentences, of each kind about as many, as far as sentences allow it."""
    drugs = sorted({match[0].lower() for one in sentences for match in _drug_pattern().finditer(one.text)})
    makers: dict[str, Callable[[str], list[str]]] = {
        "negation": _negations,
        "number": lambda text: _numbers(text, chance),
        "unit": lambda text: _swapped(text, "unit", r"(?<=\d )"),
        "direction": lambda text: _swapped(text, "direction"),
        "part": lambda text: _swapped(text, "part"),
        "drug": lambda text: _other_drugs(text, drugs, chance),
    }
    found: dict[str, list[ChangedSentence]] = {kind: [] for kind in makers}
    for one in sentences:
        if sum(map(len, found.values())) >= most:
            break
        for kind in sorted(makers, key=lambda kind: len(found[kind])):
            if made := [text for text in makers[kind](one.text) if text != one.text]:
                found[kind].append(ChangedSentence(kind, chance.choice(made), one.text, right=False))
                break
    return [one for kind in makers for one in found[kind]]


def reworded(sentences: Sequence[QuotedSentence], most: int, chance: Random) -> list[ChangedSentence]:
    """Reword sentences so that they still say what they said."""
    found: list[ChangedSentence] = []
    for one in sentences:
        made = [("words", text) for text in _swapped(one.text, "same")]
        made += [("brackets", text) for text in [_BRACKETS.sub("", one.text)] if text != one.text]
        parts = claims_of(one.text)
        made += [("clause", part) for part in parts if len(parts) > 1]
        if made and len(found) < most:
            kind, text = chance.choice(made)
            found.append(ChangedSentence(kind, text, one.text, right=True))
    return found


def _negations(text: str) -> list[str]:
    if _NOT.search(text):
        return [_NOT.sub("", text, count=1)]
    verb = _VERB.search(text)
    return [f"{text[: verb.end()]} not{text[verb.end() :]}"] if verb else []


def _numbers(text: str, chance: Random) -> list[str]:
    made = []
    for match in _NUMBER.finditer(text):
        value = float(match[0].replace(",", ""))
        other = chance.choice([value * 2, value * 10, value + 3])
        made.append(f"{text[: match.start()]}{other:,.12g}{text[match.end() :]}")
    return made


def _swapped(text: str, kind: str, before: str = r"(?<!\w)") -> list[str]:
    """Put a word of the table in the place of another, once."""
    made = []
    for word, other in _table()[kind]:
        ending = r"(?!\w)" if word[-1].isalnum() else ""
        whole = rf"{before}{re.escape(word)}{ending}"
        if word.isdigit():  # no part of 2,500 or 2.5
            whole = rf"(?<![\w.,]){word}(?![\w%]|[.,]\d)"
        if match := re.search(whole, text, re.IGNORECASE):
            made.append(text[: match.start()] + other + text[match.end() :])
    return made


@cache
def _drug_pattern() -> re.Pattern[str]:
    endings, names = ("|".join(word for (word,) in _table()[kind]) for kind in ("drug", "medicine"))
    return re.compile(rf"\b(?:[^\W\d_]{{3,}}(?:{endings})|{names})\b", re.IGNORECASE)


def _other_drugs(text: str, drugs: Sequence[str], chance: Random) -> list[str]:
    made = []
    for match in _drug_pattern().finditer(text):
        others = [name for name in drugs if name not in text.lower()]
        if others:
            made.append(text[: match.start()] + chance.choice(others) + text[match.end() :])
    return made


def faults(database: Database, sample: int, reader: CrossReader | None = None) -> list[dict[str, Any]]:
    """Measure how many faults in cited sentences are caught, and how many right sentences are flagged.

    Returns:
        Rows of `sentences`, how many they are (`count`), and the shares flagged by the `rules` alone, by the `model`
        alone, by the `cross-encoder` alone where one is set, and by `both`, which is what medgraph does.
    """
    chance = random.Random(SEED)  # noqa: S311 # not for secrets
    sentences = quoted(database, "held", POOL * sample)
    wrong = faulty(sentences, sample, chance)
    right = [ChangedSentence("as quoted", one.text, one.text, right=True) for one in sentences[:sample]]
    kinds = {
        f"fault: {kind}": [one for one in wrong if one.kind == kind] for kind in dict.fromkeys(c.kind for c in wrong)
    }
    tables = kinds | {
        "all faults": wrong,
        "right, as quoted": right,
        "right, reworded": reworded(sentences, sample, chance),
    }
    return [{"sentences": name, "count": len(some)} | _flagged(some, reader) for name, some in tables.items()]


def _flagged(some: Sequence[ChangedSentence], reader: CrossReader | None) -> dict[str, float]:
    found = [compare(one.text, one.cited) for one in some]
    chances = Chances(reader)
    crossed = {}
    if reader:
        chances.ahead(pair for one in some for claim in claims_of(one.text) for pair in pairs_of(claim, one.cited))
        read = reader.chances([(one.cited, one.text) for one in some])[:, 0]
        crossed["cross-encoder"] = share((read < SUPPORTS).tolist())
    return {
        "rules": share([not one.fits for one in found]),
        "model": share([likely(LEVELS[0], one) < SUPPORTS for one in found]),
        **crossed,
        "both": share([judge(one.text, one.cited, chances)[0] != SUPPORTED for one in some]),
    }


def labelled(
    pairs: Mapping[str, Sequence[LabelledClaim]], encoder: TextEncoder, reader: CrossReader | None = None
) -> list[dict[str, Any]]:
    """Measure how labelled claims are judged: rows of `set`, `way`, `pairs` and `macro_f1`."""
    rows = []
    vectors = RememberedVectors(lambda: encoder, SENTENCES)
    for name, some in pairs.items():
        truth = np.array([LABELS.index(one.label) for one in some])
        most = np.full(len(truth), np.bincount(truth, minlength=len(LABELS)).argmax())
        judged = {"majority": most, "rules as shipped": np.array([LABELS.index(verdict_of(one)) for one in some])}
        if reader:
            texts = zip(evidence_of(some, vectors), (one.claim for one in some), strict=True)
            judged["cross-encoder as set"] = reader.chances(list(texts)).argmax(axis=1)
        rows += [
            {"set": name, "way": way, "pairs": len(truth), "macro_f1": macro_f1(truth, given)}
            for way, given in judged.items()
        ]
    return rows


def macro_f1(truth: NDArray[np.int64], given: NDArray[np.int64]) -> float:
    """Give the mean of the F1 of each label."""
    return float(f1_of(truth, given).mean())


def f1_of(truth: NDArray[np.int64], given: NDArray[np.int64]) -> Floats:
    """Give the F1 of each label."""
    both, either = (np.bincount(some, minlength=len(LABELS)) for some in (truth[truth == given], np.r_[truth, given]))
    return 2 * both / np.maximum(either, 1)


def verdict_of(one: LabelledClaim) -> str:
    """Judge a claim as answers are checked, by the sentence that decides: what supports, else what contradicts."""
    verdicts = {judge(one.claim, sentence)[0] for sentence in one.passage}
    return _VERDICTS[next((v for v in (SUPPORTED, CONTRADICTED) if v in verdicts), NO_EVIDENCE)]
