"""Fit how much words of messages matter, to the short questions that experts made of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.errors import InputError
from medgraph.queries.lucene import all_words, content_words
from medgraph.queries.message import parts_of, without_masks
from medgraph.queries.salience import FEATURES, LEAST_SEEN, SalienceModel, features_of, stem, write

from .logistic import fit as fit_logistic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from medgraph.queries.entities import Mention

    from .sets.meqsum import Message

MADE_BY: Final = (
    "by `medgraph evaluate messages meqsum.csv --fit FILE`, from {count} messages of MeQSum "
    "(github.com/abachaa/MeQSum, CC BY 4.0), of the half dev, with the names of a graph that has all sources"
)
_PENALTY: Final = 1.0


def fit(messages: Sequence[Message], mentions: Callable[[str], Sequence[Mention]]) -> SalienceModel:
    """Fit the model."""
    examples = [
        (features_of(parts_of(one.text), mentions(without_masks(one.text))), _stems(one.short)) for one in messages
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


def fit_file(messages: Sequence[Message], mentions: Callable[[str], Sequence[Mention]], path: Path) -> None:
    """Fit the model and write it."""
    try:
        write(fit(messages, mentions), path, MADE_BY.format(count=len(messages)))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(all_words(text))}
