"""Long messages of consumers, each with the short question that an expert made of it (MeQSum).

Search is measured on them: what the short question finds is what the message should find. No answer need be judged for
that, so that everything in the graph is searched; but it measures how well a message is understood, not how good the
results are. How much words of messages matter is fitted to the short questions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.errors import InputError, SourceFileError
from medgraph.loaders.base import Reject
from medgraph.loaders.files import tables
from medgraph.progress import progress
from medgraph.queries.fusion import DEFAULT
from medgraph.queries.lucene import all_words, content_words
from medgraph.queries.message import parts_of, without_masks
from medgraph.queries.salience import FEATURES, LEAST_SEEN, SalienceModel, features_of, stem, write

from ..logistic import train_weights as fit_logistic
from ..retrieval import FLOOR, WEIGHTS, SearchResult, but, chosen
from ..retrieval import results as results_of
from ..statistics import number, part_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from medgraph.queries.entities import Mention
    from medgraph.queries.retriever import Retriever

    from ..retrieval import Bench

    Floats = NDArray[np.float64]

MADE_BY: Final = (
    "by `medgraph evaluate messages meqsum.csv --fit FILE`, from {count} messages of MeQSum "
    "(github.com/abachaa/MeQSum, CC BY 4.0), of the half dev, with the names of a graph that has all sources"
)
_PENALTY: Final = 1.0
DEPTH: Final = 10
ALL: Final = 1_000_000  # a sample that leaves out no message


@dataclass(frozen=True, slots=True)
class Message:
    """A message and what an expert took it to ask."""

    id: str
    text: str  # the message; empty where somebody asked the short question itself
    short: str


def load_messages(path: Path, part: str, sample: int) -> list[Message]:
    """Read messages."""
    mine = [one for one in _load_rows(path) if one.text and part_of(one.id) == part]
    if not mine:
        raise SourceFileError(f"has no message of the half {part}", path)
    return sorted(mine, key=lambda one: number(f"{one.id} sampled"))[:sample]


def load_all_messages(path: Path) -> list[Message]:
    """Read messages of both halves, and short questions that have no message."""
    messages = _load_rows(path)
    if not messages:
        raise SourceFileError("has no question", path)
    return messages


def _load_rows(path: Path) -> list[Message]:
    rows = [item[1] for item in tables.read(path, ["file", "question", "summary"]) if not isinstance(item, Reject)]
    return [Message(row["file"], row["question"], row["summary"]) for row in rows if row["summary"]]


def results(bench: Bench, path: Path) -> Iterator[SearchResult]:
    """Measure how much of what the short question finds each way finds by the message."""
    mine = load_messages(path, bench.part, bench.sample)
    rows = {FLOOR: {"overlap@10": _shares_of_floor(bench, mine)}} | _shares(bench.retriever, mine)
    yield from results_of("meqsum", "results", rows, "overlap@10")


def _shares(retriever: Retriever, messages: Sequence[Message]) -> dict[str, dict[str, Floats]]:
    """Find the shares of what the same way finds by the short question, and of what the default mode does."""
    found: dict[str, list[tuple[float, float]]] = {way.name: [] for way in but()}
    with progress("MeQSum", "message", len(messages)) as bar:
        for message in messages:
            short, asked = retriever.question(message.short), retriever.question(message.text)
            wanted = {hit.section for hit in retriever.search(short, mode=DEFAULT, top_k=DEPTH)}
            for way in but():
                own, hits = (
                    {hit.section or hit.question for hit in way.search(retriever, one, DEPTH)} for one in (short, asked)
                )
                found[way.name].append((share(hits, own), share(hits, wanted)))
            bar.update(1)
    columns = ("overlap@10", f"{DEFAULT}@10")
    return {name: dict(zip(columns, np.array(values).T, strict=True)) for name, values in found.items()}


def _shares_of_floor(bench: Bench, messages: Sequence[Message]) -> Floats:
    tried: dict[float, list[float]] = {weight: [] for weight in WEIGHTS}
    for message in messages:
        found, wanted = (bench.floor.results(text, DEPTH) for text in (message.text, message.short))
        for weight in WEIGHTS:
            tried[weight].append(share(*({place.section for place in each[weight]} for each in (found, wanted))))
    return np.array(chosen(tried, tried, [message.id for message in messages]))


def share(found: Collection[str | None], wanted: Collection[str | None]) -> float:
    """Give the share of what is wanted that was found; all of nothing is found."""
    return len({*found} & {*wanted}) / len({*wanted}) if wanted else 1.0


def train(messages: Sequence[Message], mentions: Callable[[str], Sequence[Mention]]) -> SalienceModel:
    """Fit the model."""
    examples = [
        (
            features_of(parts_of(one.text), mentions(without_masks(one.text))),
            {stem(word) for word in content_words(all_words(one.short))},
        )
        for one in messages
    ]
    seen: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for features, short in examples:
        stems = {stem(word) for word in features}
        seen.update(stems)
        kept.update(stems & short)
    average = sum(kept.values()) / max(1, sum(seen.values()))
    often = {name: count for name, count in seen.items() if count >= LEAST_SEEN}
    counted = SalienceModel({}, average, often, {name: kept[name] for name in often})
    rows, targets = [], []
    for features, short in examples:
        for word, own in features.items():
            target = stem(word) in short
            values = own | {"kept": counted.prior(stem(word), without=target)}
            rows.append([values.get(name, 0.0) for name in FEATURES])
            targets.append(float(target))
    # What counts always comes first among the features, and is the intercept.
    *weights, always = fit_logistic(np.array(rows)[:, 1:], np.array(targets), np.ones(len(rows)), _PENALTY).tolist()
    return SalienceModel(dict(zip(FEATURES, (always, *weights), strict=True)), average, counted.seen, counted.kept)


def train_file(messages: Sequence[Message], mentions: Callable[[str], Sequence[Mention]], path: Path) -> None:
    """Fit the model and write it."""
    try:
        write(train(messages, mentions), path, MADE_BY.format(count=len(messages)))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
