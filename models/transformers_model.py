"""A folder of transformers in this process: seq2seq models such as BART or T5, or causal ones by their chat template.

It needs the extra `train`. Nothing but a folder is taken, and no code of it is run.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Literal

from ..errors import ModelError, ModelReplyError, ModelUnavailableError, SettingsError
from . import wire
from .bounds import Bounds
from .local import streamed
from .protocol import CONTEXT, require_room
from .structured import with_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from ..settings import Settings
    from .protocol import Reply, Request

Kind = Literal["seq2seq", "causal"]
_SEQ2SEQ: Final = ("ForConditionalGeneration", "WithLMHeadModel")
_CONTEXTS: Final = ("max_position_embeddings", "n_positions")


class TransformersModel:
    """A model of a folder."""

    estimates: Final = False

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._kind = readable(folder)
        self._folder = folder
        self._tokenizer, self._model = _load(folder, self._kind, settings.threads)
        if self._kind == "causal" and not self._tokenizer.chat_template:
            raise ModelError(f"{folder} has no chat template, so that it cannot be talked to; take an `Instruct` model")
        self.name = f"transformers:{folder.name}"
        told = next((n for name in _CONTEXTS if (n := getattr(self._model.config, name, None))), CONTEXT)
        self.context = min(settings.model_context or told, told)
        self._bounds = Bounds(1, settings.model_timeout)

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
        """Count the tokens of a text.

        Args:
            text: Any text.

        Returns:
            The number.
        """
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def complete(self, request: Request) -> Reply:
        """Answer a request; see `Model`.

        Args:
            request: The request.

        Returns:
            The whole reply.
        """
        *_, reply = self.stream(request)
        assert not isinstance(reply, str)
        return reply

    def stream(self, request: Request) -> Generator[str | Reply]:
        """Answer a request piece by piece; see `Model`.

        Args:
            request: The request.

        Yields:
            Pieces of the text, and the whole reply last.
        """
        asked = request if request.schema is None else with_schema(request)
        require_room(self, asked)
        with self._bounds.slot(), closing(streamed(lambda put: self._generate(request, asked, put))) as pieces:
            yield from pieces

    def _generate(self, request: Request, asked: Request, put: Callable[[str], bool]) -> Reply:
        import torch
        import transformers

        inputs = self._encoded(asked)
        streamer = _streamer(self._tokenizer, put, skip_prompt=self._kind == "causal")
        options: dict[str, Any] = {"max_new_tokens": request.max_tokens, "do_sample": request.temperature > 0}
        if request.temperature > 0:
            options["temperature"] = request.temperature
        if request.stop:
            options |= {"stop_strings": list(request.stop), "tokenizer": self._tokenizer}
        if request.seed is not None:
            transformers.set_seed(request.seed)
        try:
            with torch.inference_mode():
                made = self._model.generate(**inputs, streamer=streamer, num_beams=1, **options)[0]
        except _LeftError:
            raise ModelReplyError("the caller left") from None
        except RuntimeError as error:
            raise ModelUnavailableError(f"{self.name} fails: {' '.join(str(error).split())[:200]}") from error
        read = int(inputs["input_ids"].shape[1])
        return self._reply(request, made[read if self._kind == "causal" else 1 :].tolist(), read)

    def _encoded(self, asked: Request) -> Any:
        if self._kind == "seq2seq":
            return self._tokenizer("\n\n".join(m.content for m in asked.messages), return_tensors="pt")
        turns = [{"role": message.role, "content": message.content} for message in asked.messages]
        return self._tokenizer.apply_chat_template(
            turns, add_generation_prompt=True, return_tensors="pt", return_dict=True
        )

    def _reply(self, request: Request, written: list[int], read: int) -> Reply:
        text = self._tokenizer.decode(written, skip_special_tokens=True)
        stopped = [text.index(stop) for stop in request.stop if stop in text]
        finish = "stop" if stopped or len(written) < request.max_tokens else "length"
        choice = wire.Choice(wire.Turn(text[: min(stopped)] if stopped else text), finish_reason=finish)
        completion = wire.Completion([choice], wire.WireUsage(read, len(written)))
        return wire.whole(completion, request, self.name, "text")


class _LeftError(Exception):
    """The caller wants no more."""


def _streamer(tokenizer: Any, put: Callable[[str], bool], *, skip_prompt: bool) -> Any:
    from transformers import TextStreamer

    class Streamer(TextStreamer):  # type: ignore[misc] # transformers is not typed here
        def on_finalized_text(self, text: str, stream_end: bool = False) -> None:  # noqa: ARG002
            if text and not put(text):
                raise _LeftError

    return Streamer(tokenizer, skip_prompt=skip_prompt, skip_special_tokens=True)


def readable(folder: Path) -> Kind:
    """Make sure that the extra is there, and that a folder holds a model that writes; the model is not loaded.

    Args:
        folder: The folder.

    Returns:
        The kind of model.

    Raises:
        SettingsError: The extra is not installed.
        ModelError: The folder holds no such model.
    """
    if find_spec("transformers") is None or find_spec("torch") is None:
        raise SettingsError("MEDGRAPH_MODEL=transformers:… needs an extra: pip install 'medgraph[train]'")
    try:
        built = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("architectures") or [""]
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(
            f"{folder} is no folder of a transformers model: config.json cannot be read: {error}"
        ) from None
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
        raise ModelError(f"{folder} cannot be loaded: {' '.join(str(error).split())[:200]}") from error
