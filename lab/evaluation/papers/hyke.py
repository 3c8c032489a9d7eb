"""HyKGE: multiple choice by a model with what each pipeline finds, and by search alone (Jiang et al., ACL 2025)."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
import numpy as np

from medgraph.answers.answer import NOT_ENOUGH_EVIDENCE
from medgraph.answers.generated import SEED, room_for
from medgraph.answers.part_answers import Material, PartAnswer, untold
from medgraph.answers.parts import QuestionPart
from medgraph.answers.pipelines.catalogue import PIPELINES
from medgraph.answers.pipelines.pipeline import Stage, choose
from medgraph.answers.prompting import escaped, fenced, numbered, prompt
from medgraph.errors import SourceFileError
from medgraph.models.protocol import Request
from medgraph.progress import Clock
from medgraph.queries import fusion

from ..statistics import number
from .bench import NO_MODEL, Plot, Row, difference, measured, missing, needed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medgraph.answers.pipelines.pipeline import State

    from .bench import Workbench

TABLE: Final = "multiple choice"
HARM: Final = "harm of retrieval"
QUESTIONS: Final = "choices/questions.jsonl"
OTHER: Final = "not comparable with the paper because its questions are Chinese (MMCU, CMB) and so is its graph"
PROMPT: Final = "choice"
LETTERS: Final = "ABCDEFGHIJ"
REPLY: Final = 60  # tokens of a reply, at most
BASE: Final = "Base"
# Row → pipeline, and the stages that it leaves out.
WAYS: Final = {
    BASE: ("base", ()),
    "GraphRAG": ("graphrag", ()),
    "QE": ("query-expansion", ()),
    "CoN": ("chain-of-note", ()),
    "CoK": ("chain-of-knowledge", ()),
    "HyKGE": ("hyke", ()),
    "HyKGE without hypothesis": ("hyke", ("hypothesis",)),
    "HyKGE without paths": ("hyke", ("paths",)),
    "HyKGE without descriptions": ("hyke", ("descriptions",)),
    "HyKGE without reranking by fragments": ("hyke", ("rerank",)),
}
BY_SEARCH: Final = ("option's words in what search finds", "nearest passage by meaning")
LONGEST: Final = "longest option"
_PASSAGES: Final = 10
_COVERAGES: Final = (0.25, 0.5, 0.75)
_LETTER = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"]


class Choice(msgspec.Struct):
    """What a model replies."""

    option: _LETTER
    sure: float = 0.0


@dataclass(frozen=True, slots=True)
class ExamQuestion:
    """A question with options, by their letters, and the letter that is right."""

    question: str
    options: dict[str, str]
    answer: str


def rows(bench: Workbench) -> Iterator[Row]:
    """Measure all rows on the same questions."""
    asked = bench.chosen(_load_questions(bench))
    found = {LONGEST: {name: [max(one.options, key=lambda o: len(one.options[o])), 0.0] for name, one in asked.items()}}
    searched = bench.each("choice by search", asked, lambda one: _searched(bench, one))
    found |= {way: {name: one[place] for name, one in searched.items()} for place, way in enumerate(BY_SEARCH)}
    orders = [_by_model(bench, asked, order) for order in range(bench.orders)]
    found |= orders[0]
    for way, given in found.items():
        others = [one[way] for one in orders[1:] if way in one]
        yield from _scores(bench, way, {name: asked[name] for name in given}, given, others)
    curves = {way: _coverage(asked, given) for way, given in found.items() if way != LONGEST and given}
    bench.plots.append(Plot(TABLE, "curves", "Accuracy against coverage", ("questions answered", "right"), curves))
    if bench.load_model is None:
        yield from (missing(TABLE, way) for way in WAYS)
    yield from _compare(asked, found)


def _by_model(bench: Workbench, asked: Mapping[str, ExamQuestion], order: int = 0) -> dict[str, dict[str, Any]]:
    """Let the model choose by each pipeline, its options in one of several orders; nothing without a model."""
    told = f"choice by {bench.model_name}{f', order {order}' if order else ''}"
    return {
        way: bench.each(f"{told}: {way}", asked, partial(_chosen, bench, pipeline, without, order))
        for way, (pipeline, without) in (WAYS.items() if bench.load_model else ())
    }


def harm(bench: Workbench) -> Iterator[Row]:
    """Measure which questions a model answers rightly without retrieval and wrongly with it, and the reverse."""
    asked = bench.chosen(_load_questions(bench))
    if bench.load_model is None:
        yield from (missing(HARM, way) for way in WAYS if way != BASE)
        return
    found = {
        way: {name: given[name][0] == asked[name].answer for name in given}
        for way, given in _by_model(bench, asked).items()
    }
    base = found.pop(BASE)
    for way, right in found.items():
        both = [(base[name], right[name]) for name in right if name in base]
        told = {"model": bench.model_name}
        yield measured(HARM, way, "right without, wrong with", [a and not b for a, b in both], **told)
        yield measured(HARM, way, "wrong without, right with", [b and not a for a, b in both], **told)
        yield measured(HARM, way, "of those right without, wrong with", [not b for a, b in both if a], **told)


def _load_questions(bench: Workbench) -> dict[str, ExamQuestion]:
    found = {}
    for place, row in enumerate(bench.lines(QUESTIONS, "id", "question", "options", "answer"), start=1):
        options = row["options"]
        if not isinstance(options, dict) or row["answer"] not in options or not {*options} <= {*LETTERS}:
            raise SourceFileError("has no option of the letter that answers", bench.data / QUESTIONS, place)
        found[str(row["id"])] = ExamQuestion(
            str(row["question"]), {key: str(text) for key, text in options.items()}, row["answer"]
        )
    return found


def _searched(bench: Workbench, one: ExamQuestion) -> list[list[Any]]:
    """Choose by search alone, in the ways of `BY_SEARCH`: the letter, and how far it stands above the next one."""
    retriever, encoder = bench.assembly.retriever, bench.assembly.encoder()
    hits = retriever.search(one.question[:_LONG], mode="hybrid", top_k=_PASSAGES)
    text = " ".join(f"{hit.title} {hit.text}" for hit in hits)
    model = fusion.model()
    wanted = {
        letter: fusion.rarities(dict.fromkeys(told.lower().split(), 1.0), model) for letter, told in one.options.items()
    }
    words = {letter: fusion.coverage(stems, text) for letter, stems in wanted.items()}
    joined = encoder.encode([f"{one.question} {told}" for told in one.options.values()])
    passages = encoder.encode([f"{hit.title}. {hit.text}" for hit in hits] or [one.question])
    near = dict(zip(one.options, (joined @ passages.T).max(axis=1).tolist(), strict=True))
    return [_best(words), _best(near)]


_LONG: Final = 4000  # characters of a question that are searched for


def _best(scores: Mapping[str, float]) -> list[Any]:
    order = sorted(scores, key=lambda letter: -scores[letter])
    return [order[0], scores[order[0]] - scores[order[1]] if len(order) > 1 else 0.0]


def _chosen(bench: Workbench, name: str, without: Sequence[str], order: int, one: ExamQuestion) -> list[Any]:
    """Let the model choose by what a pipeline finds, options in an order, 0 as they are: a letter, and how sure."""
    chosen = choose(PIPELINES[name], without)
    places = list(one.options)
    if order:
        random.Random(number(f"{order} {one.question}")).shuffle(places)  # noqa: S311 - not for secrets
    seen = dict(zip(one.options, places, strict=True))
    ending = _Ending(replace(one, options={letter: one.options[place] for letter, place in seen.items()}))
    stages = (*chosen.pipeline.stages[:-1], Stage("answer", "choose an option", ending))
    chosen = replace(chosen, pipeline=replace(chosen.pipeline, stages=stages))
    question = bench.assembly.retriever.question(one.question[:_LONG])
    pipelines = bench.assembly.pipelines(lambda: bench.model, bench.assembly.answerer.quote)
    part = QuestionPart(question.text, question, question)
    pipelines.answer(chosen, part, question.text, Clock(), untold, None)
    return [seen.get(ending.letter, ""), ending.sure]


@dataclass
class _Ending:
    one: ExamQuestion
    letter: str = ""
    sure: float = 0.0

    def __call__(self, state: State) -> None:
        """Choose."""
        state.given = PartAnswer(state.part, NOT_ENOUGH_EVIDENCE, (), (), 0.0)
        if state.model is None:
            return
        texts = [candidate.text for candidate in state.candidates]
        background = "\n".join(filter(None, (state.background, state.hypothesis, *texts)))
        told = {
            "question": escaped(self.one.question),
            "options": escaped("\n".join(f"{letter}. {text}" for letter, text in self.one.options.items())),
            "background": escaped(background),
        }

        def request(evidence: str) -> Request:
            return Request(prompt(PROMPT).fill(**told, evidence=evidence), Choice, max_tokens=REPLY, seed=SEED)

        paths = {path.facts: path.text for path in state.paths}
        room = room_for(state.model, request(""))
        items = numbered(Material(state.evidence, state.facts, list(paths)), state.model.count_tokens, room)
        state.prompts.append(PROMPT)
        if replies := state.ask([request(fenced(items))]):
            self.letter, self.sure = replies[0].value.option, replies[0].value.sure


def _scores(
    bench: Workbench,
    way: str,
    asked: Mapping[str, ExamQuestion],
    given: Mapping[str, Any],
    others: Sequence[Mapping[str, Any]] = (),
) -> Iterator[Row]:
    model = bench.model_name if way in WAYS else NO_MODEL
    right = [given[name][0] == one.answer for name, one in asked.items()]
    yield measured(TABLE, way, "EM, PCR", right, model=model, note=OTHER)
    whole = [given, *(other for other in others if len(other) == len(given))]
    if len(whole) > 1 and right:
        each = np.array([[other[name][0] == one.answer for name, one in asked.items()] for other in whole], dtype=float)
        note = ", ".join(f"{value:.3f}" for value in each.mean(axis=1).tolist())
        measure = f"EM, mean of {len(whole)} orders of the options"
        yield measured(TABLE, way, measure, each.mean(axis=0), model=model, note=f"each: {note}")
    if not right:
        return
    pairs = [one.answer for one in asked.values()], [given[name][0] or "none" for name in asked]
    f1 = needed("sklearn.metrics").f1_score(*pairs, labels=sorted({*pairs[0]}), average="macro", zero_division=0)
    yield Row(TABLE, way, "macro F1", float(f1), items=len(right), model=model)
    order = _surest(given)
    for share in _COVERAGES if way != LONGEST else ():
        surest = [given[name][0] == asked[name].answer for name in order[: max(1, round(share * len(order)))]]
        yield measured(TABLE, way, f"EM of the surest {share:.0%}", surest, model=model)


def _surest(given: Mapping[str, Any]) -> list[str]:
    return sorted(given, key=lambda name: -float(given[name][1]))


def _coverage(asked: Mapping[str, ExamQuestion], given: Mapping[str, Any]) -> tuple[list[float], list[float]]:
    """Give how much would be answered, and how much of it rightly, if only the surest were."""
    right = np.cumsum([given[name][0] == asked[name].answer for name in _surest(given)])
    counts = np.arange(1, len(right) + 1)
    return (counts / len(right)).tolist(), (right / counts).tolist()


def _compare(asked: Mapping[str, ExamQuestion], found: Mapping[str, Mapping[str, Any]]) -> Iterator[Row]:
    binomial = needed("scipy.stats").binomtest
    for mine, other in combinations(found, 2):
        both = [name for name in asked if name in found[mine] and name in found[other]]
        if not both or ((mine in WAYS) != (other in WAYS) and BASE not in {mine, other}):
            continue
        first, second = ([found[way][name][0] == asked[name].answer for name in both] for way in (mine, other))
        wins = sum(a and not b for a, b in zip(first, second, strict=True))
        losses = sum(b and not a for a, b in zip(first, second, strict=True))
        p = binomial(wins, wins + losses).pvalue if wins + losses else 1.0
        note = f"{wins} right by the first alone, {losses} by the second; McNemar p {p:.4f}"
        yield difference(f"{TABLE}, compared", f"{mine} less {other}", "EM", first, second, note)
