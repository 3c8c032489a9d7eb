"""Tune a causal language model on consultations by LoRA (Hu et al., "LoRA", ICLR 2022), with PEFT.

The paper's defaults are rank 16, alpha 16 and a learning rate of 2e-5 (ILlama). The loss is of the reply alone. The
result is a whole model, with the adapter merged into it, that `MEDGRAPH_MODEL=transformers:FOLDER` opens.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Final
from warnings import catch_warnings, simplefilter

import msgspec

from medgraph.answers.generated import schema_of
from medgraph.answers.pipelines.papers import rouge_l
from medgraph.answers.pipelines.stages import sentences_in
from medgraph.answers.prompting import NumberedEvidence, escaped, fenced, prompt
from medgraph.embeddings.encoders.layers import CARD
from medgraph.errors import InputError, ModelError
from medgraph.files import json_lines
from medgraph.models.local import mute, not_loaded, readable
from medgraph.models.protocol import Request
from medgraph.models.wire import with_schema
from medgraph.progress import note

from ..evaluation.statistics import number
from .library import arguments, library, place_of, run, tidy, write_model

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medgraph.models.protocol import Message

    Row = dict[str, list[int]]


_Text = Annotated[str, msgspec.Meta(min_length=1)]

HELD: Final = 10  # one of so many messages is held out, to measure the loss by
SAVE_EVERY: Final = 10  # steps between two checkpoints
_NO_LOSS: Final = -100  # the label of a token that the loss leaves out


@dataclass(frozen=True, slots=True)
class Consultation:
    """A question with the answer that is wanted."""

    told: str  # what the person says
    turns: tuple[Message, ...]  # what the model reads: a system turn and a user turn
    reply: str  # what the model should write: the JSON of the prompt
    cites: bool  # whether a sentence of the reply cites evidence


class _Sentence(msgspec.Struct):
    text: _Text
    ids: list[str]


class _Line(msgspec.Struct):
    answer: _Text | list[_Sentence]
    question: str = ""
    message: str = ""
    evidence: list[_Text] = []  # msgspec copies it


def load(path: Path) -> list[Consultation]:
    """Read consultations.

    Args:
        path: A file of JSON lines, each with `question`, `message` or both, `answer`, and where there is some
            `evidence`, a list of texts. An answer is a text, or a list of sentences as `{"text": …, "ids": ["S1"]}`.

    Raises:
        InputError: A line is no such object, or the file has none; the message names file and line.
    """
    found = []
    for place, line in json_lines(path, _Line, "consultation"):
        try:
            found.append(_consultation(line))
        except ValueError as error:
            raise InputError(f"{path}:{place}: this is no consultation: {error}") from None
    if not found:
        raise InputError(f"{path} has no consultation; give a line of JSON with question and answer for each")
    return found


def _consultation(line: _Line) -> Consultation:
    whole, question = (" ".join(text.split()) for text in (line.message, line.question))
    if not whole and not question:
        raise ValueError("it has neither question nor message")
    items = [NumberedEvidence(f"S{number}", text) for number, text in enumerate(line.evidence, start=1)]
    known = [item.id for item in items]
    if isinstance(line.answer, str):
        sentences = [_Sentence(text, _nearest(text, items)) for text in sentences_in(line.answer)]
    else:
        sentences = line.answer
    for name in (name for one in sentences for name in one.ids if name not in known):
        raise ValueError(f"the answer cites {name!r}, and evidence is {', '.join(known) or 'none'}")
    told = {"whole": escaped(whole or question), "question": escaped(question or whole)}
    # As a model in this process is asked, which nothing but these words holds to the schema.
    asked = with_schema(Request(prompt("consult").fill(**told, evidence=fenced(items)), schema_of(known)))
    reply = json.dumps({"sentences": msgspec.to_builtins(sentences)}, ensure_ascii=False)
    return Consultation(whole or question, asked.messages, reply, any(one.ids for one in sentences))


def _nearest(text: str, items: Sequence[NumberedEvidence]) -> list[str]:
    """Give the evidence that is nearest to a sentence by ROUGE-L, where any has a word of it."""
    scores = {item.id: rouge_l(text, item.text) for item in items}
    best = max(scores, key=scores.__getitem__, default="")
    return [best] if scores.get(best) else []


@dataclass(frozen=True, slots=True)
class Options:
    """How to train."""

    epochs: int = 3
    batch: int = 4  # consultations a step
    rank: int = 16  # the rank of the adapter
    alpha: int = 16  # what the adapter's changes are multiplied by, divided by the rank
    rate: float = 2e-5
    tokens: int = 2048  # consultations that are longer are left out
    seed: int = 7


def train(
    base: Path, consultations: Sequence[Consultation], folder: Path, options: Options, licence: str, minutes: float
) -> dict[str, Any]:
    """Train for some minutes, 0 for all, and write model and card; what was interrupted gives `step` and `steps`."""
    with library():
        import peft  # noqa: F401 # what follows needs it
        import torch
        import transformers
    began = monotonic()
    place = place_of(folder, _files(base), asdict(options), [asdict(one) for one in consultations])
    if done := _done(folder, place):
        return done
    tokenizer, model = _opened(base, transformers)
    learned, held = _apart(consultations, tokenizer, model, options)
    torch.manual_seed(options.seed)
    trainer = _trainer(_adapted(model, options), tokenizer, learned, held, place, options)
    if minutes:
        trainer.add_callback(_until(began + 60 * minutes))
    before = _loss(trainer)
    run(trainer, place)
    if trainer.state.global_step < trainer.state.max_steps:
        return {"step": trainer.state.global_step, "steps": trainer.state.max_steps}
    card = {
        "writes": "consultations, as the pipeline `consult` asks for them",
        "base": base.resolve().name,
        "options": asdict(options),
        "run": place.name,
        "consultations": len(learned),
        "held out": len(held),
        "left out": len(consultations) - len(learned) - len(held),
        "without citations": sum(not one.cites for one in consultations),
        "licence of the consultations": licence or "not told",
        "loss before": before,
        "loss after": _loss(trainer),
        "seconds": round(monotonic() - began),
    }
    write_model(trainer.model.merge_and_unload(), tokenizer, folder, card)
    tidy(folder)
    return card


def _files(base: Path) -> list[Any]:
    """Tell a model from others by the names and sizes of its files."""
    if (kind := readable(base)) != "causal":
        raise ModelError(f"{base} holds a model of the kind {kind}; consultations are learned by a causal one")
    return sorted((path.name, path.stat().st_size) for path in base.iterdir() if path.is_file())


def _done(folder: Path, place: Path) -> dict[str, Any] | None:
    """Give the card of a training that ended; a folder that holds anything else than this training is refused."""
    if not folder.is_dir() or not any(folder.iterdir()) or place.is_dir():
        return None
    try:
        card: dict[str, Any] = json.loads((folder / CARD).read_bytes())
        ended = card.get("run") == place.name
    except (OSError, ValueError, AttributeError):
        ended = False
    if not ended:
        raise InputError(
            f"{folder} holds something else, or a training of another model, other consultations or other options; "
            "name another folder, or take it away"
        )
    return card


def _opened(base: Path, transformers: Any) -> tuple[Any, Any]:
    """Load a model in single precision: small changes would be lost in a shorter one."""
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(base, local_files_only=True)
        model = transformers.AutoModelForCausalLM.from_pretrained(base, local_files_only=True, dtype="float32")
    except Exception as error:  # damaged files fail in many ways
        raise not_loaded(base, error) from error
    if not tokenizer.chat_template:
        raise mute(base)
    if getattr(model.config, "quantization_config", None):
        raise ModelError(f"{base} holds quantized weights, which no adapter is merged into; take the whole model")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, model


def _adapted(model: Any, options: Options) -> Any:
    from peft import LoraConfig, get_peft_model

    sizes = {"r": options.rank, "lora_alpha": options.alpha}
    with catch_warnings():
        simplefilter("ignore", FutureWarning)  # PEFT reads what transformers has renamed
        return get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", target_modules="all-linear", **sizes))


def _trainer(model: Any, tokenizer: Any, learned: list[Row], held: list[Row], place: Path, options: Options) -> Any:
    import transformers

    sizes = dict.fromkeys(("per_device_train_batch_size", "per_device_eval_batch_size"), options.batch)
    more = {"num_train_epochs": options.epochs, "save_steps": SAVE_EVERY, "label_names": ["labels"], **sizes}
    return transformers.Trainer(
        model=model,
        args=transformers.TrainingArguments(**arguments(place, options.rate, options.seed, **more)),
        train_dataset=learned,
        eval_dataset=held,
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, label_pad_token_id=_NO_LOSS),
    )


def _row(one: Consultation, tokenizer: Any) -> Row:
    """Give the tokens of a chat, of which those of the reply are learned, with the one that ends it."""
    turns = [{"role": turn.role, "content": turn.content} for turn in one.turns]
    read = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_dict=True)["input_ids"]
    written = [*tokenizer(one.reply, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]
    return {"input_ids": [*read, *written], "labels": [_NO_LOSS] * len(read) + written}


def _apart(
    consultations: Sequence[Consultation], tokenizer: Any, model: Any, options: Options
) -> tuple[list[Row], list[Row]]:
    """Hold out a tenth, and at least one; the same message is on one side. What is too long is left out."""
    most = min(options.tokens, getattr(model.config, "max_position_embeddings", options.tokens))
    rows = [(one.told, row) for one in consultations if len((row := _row(one, tokenizer))["labels"]) <= most]
    if left_out := len(consultations) - len(rows):
        note(f"{left_out:,} of {len(consultations):,} consultations are longer than {most:,} tokens, and are left out")
    order = sorted({told for told, _ in rows}, key=number)
    if len(order) < 2:
        raise InputError(f"two messages of at most {most:,} tokens are needed, one to learn from and one to measure by")
    held = {*order[: max(1, len(order) // HELD)]}
    return [row for told, row in rows if told not in held], [row for told, row in rows if told in held]


def _loss(trainer: Any) -> float:
    return round(float(trainer.evaluate()["eval_loss"]), 4)


def _until(end: float) -> Any:
    """Make what stops a training, with a checkpoint, when the time is over."""
    from transformers import TrainerCallback

    class Until(TrainerCallback):  # type: ignore[misc] # the library is not typed here
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002 # as all callbacks
            if monotonic() >= end:
                control.should_save = control.should_training_stop = True

    return Until()
