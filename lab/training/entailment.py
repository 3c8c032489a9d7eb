"""Train the verifier that reads evidence and a claim together: supported, contradicted, or no evidence.

sentence-transformers trains it (Reimers and Gurevych, "Sentence-BERT", EMNLP 2019). It begins with the weights of the
reader of sentences. Words and the lower layers keep them.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.verify.reader import VERDICTS
from medgraph.embeddings.encoders.bert import MAX_TOKENS
from medgraph.files import write_whole

from ..evaluation.statistics import number
from ..evaluation.verification import FOLDS, f1_of, macro_f1
from .library import arguments, freeze, library, place_of, run, tidy, write_model

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from .verifier import ClaimPair, Material

HELD_OUT: Final = "on pairs held out"  # what a card calls the figures of calibration
IN_FOLDS: Final = "in five folds"  # what a card calls the figures of `folds`
LABELS: Final = ("entailment", "contradiction", "neutral")  # what a configuration calls the verdicts, in their order
TEMPERATURES: Final = tuple(float(one) for one in np.geomspace(0.25, 8, 61))

_SORTED: Final = 16  # batches whose pairs are sorted by length together


@dataclass(frozen=True, slots=True)
class Options:
    """How to train."""

    epochs: int = 3
    batch: int = 32
    frozen: int = 4
    rate: float = 2e-4
    seed: int = 7
    held: int = 10  # one of so many groups of pairs is held out, for the temperature; 0 holds out none


def train(
    base: Path, material: Material, folder: Path, options: Options, judged: Mapping[str, float] | None = None
) -> dict[str, Any]:
    """Train, and write a model that `MEDGRAPH_VERIFIER` can name; what was interrupted goes on where it stopped."""
    began = monotonic()
    each = options.held
    held = [one for one in material.claims or material.made if each and not number(one.group) % each]
    groups = {one.group for one in held}
    model = _fitted(base, [one for one in material.all if one.group not in groups], folder, options)
    found = calibrated(_logits(model, held), _labels(held))
    for parameter in model.model.classifier.parameters():
        parameter.data /= found["temperature"]
    card = {
        "reads": "evidence and a claim; gives how likely the one supports the other, contradicts it, or neither",
        "base": base.name,
        "options": asdict(options),
        "made pairs": len(material.made),
        "labelled pairs": len(material.claims),
        "trained on": list(material.named),
        "seconds": round(monotonic() - began),
        HELD_OUT: found,
        **({IN_FOLDS: judged} if judged else {}),
    }
    write_model(model.model, model.tokenizer, folder, card)
    tidy(folder)
    return card


def folds(base: Path, material: Material, folder: Path, options: Options) -> dict[str, float]:
    """Measure F1 of verdicts on labelled claims: a fifth is judged by what learned from the others and made pairs."""
    truth, given = [], []
    for fold in range(FOLDS):
        asked = [one for one in material.claims if number(one.group) % FOLDS == fold]
        known = [*material.made, *(one for one in material.claims if number(one.group) % FOLDS != fold)]
        kept = folder / f"judged-{place_of(folder, *_fingerprint(base, known, options)).name}.json"
        if not kept.is_file():
            judged = _logits(_fitted(base, known, folder, options), asked).argmax(axis=1)
            write_whole(kept, json.dumps(judged.tolist()).encode())
            tidy(folder)
        truth += [one.label for one in asked]
        given += json.loads(kept.read_bytes())
    found = f1_of(np.array(truth), np.array(given))
    weighted = float(np.dot(found, np.bincount(truth, minlength=len(VERDICTS)) / len(truth)))
    return {
        **dict(zip(VERDICTS, found.tolist(), strict=True)),
        "macro_f1": float(found.mean()),
        "weighted_f1": weighted,
        "pairs": len(truth),
    }


def _fitted(base: Path, pairs: Sequence[ClaimPair], folder: Path, options: Options) -> Any:
    """Train a cross-encoder; where there is a checkpoint, go on from the last one."""
    with library():
        import torch
        from datasets import Dataset
        from sentence_transformers import cross_encoder
    torch.manual_seed(options.seed)
    names = {"id2label": dict(enumerate(LABELS)), "label2id": {name: place for place, name in enumerate(LABELS)}}
    configuration = names | dict.fromkeys(("hidden_dropout_prob", "attention_probs_dropout_prob"), 0.0)
    model = cross_encoder.CrossEncoder(
        str(base), num_labels=len(VERDICTS), local_files_only=True, config_kwargs=configuration
    )
    model.max_seq_length = min(MAX_TOKENS, model.config.max_position_embeddings)
    freeze(model.model.base_model, options.frozen)
    counts = np.bincount(_labels(pairs), minlength=len(VERDICTS))
    weights = torch.tensor(len(pairs) / np.maximum(counts, 1) / len(VERDICTS), dtype=torch.float32)
    texts = {"evidence": [one.evidence for one in pairs], "claim": [one.claim for one in pairs]}
    place = place_of(folder, *_fingerprint(base, pairs, options))
    more = {"num_train_epochs": options.epochs, "per_device_train_batch_size": options.batch}
    given = arguments(place, options.rate, options.seed, batch_sampler=_by_length, **more)
    trainer = cross_encoder.CrossEncoderTrainer(
        model=model,
        args=cross_encoder.CrossEncoderTrainingArguments(**given),
        train_dataset=Dataset.from_dict({**texts, "label": _labels(pairs).tolist()}),
        loss=cross_encoder.losses.CrossEntropyLoss(model, weight=weights.to(model.device)),
    )
    run(trainer, place)
    return model


def _fingerprint(base: Path, pairs: Sequence[ClaimPair], options: Options) -> list[Any]:
    return [base.name, asdict(options), [asdict(one) for one in pairs]]


def _by_length(dataset: Any, batch_size: int, seed: int, **_: Any) -> list[list[int]]:
    """Give the pairs of each step: those together that are about as long."""
    lengths = [
        len(evidence) + len(claim) for evidence, claim in zip(dataset["evidence"], dataset["claim"], strict=True)
    ]
    chance = Random(seed)  # noqa: S311 # not for secrets
    order = chance.sample(range(len(lengths)), len(lengths))
    runs = (order[start : start + _SORTED * batch_size] for start in range(0, len(order), _SORTED * batch_size))
    sorted_ = [place for run in runs for place in sorted(run, key=lengths.__getitem__)]
    batches = [sorted_[start : start + batch_size] for start in range(0, len(order), batch_size)]
    chance.shuffle(batches)
    return batches


def _labels(pairs: Sequence[ClaimPair]) -> NDArray[np.int64]:
    return np.array([one.label for one in pairs], dtype=np.int64)


def _logits(model: Any, pairs: Sequence[ClaimPair]) -> NDArray[np.float64]:
    from torch.nn import Identity

    texts = [(one.evidence, one.claim) for one in pairs]
    found = model.predict(texts, activation_fn=Identity(), show_progress_bar=False) if texts else []
    return np.array(found, dtype=np.float64).reshape(-1, len(VERDICTS))


def calibrated(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> dict[str, float]:
    """Find by what to divide logits, so that what they call likely is as often so, and measure both."""
    if not len(labels):
        return {"temperature": 1.0, "pairs": 0}
    best = min(TEMPERATURES, key=lambda one: _loss(logits / one, labels))
    return {
        "temperature": round(best, 3),
        "pairs": len(labels),
        "loss": round(_loss(logits, labels), 4),
        "loss calibrated": round(_loss(logits / best, labels), 4),
        "calibration error": round(_miscalibrated(logits, labels), 4),
        "calibration error calibrated": round(_miscalibrated(logits / best, labels), 4),
        "macro_f1": round(macro_f1(labels, logits.argmax(axis=1)), 4),
    }


def chances_of(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn logits into probabilities."""
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    found: NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
    return found


def _loss(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    return float(-np.log(chances_of(logits)[np.arange(len(labels)), labels] + 1e-12).mean())


def _miscalibrated(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    chances = chances_of(logits)
    sure, right = chances.max(axis=1), chances.argmax(axis=1) == labels
    bins = np.minimum((sure * 10).astype(int), 9)
    return sum(abs(float(sure[bins == one].sum() - right[bins == one].sum())) for one in range(10)) / len(labels)
