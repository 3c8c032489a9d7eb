"""All sets that retrieval is measured on while it is made, as one table: every way beside a floor, and how surely.

| set | files | what is asked |
| --- | --- | --- |
| `mediqa` | `mediqa/alexa.xml`, `validation.xml` | are answers that experts graded found, among all of them? |
| `medquad` | none: the graph has it | what other collections say of the same, asked in three styles |
| `meqsum` | `questions/meqsum.csv` | does a message find what its short question finds, and that question itself? |
| `pubmedqa` | `pubmedqa/pqal_dev.json` | is the abstract found that a question was made from? |
| `mqp` | `questions/mqp_dev.csv` | is a similar question nearer than another one? |
| `rqe` | `questions/rqe_train.xml` | is an entailed question nearer than another one? |

The layers that come with the package, which encode questions, learned from the entailing pairs of all of RQE.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import InputError, SourceFileError
from ..progress import note
from . import consumer, literature, mediqa, messages, pairs, ways
from .blend import FLOOR, WEIGHTS, Blend, chosen
from .questions import STYLES, dev_questions, part_of
from .rankings import Case, Floor, measure
from .statistics import Mean, compare, holm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..queries.retriever import Retriever
    from .mediqa import Answer
    from .messages import Message
    from .statistics import Measured
    from .ways import Way

    Apart = Callable[[Sequence[Answer]], AbstractContextManager[tuple[Database, Retriever]]]

FILES: Final = {
    "mediqa": tuple(f"mediqa/{name}" for name, _ in mediqa.FILES.values()),
    "medquad": (),
    "meqsum": ("questions/meqsum.csv",),
    "pubmedqa": ("pubmedqa/pqal_dev.json",),
    "mqp": ("questions/mqp_dev.csv",),
    "rqe": ("questions/rqe_train.xml",),
}
"""Set → its files in the folder of data."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a way reached on a set.

    Attributes:
        set: A key of `FILES`.
        beside: The way that it is compared with; empty for a floor.
    """

    set: str
    style: str
    way: str
    beside: str
    measure: str
    reached: Measured
    also: Mapping[str, float]


@dataclass(frozen=True)
class Bench:
    """What is measured with.

    Attributes:
        part: `dev` or `held`, of sets that have halves.
        apart: Opens a graph of MEDIQA's answers and what searches it.
    """

    database: Database
    retriever: Retriever
    encoder: TextEncoder
    data: Path
    part: str
    sample: int
    apart: Apart

    @cached_property
    def floor(self) -> Floor:
        """The floor over the whole graph; it is made once."""
        return Floor(self.database, self.encoder)

    def file(self, name: str) -> Path:
        """Give the only file of a set."""
        return self.data / FILES[name][0]


def check(data: Path, names: Sequence[str]) -> None:
    """Make sure that there is what is to be measured."""
    for name in names:
        if name not in FILES:
            raise InputError(f"there is no set {name!r}; known are {', '.join(FILES)}")
        for file in FILES[name]:
            if not (data / file).is_file():
                raise SourceFileError(
                    f"is missing, and the set {name} is made of it; choose others by --set", data / file
                )


def evaluate(bench: Bench, names: Sequence[str]) -> list[dict[str, Any]]:
    """Measure.

    Returns:
        The rows of `table`.
    """
    check(bench.data, names)
    results: list[Result] = []
    for name in names or FILES:
        note(f"measuring {name}")
        results += _SETS[name](bench)
    return table(results)


def table(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Compare each way with the one that it stands beside.

    Returns:
        Rows of `set`, `style`, `way`, `n`, `measure`, its `value`, `beside` which, how much `more` between `low` and
        `high` (95 % of paired bootstrap samples), `p`, corrected by Holm for all ways of the set and style, and `also`
        with further measures.
    """
    reached = {(one.set, one.style, one.way): one.reached for one in results}
    rows = []
    for one in results:
        row: dict[str, Any] = {
            "set": one.set,
            "style": one.style,
            "way": one.way,
            "n": one.reached.questions,
            "measure": one.measure,
        }
        row |= {"value": one.reached.value(), "beside": one.beside, "more": None, "low": None, "high": None, "p": None}
        if one.beside:
            other = reached[one.set, one.style, one.beside]
            difference = compare(one.reached, other)
            row |= {"more": difference.more, "low": difference.low, "high": difference.high, "p": difference.p}
        rows.append(row | {"also": dict(one.also)})
    for name, style in {(row["set"], row["style"]) for row in rows}:
        mine = [row for row in rows if (row["set"], row["style"]) == (name, style) and row["beside"]]
        for row, p in zip(mine, holm([row["p"] for row in mine]), strict=True):
            row["p"] = p
    return rows


def _results(
    name: str,
    style: str,
    measured: Mapping[str, Mapping[str, NDArray[np.float64]]],
    searched: Sequence[Way],
    main: str,
) -> Iterator[Result]:
    beside = {way.name: way.beside for way in searched}
    for way, measures in measured.items():
        also = {other: float(values.mean()) for other, values in measures.items() if other != main}
        yield Result(name, style, way, beside.get(way, ""), main, Mean(measures[main]), also)


def _mediqa(bench: Bench) -> Iterator[Result]:
    searched = ways.but("questions", "types", "names")  # its graph has plain documents alone
    beside = {way.name: way.beside for way in searched}
    less = {way.name for way in searched if way.without}
    questions, answers = mediqa.read(bench.data / "mediqa")
    with bench.apart(answers) as (database, searching):
        measured = consumer.measure(questions, answers, database, bench.retriever, searching, bench.encoder, searched)
    for style, places in consumer.styles(questions).items():
        for way, measures in measured.items():
            whole = way not in less
            also = {
                name: value
                for name, value in consumer.summary(measures, places).items()
                if name == "mrr" or (whole and name != "ndcg@10")
            }
            reached = Mean(measures["ndcg@10"][places])
            yield Result("mediqa", style, way, beside.get(way, ""), "ndcg@10", reached, also)


def _medquad(bench: Bench) -> Iterator[Result]:
    searched = ways.but("messages")
    for style in STYLES:
        cases = [
            Case(one.id, one.text, one.relevant, but=one.collection)
            for one in dev_questions(bench.database, style, bench.sample, part=bench.part)
            if one.relevant
        ]
        measured = measure(f"MedQuAD, {style}", cases, bench.retriever, bench.floor, searched, "ndcg@10")
        yield from _results("medquad", style, measured, searched, "ndcg@10")


def _pubmedqa(bench: Bench) -> Iterator[Result]:
    searched = ways.but("questions", "messages")
    cases = literature.read(bench.file("pubmedqa"), bench.floor.documents, bench.part, bench.sample)
    measured = measure("PubMedQA", cases, bench.retriever, bench.floor, searched, "mrr")
    kept = {way: {name: measures[name] for name in ("mrr", "recall@10")} for way, measures in measured.items()}
    yield from _results("pubmedqa", "title", kept, searched, "mrr")


def _meqsum(bench: Bench) -> Iterator[Result]:
    path, searched = bench.file("meqsum"), ways.but()
    mine = messages.read(path, bench.part, bench.sample)
    shares = {FLOOR: _shares_of_floor(bench.floor, mine)} | messages.shares(bench.retriever, mine, searched, "learned")
    measured = {
        way: {"overlap@10": values[:, 0], "learned@10": values[:, 1]} for way, values in shares.items() if way != FLOOR
    }
    measured = {FLOOR: {"overlap@10": shares[FLOOR]}} | measured
    yield from _results("meqsum", "results", measured, searched, "overlap@10")
    every = [one for part in ("dev", "held") for one in messages.read(path, part, messages.ALL)]
    for way, values in short_ranks(mine, every, bench.encoder).items():
        also = {"recall@10": float((values >= 1 / 10).mean())}
        yield Result("meqsum", "short question", way, "" if way == FLOOR else FLOOR, "mrr", Mean(values), also)


def _shares_of_floor(floor: Floor, mine: Sequence[Message]) -> NDArray[np.float64]:
    tried: dict[float, list[float]] = {weight: [] for weight in WEIGHTS}
    for message in mine:
        found, wanted = (floor.results(text, messages.DEPTH) for text in (message.text, message.short))
        for weight in WEIGHTS:
            sections = ([place.section for place in each[weight]] for each in (found, wanted))
            tried[weight].append(messages.share(*sections))
    return np.array(chosen(tried, tried, [message.id for message in mine]))


def short_ranks(
    mine: Sequence[Message], every: Sequence[Message], encoder: TextEncoder
) -> dict[str, NDArray[np.float64]]:
    """Rank all short questions by how near they are to each message.

    Returns:
        The floor, and either encoder of messages → (messages,) one by the rank of the message's own short question.
    """
    shorts = {message.id: message.short for message in every}
    names = sorted(shorts)
    vectors = encoder.encode([shorts[name] for name in names])
    own = np.array([names.index(message.id) for message in mine])
    texts = [message.text for message in mine]
    blend = Blend(shorts, names, vectors, encoder)
    branches = [blend.branches(text) for text in texts]
    tried = {
        weight: _reciprocal(np.array([weight * words + (1 - weight) * near for words, near in branches]), own).tolist()
        for weight in WEIGHTS
    }
    floor: list[float] = chosen(tried, tried, [one.id for one in mine])
    return {
        FLOOR: np.array(floor),
        "encoder of passages": _reciprocal(encoder.encode(texts) @ vectors.T, own),
        "encoder of questions": _reciprocal(encoder.encode_questions(texts) @ vectors.T, own),
    }


def _reciprocal(scores: NDArray[Any], own: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give one by the rank of each row's own column."""
    mine = scores[np.arange(len(own)), own]
    ranks: NDArray[np.float64] = 1 / (1 + (scores > mine[:, None]).sum(axis=1))
    return ranks


def _mqp(bench: Bench) -> Iterator[Result]:
    return _pairs("mqp", pairs.read_similar(bench.file("mqp")), bench)


def _rqe(bench: Bench) -> Iterator[Result]:
    read = pairs.read_pairs(bench.file("rqe"))
    return _pairs("rqe", [pair for pair in read if part_of(pair.asked.lower()) == bench.part], bench)


def _pairs(name: str, read: Sequence[pairs.Pair], bench: Bench) -> Iterator[Result]:
    for way, area in pairs.measure(pairs.sampled(read, bench.sample), bench.encoder).items():
        also = {"preferred": pairs.preferred(area)}
        yield Result(name, "", way, pairs.WAYS.get(way, ""), "auc", area, also)


_SETS: Final = {
    "mediqa": _mediqa, "medquad": _medquad, "meqsum": _meqsum, "pubmedqa": _pubmedqa, "mqp": _mqp, "rqe": _rqe,
}  # fmt: skip
