"""Answers of several ways beside reference answers: what a way says, and how it compares."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.answer import CONTRADICTED, SUPPORTED
from medgraph.answers.pipelines.papers import rouge_l
from medgraph.answers.verify.claims import Chances
from medgraph.answers.verify.verifier import judge
from medgraph.embeddings.encoders.bert import PairEncoder
from medgraph.errors import InputError, install_line
from medgraph.queries.filters import Filters
from medgraph.text import sentences

from ..pipelines import way_of
from .bench import NO_MODEL, Row, measured, missing, needed
from .text_metrics import bert_score, bleu_4, flesch, meteor, overlap, rouge_2, token_states

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from medgraph.answers.answer import Answer

    from .bench import Workbench

    # Way → question → `text`, whether it is `shown`, whether it went through a pipeline (`piped`), `label`, and
    # milliseconds (`ms`).
    Answers = Mapping[str, Mapping[str, dict[str, Any]]]
    Scores = Mapping[str, Mapping[str, dict[str, float]]]  # way → question → metric → value

QUESTIONS: Final = "kqa/questions.jsonl"
WRITTEN: Final = ", written"  # what the names of ways end with that a language model has a part in
OTHER: Final = "another question's answer"  # the way that tells what metrics give by chance
ROUGE: Final = "ROUGE-L, mean"
BERT: Final = "BERTScore F1, the encoder's tokens"
STS: Final = "STS 0 to 5, by the encoder"
ROUGE_2: Final = "ROUGE-2"
METEOR: Final = "METEOR, words and stems"
BLEU: Final = "BLEU-4"
FLESCH: Final = "Flesch reading ease"
CONTRADICTS: Final = "contradicts the reference at .95"
NLI: Final = "sentences that the reference supports"
SURE: Final = 0.95
SAME: Final = 1e-6

NEEDED: Final = {
    BERT: "needs an encoder that is a BERT model: unset MEDGRAPH_ENCODER",
    METEOR: f"this metric needs nltk; {install_line('evaluate')}",
}
WAITS: Final = "waits for replies of the batch"


@dataclass(frozen=True, slots=True)
class ReferenceQuestion:
    """A question with a reference answer."""

    question: str
    label: str
    kind: str = ""
    left_out: tuple[str, ...] = ()  # ids of documents that are not searched


def physicians(bench: Workbench) -> dict[str, ReferenceQuestion]:
    """Read K-QA's questions with physicians' answers, as many as are to be measured."""
    rows = bench.lines(QUESTIONS, "Question", "Free_form_answer")
    return bench.chosen({row["Question"]: ReferenceQuestion(row["Question"], row["Free_form_answer"]) for row in rows})


def answers(
    bench: Workbench, table: str, asked: Mapping[str, ReferenceQuestion], ways: Sequence[str], *, written: bool = False
) -> Answers:
    """Ask questions in several ways.

    Args:
        ways: As `way_of` reads them, each with `@` and a source behind that alone is searched.
        written: Whether the language model writes; its text counts as it was written, unchecked, and nothing that
            stands in for it does. What it is not asked, such as emergencies, is left out.
    """
    assembly, found = bench.writing if written else bench.quoting, {}
    model = bench.model_name if written else NO_MODEL

    def ask(name: str, one: ReferenceQuestion) -> dict[str, Any]:
        name, _, source = name.partition("@")
        way, filters = way_of(name), Filters(sources=(source,) if source else (), left_out=one.left_out)
        answer = assembly.answerer.ask(one.question, filters, composer=way.composer, pipeline=way.pipeline)
        stages = {stage.name: stage.milliseconds for stage in answer.pipeline.stages} if answer.pipeline else {}
        silent = written and not (answer.generation and answer.generation.reply_tokens)
        told = {
            "text": "" if silent else _text(answer),
            "shown": bool(answer.sentences),
            "piped": bool(answer.pipeline),
        }
        return told | {"label": one.label, "ms": answer.timing_ms | stages}

    for name in ways:
        given = bench.each(f"{table} by {model}: {name}", asked, partial(ask, name))
        found[name + WRITTEN * written] = {item: one for item, one in given.items() if one["piped"] or not written}
    return found


def _text(answer: Answer) -> str:
    """Give the candidate that is chosen as it was written, or else all sentences."""
    if answer.pipeline and (chosen := [one.text for one in answer.pipeline.candidates if one.chosen]):
        return chosen[0]
    dropped = answer.generation.dropped if answer.generation else ()
    return " ".join([*(one.text for one in answer.sentences), *(one.text for one in dropped)])


def by_chance(asked: Mapping[str, ReferenceQuestion]) -> dict[str, dict[str, Any]]:
    """Give each question the reference answer of the next one."""
    labels = [one.label for one in asked.values()]
    turned = [*labels[1:], *labels[:1]]
    pairs = zip(asked, labels, turned, strict=True)
    return {name: {"text": other, "shown": True, "label": label, "ms": {}} for name, label, other in pairs}


class Metrics:
    """Compares texts with reference answers, by all metrics that can be had."""

    def __init__(self, bench: Workbench) -> None:
        self._encoder = bench.assembly.encoder
        folder = getattr(self._encoder(), "folder", None)
        self._reader = PairEncoder(folder, precision=self._encoder().precision) if folder else None
        self._chances, self._states = Chances(bench.assembly.reader()), dict[str, Any]()
        self._meteor: Callable[[str, str], float] | None = meteor
        try:
            needed("nltk")
        except InputError:
            self._meteor = None

    def of(self, one: Mapping[str, str]) -> dict[str, float]:
        """Compare a text with its label: a value a metric; 0 for an empty text."""
        text, label = one["text"], one["label"]
        own, theirs = ([part[start:end] for start, end in sentences(part)] for part in (text, label))
        near = self._encoder().encode([text, label])
        told = [[judge(said, other, self._chances) for other in theirs] for said in own]
        values = {
            ROUGE: rouge_l(text, label),
            ROUGE_2: rouge_2(text, label),
            STS: 5 * max(0.0, float(near[0] @ near[1])) * bool(text),
            CONTRADICTS: any(verdict == CONTRADICTED and p >= SURE for each in told for verdict, p in each),
            NLI: sum(any(verdict == SUPPORTED for verdict, _ in each) for each in told) / max(1, len(own)),
        }
        if self._reader:
            values[BERT] = bert_score(self._tokens(label, theirs), self._tokens(text, own))
        if self._meteor:
            values[METEOR] = self._meteor(text, label)
        return values

    def _tokens(self, text: str, parts: Sequence[str]) -> Any:
        assert self._reader
        if text not in self._states:
            self._states[text] = token_states(self._reader, parts)
        return self._states[text]


def scored(bench: Workbench, table: str, found: Answers) -> Scores:
    """Compare the answers of each way with the reference answers."""
    metrics = Metrics(bench)
    return {
        way: bench.each(f"{table}, metrics, {_model(bench, way)}: {way}", given, metrics.of)
        for way, given in found.items()
    }


def compared(
    bench: Workbench, table: str, found: Answers, scores: Scores, measures: Sequence[str], tested: Sequence[str] = ()
) -> Iterator[Row]:
    """Measure answers beside reference answers; by those `tested` each way is tested against the model's first one."""
    for way, given in found.items():
        told: dict[str, Any] = {"model": _model(bench, way)}
        if not scores[way]:
            yield missing(table, way, WAITS)
            continue
        yield measured(table, way, "shows sentences", [one["shown"] for one in given.values()], **told)
        for name in measures:
            if values := [one[name] for one in scores[way].values() if name in one]:
                yield measured(table, way, name, values, **told)
            if name == ROUGE:
                yield Row(table, way, "ROUGE-L, median", float(np.median(values)), items=len(values), **told)
        yield from _of_all(table, way, given, measures, told)
    for name, way in itertools.product(tested, found):
        first = next(one for one in found if _model(bench, one) == _model(bench, way))
        if way != first and any(name in one for one in scores[first].values()):
            yield _test(table, (first, way), name, scores)
    lacking = {*NEEDED} & {*measures} - {name for given in scores.values() for one in given.values() for name in one}
    yield from (missing(table, name, NEEDED[name]) for name in sorted(lacking))


def _model(bench: Workbench, way: str) -> str:
    return bench.model_name if way.endswith(WRITTEN) else NO_MODEL


def _of_all(
    table: str, way: str, given: Mapping[str, dict[str, Any]], measures: Sequence[str], told: dict[str, Any]
) -> Iterator[Row]:
    """Measure what all texts of a way have together."""
    texts, labels = ([one[key] for one in given.values()] for key in ("text", "label"))
    if FLESCH in measures:
        own, theirs = ([flesch(text) for text in some if text] for some in (texts, labels))
        yield measured(table, way, FLESCH, own, **told)
        common = overlap(own, theirs)
        yield Row(table, way, f"{FLESCH}, densities in common with references", common, items=len(own), **told)
    if BLEU in measures:
        try:
            yield Row(table, way, BLEU, bleu_4(texts, labels), items=len(texts), **told)
        except InputError as error:
            yield missing(table, f"{way}: {BLEU}", str(error))


def _test(table: str, pair: tuple[str, str], name: str, scores: Scores) -> Row:
    row = " less ".join(pair)
    if not (both := [one for one in scores[pair[0]] if one in scores[pair[1]]]):
        return missing(table, row, WAITS)
    first, second = (np.array([scores[way][one][name] for one in both], dtype=float) for way in pair)
    if np.ptp(first - second) < SAME:
        return measured(table, row, name, first - second, note="all differences are the same: nothing to test")
    p = float(needed("scipy.stats").ttest_rel(first, second).pvalue)
    return measured(table, row, name, first - second, note=f"paired t-test p {p:.4f}")
