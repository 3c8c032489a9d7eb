"""Train what recognises emergencies: the upper layers of the default encoder, and a linear layer over its vectors.

It learns from texts that were written for it (`emergencies/*.jsonl`, a file a writer): messages that tell of one of
some 80 emergencies, near misses with the same words, and ordinary questions; and from questions of RQE and
messages of MeQSum, half dev, as far as the layers that stand see none in them.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.encoder import HEAD, SCALE
from medgraph.embeddings.encoders.layers import PREFIX
from medgraph.embeddings.encoders.model_files import WEIGHTS, read_json, read_weights

from ..evaluation.emergencies import NONE
from .library import MEQSUM, RQE, arguments, freeze, library, place_of, run, tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..evaluation.emergencies import Text

TEXTS: Final = Path(__file__).with_name("emergencies")
TOKENS: Final = 192
BUCKET: Final = 16  # batches that are cut of texts sorted by length, so that little of them is padding
HEAD_WEIGHT: Final = 0.5  # how much the kind counts beside whether there is an emergency at all; set by hand
_MARKS: Final = re.compile(r"[.,!?;:]")


@dataclass(frozen=True, slots=True)
class Options:
    """How to train."""

    epochs: int = 4
    batch: int = 32
    rate: float = 2e-4
    frozen: int = 2  # the lowest layers, which stay as they are
    seed: int = 7


def train(
    base: Path, texts: Sequence[Text], plain: Sequence[str], folder: Path, options: Options, onto: Path | None = None
) -> dict[str, Any]:
    """Train, `onto` layers if any, and write layers and card; what was interrupted goes on where it stopped."""
    with library():
        import torch
        import transformers
    began, rng = monotonic(), Random(options.seed)  # noqa: S311 # not for secrets
    rows = [*((one.text, one.kind) for one in texts), *((text, NONE) for text in plain)]
    kinds = [NONE, *sorted({kind for _, kind in rows} - {NONE})]
    place = place_of(folder, base.name, asdict(options), rows)
    torch.manual_seed(options.seed)
    tokenizer = transformers.AutoTokenizer.from_pretrained(base, local_files_only=True)
    body = transformers.AutoModel.from_pretrained(base, local_files_only=True)
    freeze(body, options.frozen)
    model = _module(torch, body, len(kinds))
    if onto:
        _go_on(torch, model, onto, base)
    more = {"num_train_epochs": options.epochs, "per_device_train_batch_size": 1, "label_names": ["labels"]}
    trainer = transformers.Trainer(
        model=model,
        args=transformers.TrainingArguments(**arguments(place, options.rate, options.seed, **more)),
        train_dataset=_batches(rows, kinds, options, rng),
        data_collator=_collator(tokenizer, rng),
    )
    run(trainer, place)
    card = {
        "tells": "kinds of emergency that a message tells of",
        "base": base.name,
        "kinds": kinds,
        "texts": len(texts),
        "plain questions and messages": len(plain),
        "writers": sorted({one.writer for one in texts}),
        "sources of these": [RQE, MEQSUM],
        "options": asdict(options),
        "onto": read_json(onto / layers.CARD)["sha256"] if onto else None,
        "seconds": round(monotonic() - began),
    }
    whole = layers.write(_trained(model, options.frozen), base / WEIGHTS, folder, card)
    tidy(folder)
    return whole


def _trained(model: Any, frozen: int) -> dict[str, Any]:
    """Give the weights that were trained, by name: those of layers above the `frozen` ones, and of the linear layer."""
    state, below = model.state_dict(), tuple(f"body.{PREFIX}layer.{number}." for number in range(frozen))
    named = {name: value.float().numpy() for name, value in state.items() if not name.startswith(below)}
    return {
        name.removeprefix("body."): value for name, value in named.items() if name.startswith((f"body.{PREFIX}", HEAD))
    }


def _go_on(torch: Any, model: Any, onto: Path, base: Path) -> None:
    """Give a model the weights of trained layers, and of the linear layer over them."""
    known = layers.load(onto, read_weights(base / WEIGHTS))
    named = ((name if name.startswith(HEAD) else f"body.{name}", one) for name, one in known.items())
    model.load_state_dict({name: torch.tensor(one).float() for name, one in named}, strict=False)


def _module(torch: Any, body: Any, kinds: int) -> Any:
    """Join a body and a linear layer; the loss is of whether there is an emergency, and of which kind."""

    class Classifier(torch.nn.Module):  # type: ignore[misc] # torch is imported when training starts
        def __init__(self) -> None:
            super().__init__()
            self.body, self.head = body, torch.nn.Linear(body.config.hidden_size, kinds)

        def forward(self, input_ids: Any, attention_mask: Any, labels: Any) -> dict[str, Any]:
            states = self.body(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state.float()
            pooled = (states * attention_mask.unsqueeze(-1)).sum(1)
            vectors = torch.nn.functional.normalize(pooled)
            vectors = torch.nn.functional.dropout(vectors, 0.1, training=self.training)
            logs = torch.log_softmax(self.head(vectors * SCALE), 1)
            told = torch.where(labels > 0, torch.logsumexp(logs[:, 1:], 1), logs[:, 0])
            return {"loss": HEAD_WEIGHT * torch.nn.functional.nll_loss(logs, labels) - told.mean(), "logits": logs}

    return Classifier()


def _batches(
    rows: Sequence[tuple[str, str]], kinds: Sequence[str], options: Options, rng: Random
) -> list[list[tuple[str, int]]]:
    """Cut texts into batches of like lengths; those of one epoch are those of the next, in another order."""
    numbers = {kind: number for number, kind in enumerate(kinds)}
    every = [(text, numbers[kind]) for text, kind in rows]
    rng.shuffle(every)
    size, batches = options.batch, []
    for start in range(0, len(every), size * BUCKET):
        several = sorted(every[start : start + size * BUCKET], key=lambda row: len(row[0]))
        batches += [several[at : at + size] for at in range(0, len(several), size)]
    return batches


def _collator(tokenizer: Any, rng: Random) -> Callable[[list[list[tuple[str, int]]]], dict[str, Any]]:
    def collate(batches: list[list[tuple[str, int]]]) -> dict[str, Any]:
        import torch

        (batch,) = batches
        texts = [_typed(text, rng) for text, _ in batch]
        told = tokenizer(texts, padding=True, truncation=True, max_length=TOKENS, return_tensors="pt")
        labels = torch.tensor([number for _, number in batch])
        return {"input_ids": told["input_ids"], "attention_mask": told["attention_mask"], "labels": labels}

    return collate


def _typed(text: str, rng: Random) -> str:
    """Leave out marks of a text at times, as people do who are in a hurry: they must not tell what it is."""
    if rng.random() < 0.25:
        text = " ".join(_MARKS.sub(" ", text).split())
    elif rng.random() < 0.2:
        text = text.rstrip("?!. ")
    return text or "."
