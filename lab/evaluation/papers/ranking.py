"""Answers of several ways ranked by a language model beside a reference answer, as MinosEval ranks open answers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from medgraph.answers.generated import SEED
from medgraph.answers.prompting import escaped, prompt
from medgraph.models.protocol import Request

from .bench import NEEDS_MODEL, Row, measured, missing
from .written import OTHER, WAITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .bench import Workbench
    from .written import Answers

RANK: Final = "rank by the model, 1 best, 0 worst"
_REPLY: Final = 200  # tokens of a reply, at most
_LONG: Final = 3000  # characters of a text that is ranked


class Order(msgspec.Struct):
    """What a model replies: marks of the answers, the best first."""

    order: list[str]


def ranked(bench: Workbench, table: str, found: Answers) -> Iterator[Row]:
    """Rank the answers to each question; a way that is silent stands behind those that are not, chance's among them."""
    if bench.load_model is None:
        yield missing(table, RANK, NEEDS_MODEL)
        return
    items: dict[str, dict[str, Any]] = {}
    for way, given in found.items():
        for question, one in given.items():
            item = items.setdefault(question, {"question": question, "label": one["label"], "texts": {}})
            item["texts"][way] = one["text"]
    places = bench.each(f"{table}, ranks by {bench.model_name}", items, lambda one: _places(bench, one))
    for way in found:
        values = [one[way] for one in places.values() if way in one]
        yield measured(table, way, RANK, values, model=bench.model_name) if values else missing(table, way, WAITS)


def _places(bench: Workbench, one: Mapping[str, Any]) -> dict[str, float]:
    """Let the model rank the answers to a question, told in an order that the question alone decides."""
    ways = sorted(one["texts"], key=lambda way: (way == OTHER, way))
    said = [way for way in ways if one["texts"][way].strip()]
    random.Random(one["question"]).shuffle(said)  # noqa: S311 # no secret
    marks = {f"A{number}": way for number, way in enumerate(said, 1)}
    order = said
    if len(said) > 1:
        texts = "\n\n".join(f"<{m}>{escaped(one['texts'][way][:_LONG])}</{m}>" for m, way in marks.items())
        told = {"question": escaped(one["question"]), "reference": escaped(one["label"][:_LONG]), "answers": texts}
        request = Request(prompt("rank_answers").fill(**told), Order, max_tokens=_REPLY, seed=SEED)
        reply: Order = bench.model.complete(request).value
        named = dict.fromkeys(mark for mark in reply.order if mark in marks)
        order = [marks[mark] for mark in (*named, *(mark for mark in marks if mark not in named))]
    last = max(1, len(ways) - 1)
    return {way: 1 - (order.index(way) if way in order else last) / last for way in ways}
