"""Answers of several ways beside those of physicians: K-QA."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...answers.answerer import EXTRACTIVE
from ...answers.pipelines.rouge import rouge_l
from ...errors import InputError
from ...queries.lucene import all_words
from ..pipelines import way_of
from .bench import NO_MODEL, Row, measured, missing, needed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from .bench import Workbench

QUESTIONS: Final = "kqa/questions.jsonl"
_VOWELS: Final = re.compile(r"[aeiouy]+")
_ENDS: Final = re.compile(r"[.!?]+")


def answers(bench: Workbench, table: str, ways: Sequence[str]) -> dict[str, dict[str, dict[str, Any]]]:
    """Ask K-QA's questions in several ways: way → question → `text`, `label` and milliseconds (`ms`)."""
    asked = bench.chosen({row["Question"]: row for row in bench.lines(QUESTIONS, "Question", "Free_form_answer")})
    found = {}
    for name in ways:
        way = way_of(name)

        def ask(row: dict[str, Any], way: Any = way) -> dict[str, Any]:
            answer = bench.assembly.answerer.ask(row["Question"], composer=way.composer, pipeline=way.pipeline)
            text = " ".join(one.text for one in answer.sentences)
            return {"text": text, "label": row["Free_form_answer"], "ms": answer.timing_ms}

        found[name] = bench.each(f"{table} by {bench.model_name}: {name}", asked, ask)
    return found


def compared(
    bench: Workbench, table: str, found: Mapping[str, Mapping[str, dict[str, Any]]], why: str
) -> Iterator[Row]:
    """Measure answers beside physicians' ones, each way beside the first one."""
    test = needed("scipy.stats").ttest_rel
    reached: dict[str, list[float]] = {}
    for way, given in found.items():
        pairs = [(one["text"], one["label"]) for one in given.values()]
        told: dict[str, Any] = {"model": NO_MODEL if way == EXTRACTIVE else bench.model_name, "note": why}
        yield measured(table, way, "shows sentences", [bool(text) for text, _ in pairs], **told)
        reached[way] = [rouge_l(text, label) for text, label in pairs]
        yield measured(table, way, "ROUGE-L, mean", reached[way], **told)
        if not pairs:
            continue
        yield Row(table, way, "ROUGE-L, median", float(np.median(reached[way])), items=len(pairs), **told)
        vectors = bench.assembly.encoder().encode([text for pair in pairs for text in pair])
        near = (vectors[::2] * vectors[1::2]).sum(axis=1)
        likeness = [5 * max(0.0, float(one)) * bool(text) for one, (text, _) in zip(near, pairs, strict=True)]
        yield measured(table, way, "STS 0 to 5, by the encoder", likeness, **told)
        yield measured(table, way, "Flesch reading ease", [flesch(text) for text, _ in pairs if text], **told)
        yield from _bleu(table, way, pairs, told)
    first = next(iter(reached), "")
    for way, values in list(reached.items())[1:]:
        if len(values) == len(reached[first]) > 1 and values != reached[first]:
            p = float(test(reached[first], values).pvalue)
            more = np.array(reached[first]) - np.array(values)
            yield measured(table, f"{first} less {way}", "ROUGE-L, mean", more, note=f"paired t-test p {p:.4f}")


def physicians(bench: Workbench, table: str) -> Iterator[Row]:
    """Measure how easily physicians' answers read."""
    labels = [str(row["Free_form_answer"]) for row in bench.lines(QUESTIONS, "Free_form_answer")]
    yield measured(table, "physicians", "Flesch reading ease", [flesch(one) for one in labels], model=NO_MODEL)


def _bleu(table: str, way: str, pairs: Sequence[tuple[str, str]], told: Mapping[str, Any]) -> Iterator[Row]:
    try:
        bleu: Callable[..., Any] = needed("sacrebleu").corpus_bleu
    except InputError as error:
        yield missing(table, f"{way}: BLEU-4", str(error))
        return
    score = bleu([text for text, _ in pairs], [[label for _, label in pairs]]).score / 100
    yield Row(table, way, "BLEU-4", float(score), items=len(pairs), **told)


def flesch(text: str) -> float:
    """Give Flesch's reading ease, syllables being runs of vowels."""
    words = all_words(text)
    if not words:
        return 0.0
    syllables = sum(max(1, len(_VOWELS.findall(word.removesuffix("e")))) for word in words)
    ends = max(1, len(_ENDS.findall(text)))
    return 206.835 - 1.015 * len(words) / ends - 84.6 * syllables / len(words)
