"""A trained encoder as a folder of its own, which MEDGRAPH_ENCODER takes: the base's files with other weights."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from ...files import write_whole
from .layers import CARD
from .model_files import WEIGHTS, read_weights

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

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


def write(
    learned: Mapping[str, NDArray[np.float32]], base: Path, folder: Path, card: Mapping[str, Any]
) -> dict[str, Any]:
    """Write an encoder of the base's files and weights that take the place of its own, and give its card.

    Raises:
        EncoderError: The base's weights cannot be read.
    """
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
    write_whole(folder / WEIGHTS, data)
    write_card(folder, whole)
    return whole


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    """Write a card.

    Raises:
        InputError: It cannot be written.
    """
    write_whole(folder / CARD, (json.dumps(card, indent=2, ensure_ascii=False) + "\n").encode())
