"""Models in this process, transformers' too: one call at a time, in a thread of its own that a caller can leave."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from contextlib import closing
from functools import cached_property
from importlib.util import find_spec
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final, Literal

from ..errors import ModelError, ModelUnavailableError, SettingsError, install_line
from . import wire
from .protocol import CONTEXT, Bounds, Reply, Request, require_room
from .wire import visible, with_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from ..settings import Settings


class LocalModel(ABC):
    """A model in this process; without a `context` in its files, one of usual size is taken."""

    estimates: Final = False
    small = False
    held = False  # whether its runtime lets it write nothing but what fits a schema, so that no words need to say that

    def __init__(self, name: str, context: int | None, settings: Settings) -> None:
        self.name = name
        told = context or CONTEXT
        self.context = min(settings.model_context or told, told)
        self._bounds = Bounds(1, settings.model_timeout)

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Name, SHA-256 of the files and release of the runtime."""

    @abstractmethod
    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text."""

    @abstractmethod
    def _generate(self, request: Request, asked: Request, put: Callable[[str], bool]) -> Reply:
        """Answer a request, of which `asked` is what the model reads; end early when `put` gives False."""

    def complete(self, request: Request) -> Reply:
        """Answer a request; see `Model`."""
        *_, reply = self.stream(request)
        assert not isinstance(reply, str)
        return reply

    def stream(self, request: Request) -> Generator[str | Reply]:
        """Answer a request piece by piece; see `Model`."""
        asked = request if request.schema is None or self.held else with_schema(request)
        require_room(self, asked)
        with self._bounds.slot(), closing(streamed(lambda put: self._generate(request, asked, put))) as pieces:
            yield from pieces

    def _failed(self, error: Exception) -> ModelUnavailableError:
        return ModelUnavailableError(f"{self.name} fails: {_line(error)}")


def not_loaded(path: Path, error: Exception) -> ModelError:
    """Say that a model's files cannot be loaded."""
    return ModelError(f"{path} cannot be loaded: {_line(error)}")


def mute(path: Path) -> ModelError:
    """Say that a model has no chat template."""
    return ModelError(f"{path} has no chat template, so that it cannot be talked to; take an `Instruct` model")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def streamed(generate: Callable[[Callable[[str], bool]], Reply]) -> Generator[str | Reply]:
    """Run a model in a thread, and hand on its pieces, then the reply; what it writes to itself is held back.

    A caller that leaves, or is interrupted, ends the thread: `put`, which takes a piece, gives False then.
    """
    come: SimpleQueue[str | Reply | BaseException] = SimpleQueue()
    left = Event()

    def put(piece: str) -> bool:
        come.put(piece)
        return not left.is_set()

    def run() -> None:
        try:
            come.put(generate(put))
        except BaseException as error:  # noqa: BLE001 # the caller raises it
            come.put(error)

    ended: list[Reply | BaseException] = []

    def texts() -> Iterator[str]:
        while isinstance(one := come.get(), str):
            yield one
        ended.append(one)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield from visible(texts())
    finally:
        left.set()
        thread.join()
    (last,) = ended
    if isinstance(last, BaseException):
        raise last
    yield last


Kind = Literal["seq2seq", "causal"]
_SEQ2SEQ: Final = ("ForConditionalGeneration", "WithLMHeadModel")
_CONTEXTS: Final = ("max_position_embeddings", "n_positions")


class TransformersModel(LocalModel):
    """A model of a folder."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._kind, self._folder = readable(folder), folder
        self._tokenizer, self._model = _load(folder, self._kind, settings.threads)
        if self._kind == "causal" and not self._tokenizer.chat_template:
            raise mute(folder)
        context = next((n for name in _CONTEXTS if (n := getattr(self._model.config, name, None))), None)
        super().__init__(f"transformers:{folder.name}", context, settings)

    @cached_property
    def fingerprint(self) -> str:
        """Name, SHA-256 of the folder's weights and settings, and release of the library."""
        import transformers

        digest = hashlib.sha256()
        for path in sorted(self._folder.iterdir()):
            if path.suffix in {".json", ".safetensors", ".bin"}:
                with path.open("rb") as file:
                    digest.update(path.name.encode() + hashlib.file_digest(file, "sha256").digest())
        return f"{self.name}@{digest.hexdigest()[:16]}, transformers {transformers.__version__}"

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text."""
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _generate(self, request: Request, asked: Request, put: Callable[[str], bool]) -> Reply:
        import torch
        import transformers

        inputs = self._encoded(asked)
        read = int(inputs["input_ids"].shape[1])
        start = read if self._kind == "causal" else 1
        writer = _Writer(lambda ids: self._tokenizer.decode(ids[start:], skip_special_tokens=True), request.stop, put)
        options: dict[str, Any] = {"max_new_tokens": request.max_tokens, "do_sample": request.temperature > 0}
        if request.temperature > 0:
            options["temperature"] = request.temperature
        told = request.decoding
        options |= {"min_new_tokens": told.min_tokens, "repetition_penalty": told.repetition_penalty}
        # Beams swap places, so that nothing of a reply is settled before its end.
        options |= {"num_beams": told.beams} if told.beams > 1 else {"num_beams": 1, "stopping_criteria": [writer]}
        if request.seed is not None:
            transformers.set_seed(request.seed)
        try:
            with torch.inference_mode():
                made = self._model.generate(**inputs, **options)[0]
        except (RuntimeError, ValueError) as error:
            raise self._failed(error) from error
        if told.beams > 1:
            writer(made.unsqueeze(0), None)
        written = len(made) - start
        finish = "stop" if writer.stopped or written < request.max_tokens else "length"
        choice = wire.Choice(wire.Turn(writer.ended()), finish_reason=finish)
        return wire.whole(wire.Completion([choice], wire.WireUsage(read, written)), request, self.name, "text")

    def _encoded(self, asked: Request) -> Any:
        if self._kind == "seq2seq":
            return self._tokenizer("\n\n".join(m.content for m in asked.messages), return_tensors="pt")
        turns = [{"role": message.role, "content": message.content} for message in asked.messages]
        return self._tokenizer.apply_chat_template(
            turns, add_generation_prompt=True, return_tensors="pt", return_dict=True
        )


class _Writer:
    """A criterion of transformers that says when to end, and hands on the text but for what may be a stop string."""

    def __init__(self, decode: Callable[[Any], str], stops: tuple[str, ...], put: Callable[[str], bool]) -> None:
        self._decode, self._stops, self._put = decode, stops, put
        self._held = max(map(len, stops), default=1) - 1
        self._text, self._told = "", 0
        self.stopped = False

    def __call__(self, ids: Any, scores: Any, **_: Any) -> Any:  # noqa: ARG002 # as all criteria
        import torch

        self._text = self._decode(ids[0])
        found = [self._text.index(stop) for stop in self._stops if stop in self._text]
        self.stopped = bool(found)
        self._text = self._text[: min(found)] if found else self._text
        whole = 0 if self._text.endswith("\ufffd") else len(self._text) - self._held  # a half character is no text yet
        wanted = self._emit(whole)
        return torch.full((len(ids),), self.stopped or not wanted, dtype=torch.bool, device=ids.device)

    def ended(self) -> str:
        """Hand on what was held back, and give the whole text."""
        self._emit(len(self._text))
        return self._text

    def _emit(self, end: int) -> bool:
        piece, self._told = self._text[self._told : end], max(self._told, end)
        return self._put(piece)


def readable(folder: Path) -> Kind:
    """Look for the extra (SettingsError), and whether a folder holds a model that writes (ModelError); load nothing."""
    if find_spec("transformers") is None or find_spec("torch") is None:
        raise SettingsError(f"MEDGRAPH_MODEL=transformers:… needs an extra; {install_line('train')}")
    try:
        built = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("architectures") or [""]
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(f"{folder} is no folder of transformers: its config.json cannot be read: {error}") from None
    if built[0].endswith("ForCausalLM"):
        return "causal"
    if built[0].endswith(_SEQ2SEQ):
        return "seq2seq"
    raise ModelError(f"{folder} holds {built[0] or 'a model of no kind'}, which does not write texts; take another")


def _load(folder: Path, kind: Kind, threads: int) -> tuple[Any, Any]:
    import torch
    import transformers

    if threads:
        torch.set_num_threads(threads)
    loader = transformers.AutoModelForCausalLM if kind == "causal" else transformers.AutoModelForSeq2SeqLM
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        return tokenizer, loader.from_pretrained(folder, local_files_only=True).eval()
    except Exception as error:  # damaged files fail in many ways
        raise not_loaded(folder, error) from error
