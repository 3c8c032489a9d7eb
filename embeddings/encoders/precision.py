"""In what to compute: measured on each processor at the encoder's first use, and kept.

What a processor says that it can do does not tell what is fastest on it, nor even what works: some have bf16 and are
slower with it than with int8, some have int8 and are no faster with it, and where oneDNN is told to leave out what the
processor has (`ONEDNN_MAX_CPU_ISA`), models of less precision cannot be built at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...errors import EncoderError, InputError
from ...files import write_whole
from .bert import BATCH_TOKENS, BertEncoder
from .model_files import NAMING

if TYPE_CHECKING:
    from collections.abc import Mapping

PRECISIONS: Final = ("f32", "bf16", "int8")
"""From the most exact to the least; of two that are about as fast, the more exact one is chosen."""

GAIN: Final = 1.1
"""How many times faster a less exact one has to be."""

ROUNDS: Final = 3
KEPT: Final = "precision.json"

_TEXT: Final = "gout is a form of arthritis that causes sudden and severe pain in a joint " * 8


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured.

    Attributes:
        precision: The precision that is used.
        milliseconds: Of processor time for a text of some 128 tokens, by precision; what failed is left out.
    """

    precision: str
    milliseconds: Mapping[str, float]

    def summary(self) -> str:
        """Say it in a few words.

        Returns:
            Such as `computes in int8 (measured, ms a text: f32 31.0, bf16 16.8, int8 12.1)`.
        """
        told = ", ".join(f"{name} {spent:.1f}" for name, spent in self.milliseconds.items())
        return f"computes in {self.precision} (measured, ms a text: {told})"


def fastest(folder: Path, cache: Path) -> Measured:
    """Tell what is fastest for a model on this processor, measured in a second or two if that was not done before.

    Args:
        folder: The model's files.
        cache: Where what was measured is kept; it holds for all graphs, as the processor does.

    Returns:
        What was measured.

    Raises:
        EncoderError: The folder is damaged, or nothing works.
    """
    path, key = cache / KEPT, _key(folder)
    kept = _kept(path)
    if key in kept:
        return kept[key]
    found = measure(folder)
    _keep(path, kept | {key: found})
    return found


def measure(folder: Path) -> Measured:
    """Measure, by turns, on one thread, and in processor time: what else the machine does counts little.

    Args:
        folder: The model's files.

    Returns:
        What was measured.

    Raises:
        EncoderError: The folder is damaged, or nothing works.
    """
    texts = [_TEXT] * (BATCH_TOKENS // 256)
    encoders = {name: BertEncoder(folder, name, 1, name) for name in PRECISIONS}
    spent: dict[str, list[float]] = {name: [] for name, one in encoders.items() if _works(one, texts)}
    for _ in range(ROUNDS):
        for name, seconds in spent.items():
            started = time.process_time()
            encoders[name].encode(texts)
            seconds.append((time.process_time() - started) * 1000 / len(texts))
    if not spent:
        raise EncoderError(f"{folder}: OpenVINO cannot compute this model on this processor; correct {NAMING}")
    least = {name: round(min(seconds), 2) for name, seconds in spent.items()}
    chosen = next(iter(least))
    for name, milliseconds in least.items():
        chosen = name if milliseconds * GAIN < least[chosen] else chosen
    return Measured(chosen, least)


def _works(encoder: BertEncoder, texts: list[str]) -> bool:
    if encoder.precision != "f32" and not encoder.differs:
        return False
    try:
        encoder.encode(texts)
    except RuntimeError:  # OpenVINO has no kernel for it
        return False
    return True


def _kept(path: Path) -> dict[str, Measured]:
    """Read what was kept; what somebody else wrote there is measured anew."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        found = {key: Measured(**row) for key, row in rows.items()}
        return {key: one for key, one in found.items() if one.precision in PRECISIONS and dict(one.milliseconds)}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _keep(path: Path, rows: Mapping[str, Measured]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps({key: asdict(row) for key, row in rows.items()}, indent=1).encode())
    except (OSError, InputError):  # measured again the next time
        return


def _key(folder: Path) -> str:
    """Name the processor, what computes, and the model's size."""
    from importlib.metadata import version

    config = hashlib.sha256((folder / "config.json").read_bytes()).hexdigest()[:12]
    limit = os.environ.get("ONEDNN_MAX_CPU_ISA", "")
    return " / ".join(filter(None, (_processor(), limit, f"openvino {version('openvino')}", config)))


def _processor() -> str:
    """Name the processor with a fingerprint of what it can do, as virtual ones share names."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # not Linux
        return platform.processor() or platform.machine()
    told: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        told.setdefault(name.strip(), value.strip())
    flags = hashlib.sha256(told.get("flags", told.get("Features", "")).encode()).hexdigest()[:8]
    return f"{told.get('model name', platform.machine())} {flags}"
