"""A GGUF file in this process, by openvino-genai (the extra `local`), and what the head of such a file says."""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from ..errors import ModelError, SettingsError, install_line
from ..models import wire
from .local import LocalModel, mute, not_loaded
from .wire import strict_schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ..settings import Settings
    from .protocol import Reply, Request

READ: Final = frozenset(("llama", "qwen2", "qwen3"))  # kinds of models that openvino-genai reads
# On tokens that come again in structured output, those of the prompt among them: without it small models repeat
# themselves, and 1.1 keeps them from the words of their evidence; tried on eight questions.
PENALTY: Final = 1.05
# Bytes of a file below which its model is small: about a billion parameters of 4 bits; set by hand.
SMALL: Final = 512 << 20
# Things of a list, choices of a list of these, and characters of a text, at most: small models never end them else.
LISTED: Final = 8
CHOSEN: Final = 3
WRITTEN: Final = 300


class OpenVinoModel(LocalModel):
    """A model of a GGUF file."""

    held = True

    def __init__(self, path: Path, settings: Settings, warning: str = "") -> None:
        super().__init__(f"gguf:{path.name}", readable(path).context, settings)
        self._path = path
        self.small = path.stat().st_size < SMALL
        self._warning = warning
        self._pipeline = _load(path, settings.threads)
        self._tokenizer = self._pipeline.get_tokenizer()
        if not self._tokenizer.chat_template:
            raise mute(path)

    @cached_property
    def fingerprint(self) -> str:
        """Name, SHA-256 of the file and release of the runtime."""
        import openvino_genai

        with self._path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return f"{self.name}@{digest[:16]}, openvino-genai {openvino_genai.get_version()}"

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text."""
        return int(self._tokenizer.encode(text, add_special_tokens=False).input_ids.shape[1]) if text else 0

    def _generate(self, request: Request, asked: Request, put: Callable[[str], bool]) -> Reply:
        import openvino_genai as genai

        turns = [{"role": message.role, "content": message.content} for message in asked.messages]

        def take(piece: str) -> Any:
            return genai.StreamingStatus.RUNNING if put(piece) else genai.StreamingStatus.CANCEL

        try:
            prompt = self._tokenizer.apply_chat_template(turns, add_generation_prompt=True)
            made = self._pipeline.generate([prompt], self._configured(request), take)
        except RuntimeError as error:
            raise self._failed(error) from error
        length = made.finish_reasons[0] == genai.GenerationFinishReason.LENGTH
        turn, metrics = wire.Turn(made.texts[0]), made.perf_metrics
        counted = wire.WireUsage(metrics.get_num_input_tokens(), metrics.get_num_generated_tokens())
        choice = wire.Choice(turn, finish_reason="length" if length else "stop")
        reply = wire.whole(wire.Completion([choice], counted), request, self.name, "json_schema")
        return replace(reply, remarks=(self._warning,) if self._warning else ())

    def _configured(self, request: Request) -> Any:
        import openvino_genai as genai

        config = self._pipeline.get_generation_config()
        config.apply_chat_template = False
        config.max_new_tokens = request.max_tokens
        config.do_sample = request.temperature > 0
        if config.do_sample:
            config.temperature = request.temperature
        if request.seed is not None:
            config.rng_seed = request.seed
        if request.stop:
            config.stop_strings = set(request.stop)
            config.include_stop_str_in_output = False
        config.min_new_tokens = request.decoding.min_tokens
        if request.decoding.repetition_penalty != 1:
            config.repetition_penalty = request.decoding.repetition_penalty
        if request.schema is not None:
            config.repetition_penalty = max(PENALTY, request.decoding.repetition_penalty)
            schema = json.dumps(ending(strict_schema(request)))
            config.structured_output_config = genai.StructuredOutputConfig(json_schema=schema)
        return config


def ending(schema: Any) -> Any:
    """Bound lists and texts of a JSON Schema that has no bounds; what fits it ends, but for blanks."""
    if isinstance(schema, list):
        return [ending(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    bounds = {"array": {"maxItems": CHOSEN if "enum" in schema.get("items", ()) else LISTED}}
    bounds["string"] = {} if "enum" in schema else {"maxLength": WRITTEN}
    kind = schema.get("type")
    more = bounds.get(kind, {}) if isinstance(kind, str) else {}
    return more | {key: ending(value) for key, value in schema.items()}


def readable(path: Path) -> Head:
    """Make sure that openvino-genai is there (SettingsError) and reads the file's kind (ModelError); load nothing."""
    if find_spec("openvino_genai") is None:
        raise SettingsError(f"MEDGRAPH_MODEL=gguf:… needs an extra; {install_line('local')}")
    head = read_head(path)
    if head.kind not in READ:
        raise ModelError(
            f"{path} holds a model of the kind {head.kind!r}, and openvino-genai reads {', '.join(sorted(READ))}; serve"
            " it by llama-cpp-python (pip install 'llama-cpp-python[server]', built from source in about 12 minutes;"
            f" python -m llama_cpp.server --model {path.name}), and set MEDGRAPH_MODEL to openai:NAME and"
            " OPENAI_BASE_URL to its address"
        )
    return head


def _load(path: Path, threads: int) -> Any:
    import openvino_genai

    try:
        return openvino_genai.LLMPipeline(str(path), "CPU", **({"INFERENCE_NUM_THREADS": threads} if threads else {}))
    except Exception as error:  # errors of several kinds come through from C++
        raise not_loaded(path, error) from error


MAGIC: Final = b"GGUF"
_SCALARS: Final = dict(enumerate(("B", "b", "H", "h", "I", "i", "f", "?"))) | {10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
MOST: Final = 1 << 24  # the longest list or text that a sound head has


@dataclass(frozen=True, slots=True)
class Head:
    """A model's architecture, such as `llama`, and how many tokens prompt and reply may have together, if it says."""

    kind: str
    context: int | None


def read_head(path: Path) -> Head:
    """Read the head of a GGUF file of version 2 or 3; ModelError where it is missing, damaged or none."""
    try:
        with path.open("rb") as file:
            if file.read(4) != MAGIC:
                raise ModelError(f"{path} is no GGUF file; set MEDGRAPH_MODEL to gguf: and the path of one")
            return _head(file)
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read: {error.strerror}; medgraph models list names models to fetch"
        ) from None
    except (struct.error, ValueError):
        raise ModelError(f"{path} is damaged: its head cannot be read; fetch it again") from None


def _head(file: BinaryIO) -> Head:
    _, _, count = _unpack(file, "IQQ")
    found: dict[str, Any] = {}
    for _ in range(count):
        key = _value(file, _STRING)
        found[key] = _value(file, _unpack(file, "I")[0])
        kind = found.get("general.architecture")
        if f"{kind}.context_length" in found:
            break
    kind = str(found["general.architecture"]) if "general.architecture" in found else ""
    return Head(kind, found.get(f"{kind}.context_length"))


def _unpack(file: BinaryIO, form: str) -> tuple[Any, ...]:
    return struct.unpack(f"<{form}", file.read(struct.calcsize(f"<{form}")))


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return file.read(_length(file)).decode(errors="replace")
    if kind == _ARRAY:
        inner = _unpack(file, "I")[0]
        return [_value(file, inner) for _ in range(_length(file))]
    if kind not in _SCALARS:
        raise ValueError(kind)
    return _unpack(file, _SCALARS[kind])[0]


def _length(file: BinaryIO) -> int:
    length: int = _unpack(file, "Q")[0]
    if length > MOST:
        raise ValueError(length)
    return length
