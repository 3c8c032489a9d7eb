"""Diseases that chemicals induce, by abstracts of BC5CDR: pairs of both in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from medgraph.linking.roles import MARKS, NAMES, NOTHING, SUBJECT, Name, features, model, words_of
from medgraph.text import sentences

from .pubtator import read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .pubtator import GoldText

KIND: Final = "abstract"
ENOUGH: Final = 0.4  # chance from which a pair counts as told: the best on two folds of the training set


def pairs_of(abstract: GoldText) -> Iterator[tuple[tuple[str, str], list[str]]]:
    """Describe each chemical and disease that a sentence names together."""
    before = NOTHING
    for span in sentences(abstract.text):
        inside = [one for one in abstract.mentions if span[0] <= one.start and one.end <= span[1]]
        inside = sorted({one.start: one for one in inside}.values(), key=lambda one: one.start)
        for disease in sorted({id_ for one in inside if one.kind == "Disease" for id_ in one.ids}):
            marks = [Name(one.start, one.end, SUBJECT if disease in one.ids else MARKS[one.kind]) for one in inside]
            words = words_of(abstract.text, span, marks)
            for one in inside:
                if one.kind == "Chemical" and one.start in words.at:
                    described = features(words, words.at[one.start], KIND, one.kind, NOTHING, before)
                    yield from (((chemical, disease), described) for chemical in sorted(one.ids))
        before = words_of(abstract.text, span, ())


def told_in(abstract: GoldText) -> set[tuple[str, str]]:
    """Give the pairs of which the model of roles says that a sentence tells it: the chemical induces the disease."""
    pairs = list(pairs_of(abstract))
    if not pairs:
        return set()
    chances = model().chances([("Chemical", described) for _, described in pairs])[:, NAMES.index("causes")]
    return {pair for (pair, _), chance in zip(pairs, chances, strict=True) if chance >= ENOUGH}


def measure(path: Path) -> list[dict[str, Any]]:
    """Measure the model of roles by the pairs of abstracts."""
    abstracts = read_corpus(path)
    told = {(one.id, *pair) for one in abstracts for pair in told_in(one)}
    stated = {(one.id, *pair) for one in abstracts for pair in one.induced}
    right = len(told & stated)
    precision, recall = right / max(1, len(told)), right / max(1, len(stated))
    f1 = 2 * right / max(1, len(told) + len(stated))
    figures = {"precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3)}
    return [{"task": "diseases that chemicals induce", "n": len(stated), **figures}]
