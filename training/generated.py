"""Questions for passages that a seq2seq model makes, to train on (GenQ; Thakur et al., "BEIR", 2021).

The model is a folder of transformers, such as one of doc2query's T5 (Nogueira and Lin, 2019); none comes with medgraph
and none is fetched. What it makes is written down as it comes, so that an interruption loses nothing, and kept where a
question is like a patient's, is read as asking for the section's kind, and finds its section: what questions that are
made by rule have to pass, too (`queries.made_questions`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from ..errors import InputError
from ..evaluation.questions import number
from ..progress import progress
from ..queries import patients
from ..queries.made_questions import FIRST, Made, asks_for
from ..queries.patients import LEAST, SLOT
from .base import lacking
from .matches import Match, topic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from .corpus import Embedded
    from .dimensions import Encodes
    from .questions import Example

FILE: Final = "generated.jsonl"
PASSAGE_TOKENS: Final = 384
QUESTION_TOKENS: Final = 48
LIKELIEST: Final = 10
"""Words that each next one is drawn from, as doc2query does."""

_SAVED: Final = 20
"""Passages after which what was made is on disk."""


class Asks(Protocol):
    """Makes questions."""

    @property
    def name(self) -> str:
        """Which model it is."""

    def ask(self, text: str, count: int, seed: int) -> list[str]:
        """Make questions for a passage."""


class Generator:
    """A seq2seq model that asks what a passage answers.

    Args:
        folder: The model's folder.

    Raises:
        InputError: It has no such model, or torch and transformers are not installed.
    """

    def __init__(self, folder: Path) -> None:
        try:
            import torch
            from transformers import AutoConfig, AutoModelForSeq2SeqLM, AutoTokenizer
        except ImportError as error:
            raise InputError(lacking(error)) from error
        remedy = "give a folder of transformers with a seq2seq model, such as doc2query's T5"
        try:
            config = AutoConfig.from_pretrained(folder, local_files_only=True)
        except Exception as error:  # transformers raises errors of several libraries
            raise InputError(f"{folder} is no model folder ({_line(error)}); {remedy}") from error
        if not config.is_encoder_decoder:
            raise InputError(f"{folder} has a model of type {config.model_type!r}, which is no seq2seq model; {remedy}")
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self._model: Any = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True).eval()
        except Exception as error:  # as above
            raise InputError(f"{folder} cannot be loaded ({_line(error)}); {remedy}") from error
        self._torch = torch
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model.to(self._device)
        self.name = f"{folder.name}-{_digest(folder)}"

    def ask(self, text: str, count: int, seed: int) -> list[str]:
        """Make questions for a passage.

        Args:
            text: The passage.
            count: How many are drawn; those that are the same are given once.
            seed: Of what is drawn.

        Returns:
            The questions; fewer where the model says the same, or nothing.
        """
        self._torch.manual_seed(seed)
        given = self._tokenizer(text, truncation=True, max_length=PASSAGE_TOKENS, return_tensors="pt")
        with self._torch.no_grad():
            drawn = self._model.generate(
                input_ids=given["input_ids"].to(self._device),
                attention_mask=given["attention_mask"].to(self._device),
                do_sample=True,
                top_k=LIKELIEST,
                num_return_sequences=count,
                max_new_tokens=QUESTION_TOKENS,
            )
        texts = (" ".join(one.split()) for one in self._tokenizer.batch_decode(drawn, skip_special_tokens=True))
        return list(dict.fromkeys(text for text in texts if text))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be made.

    Attributes:
        passages: Passages to ask for, at most; the same ones each time.
        each: Questions of each.
        seed: Of what is drawn.
    """

    passages: int = 1000
    each: int = 3
    seed: int = 7


def generate(
    generator: Asks, examples: Sequence[Example], passages: Embedded, wanted: Wanted, folder: Path
) -> dict[str, list[str]]:
    """Make questions for sections; what was made before an interruption is taken as it is.

    Args:
        generator: Makes them.
        examples: The sections.
        passages: Their chunks; the first of each is asked for.
        wanted: How many.
        folder: Where what is made is written down, as `generated.jsonl`.

    Returns:
        Section → questions.

    Raises:
        InputError: The folder has questions of another model, or other options, or a damaged file.
        OSError: The folder cannot be written.
    """
    rows = passages.rows()
    chosen = sorted((one.section for one in examples if one.section in rows), key=number)[: wanted.passages]
    of = {"generator": generator.name, "each": wanted.each, "seed": wanted.seed}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    found = _read(path, of)
    with path.open("a", encoding="utf-8") as file, progress("asking for passages", "passage", len(chosen)) as bar:
        if not found and not path.stat().st_size:
            file.write(f"{json.dumps(of)}\n")
        for place, section in enumerate(chosen):
            if section not in found:
                row = rows[section][0]
                seed = number(f"{wanted.seed} {section}")
                texts = generator.ask(f"{passages.titles[row]}. {passages.texts[row]}", wanted.each, seed)
                found[section] = texts
                file.write(f"{json.dumps({'section': section, 'questions': texts}, ensure_ascii=False)}\n")
                if place % _SAVED == 0:
                    file.flush()
            bar.update(1)
    return {section: found[section] for section in chosen}


def sift(
    made: Mapping[str, Sequence[str]], examples: Sequence[Example], passages: Embedded, encoder: Encodes
) -> tuple[list[Match], Made]:
    """Keep questions like a patient's that ask for their section, and find it.

    Args:
        made: Section → questions.
        examples: The sections.
        passages: The chunks that a section must be found among.
        encoder: Made the chunks' vectors.

    Returns:
        A match a section that a question is left of, and how many were kept and why not.
    """
    of = {one.section: one for one in examples}
    counts = dict.fromkeys(("tried", "unlike", "misread", "unfound", "kept"), 0)
    asking: list[tuple[Example, str]] = []
    for section, texts in made.items():
        for text in texts:
            counts["tried"] += 1
            if _likeness(text, of[section].names) < LEAST:
                counts["unlike"] += 1
            elif not asks_for(text, of[section].type):
                counts["misread"] += 1
            else:
                asking.append((of[section], text))
    kept: dict[str, list[str]] = {}
    for (example, text), found in zip(asking, _found(asking, passages, encoder), strict=True):
        counts["kept" if found else "unfound"] += 1
        if found:
            kept.setdefault(example.section, []).append(text)
    return [_match(of[section], texts, passages) for section, texts in kept.items()], Made(len(made), **counts)


def _match(example: Example, texts: Sequence[str], passages: Embedded) -> Match:
    row = passages.sections.index(example.section)
    tells = frozenset(topic(subject, example.type) for subject in example.subjects)
    return Match(texts, (f"{passages.titles[row]}\n{passages.texts[row]}",), tells)


def _likeness(text: str, names: Sequence[str]) -> float:
    """Tell how likely a patient asks so, with what it is about taken out where it is named."""
    for name in sorted(names, key=len, reverse=True):
        at = text.lower().find(name.lower())
        if at >= 0:
            return patients.model().likeness(f"{text[:at]}{SLOT}{text[at + len(name) :]}", text[at : at + len(name)])
    return patients.model().likeness(text, "")


def _found(asking: Sequence[tuple[Example, str]], passages: Embedded, encoder: Encodes) -> list[bool]:
    """Tell which questions have what answers them among the sections that are nearest."""
    if not asking:
        return []
    vectors, values = encoder.encode([text for _, text in asking]), passages.units()
    return [
        _rank(example, values @ vector, passages.sections) <= FIRST
        for (example, _), vector in zip(asking, vectors, strict=True)
    ]


def _rank(example: Example, near: NDArray[np.float32], sections: Sequence[str]) -> int:
    """Count the sections that are as near as the nearest that answers, that included."""
    order = np.argsort(-near, kind="stable").tolist()
    seen: set[str] = set()
    for row in order:
        if sections[row] in example.answers:
            return len(seen) + 1
        seen.add(sections[row])
        if len(seen) >= FIRST:
            break
    return FIRST + 1


def _read(path: Path, of: Mapping[str, Any]) -> dict[str, list[str]]:
    """Read what was made before; a last line that was cut off is taken away."""
    if not path.is_file() or not path.stat().st_size:
        return {}
    remedy = "delete it, or choose another folder"
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        path.write_bytes(whole)
    try:
        head, *rows = [json.loads(line) for line in whole.splitlines()] or [of]
        found = {str(row["section"]): [str(text) for text in row["questions"]] for row in rows}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error}); {remedy}") from error
    if head != of:
        raise InputError(f"{path} was made by another model or with other options; {remedy}")
    return found


def _digest(folder: Path) -> str:
    """Tell models apart by their weights."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*")):
        if path.suffix in {".safetensors", ".bin"}:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:8]


def _line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
