"""Trained layers that take the place of an encoder's own, or make a folder that MEDGRAPH_ENCODER takes; their cards."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...errors import ChecksumError, EncoderError
from ...files import write_whole
from . import model_files
from .model_files import read_json, read_weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

# The folder of the layers for questions that come with the default encoder.
SHIPPED: Final = Path(__file__).with_name("questions")
PREFIX: Final = "encoder."  # what the names of trained weights begin with: words keep the base's vectors
WEIGHTS: Final = "layers.safetensors"
CARD: Final = "card.json"
SETTINGS: Final = "MEDGRAPH_QUESTION_ENCODER"  # the setting that names such folders


def write(
    layers: Mapping[str, NDArray[np.float32]], base: Path, folder: Path, card: Mapping[str, Any]
) -> dict[str, Any]:
    """Write trained layers, rounded to half precision, and give the card that says what they are, with checksums."""
    import numpy as np
    from safetensors.numpy import save

    data = save({name: np.asarray(value, dtype=np.float16) for name, value in layers.items()})
    whole = {
        **card,
        "sha256": hashlib.sha256(data).hexdigest(),
        "fingerprint of the base": fingerprint(read_weights(base)),
    }
    write_whole(folder / WEIGHTS, data)
    _write_card(folder, whole)
    return whole


def extend(folder: Path, told: Mapping[str, Any]) -> dict[str, Any]:
    """Say more on the card of trained layers; EncoderError where the folder has no card."""
    whole: dict[str, Any] = {**read_json(folder / CARD), **told}
    _write_card(folder, whole)
    return whole


def _write_card(folder: Path, card: Mapping[str, Any]) -> None:
    write_whole(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())


def load(folder: Path, base: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """Read trained layers for a base; EncoderError where they are another's or missing, ChecksumError where damaged."""
    card = read_json(folder / CARD)
    try:
        digest = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    except OSError as error:
        raise EncoderError(f"{folder / WEIGHTS}: {error}; correct {SETTINGS} or unset it") from error
    if digest != card.get("sha256"):
        raise ChecksumError(
            f"{folder / WEIGHTS} is damaged: it has sha256 {digest} and its card says {card.get('sha256')};"
            f" train it again, or correct {SETTINGS}"
        )
    if fingerprint(base) != card.get("fingerprint of the base"):
        raise EncoderError(
            f"{folder / WEIGHTS} was trained from another encoder than the one that is set;"
            f" correct {SETTINGS}, or MEDGRAPH_ENCODER"
        )
    return read_weights(folder / WEIGHTS)


def fingerprint(weights: Mapping[str, NDArray[np.float32]]) -> str:
    """Tell encoders apart by a hash of their weights with one dimension, which are quickly read."""
    digest = hashlib.sha256()
    for name in sorted(weights):
        if weights[name].ndim == 1:
            digest.update(name.removeprefix("bert.").encode())
            digest.update(weights[name].tobytes())
    return digest.hexdigest()


# What is taken over from the base, as far as it has it.
FILES: Final = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.txt",
    "modules.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
)


def write_encoder(
    learned: Mapping[str, NDArray[np.float32]], base: Path, folder: Path, card: Mapping[str, Any]
) -> dict[str, Any]:
    """Write an encoder of the base's files and weights that take the place of its own, and give its card."""
    import numpy as np
    from safetensors.numpy import save

    weights = {name.removeprefix("bert."): value for name, value in read_weights(base).items()} | dict(learned)
    data = save(
        {name: np.ascontiguousarray(value, dtype=np.float32) for name, value in weights.items()}, {"format": "pt"}
    )
    whole = {**card, "sha256": hashlib.sha256(data).hexdigest()}
    for name in FILES:
        if (base.parent / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(folder / name, (base.parent / name).read_bytes())
    write_whole(folder / model_files.WEIGHTS, data)
    _write_card(folder, whole)
    return whole
