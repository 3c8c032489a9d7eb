"""What trainings of the encoder's layers share: the model as torch has it, and weights and card at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from ..embeddings.encoders import layers
from ..embeddings.encoders.bert_graph import read_config
from ..embeddings.encoders.model_files import WEIGHTS
from ..errors import InputError
from .steps import CHECKPOINT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from .steps import Steps

MEDQUAD: Final = "MedQuAD (github.com/abachaa/MedQuAD, CC BY 4.0)"
RQE: Final = "RQE (github.com/abachaa/RQE_Data_AMIA2016, CC BY 4.0)"
MEQSUM: Final = "MeQSum (github.com/abachaa/MeQSum, CC BY 4.0)"


class Write(Protocol):
    """Writes what was learned."""

    def __call__(
        self, learned: Mapping[str, NDArray[np.float32]], base: Path, folder: Path, card: Mapping[str, Any], /
    ) -> dict[str, Any]:
        """Write weights and card, and give the card."""


class Trainer(Protocol):
    """What learns layers."""

    def steps(self) -> Steps:
        """Give the steps of the training, none of them taken."""

    def layers(self) -> dict[str, NDArray[np.float32]]:
        """Give the weights that were learned, by name."""


Made = TypeVar("Made", bound=Trainer)


class Base:
    """The encoder to begin with, as torch has it."""

    def __init__(self, folder: Path, dropout: float, seed: int, frozen: int = 0) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        logging.set_verbosity_error()
        torch.manual_seed(seed)
        self._torch = torch
        self._first = read_config(folder).pooling == "cls"
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.model: Any = AutoModel.from_pretrained(folder, add_pooling_layer=False).to(self.device)
        for module in (self.model.embeddings, *self.model.encoder.layer[:frozen]):
            for parameter in module.parameters():
                parameter.requires_grad = False  # words stay as they are: what is learned is how they are joined
        for module in self.model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = dropout

    def encode(self, texts: Sequence[str], tokens: int, *, half: bool = True) -> Any:
        """Encode texts as they are encoded when search runs."""
        torch = self._torch
        batch = self.tokenizer(list(texts), padding=True, truncation=True, max_length=tokens, return_tensors="pt").to(
            self.device
        )
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=half):
            hidden = self.model(**batch).last_hidden_state
        mask = batch["attention_mask"][..., None].float()
        pooled = hidden[:, 0].float() if self._first else (hidden.float() * mask).sum(1) / mask.sum(1)
        return torch.nn.functional.normalize(pooled, dim=1)

    def learned(self) -> list[Any]:
        """Give what is learned."""
        return [parameter for parameter in self.model.parameters() if parameter.requires_grad]

    def layers(self) -> dict[str, NDArray[np.float32]]:
        """Give the layers as they are now.

        Returns:
            Name → weights.
        """
        state = self.model.state_dict()
        return {name: value.float().cpu().numpy() for name, value in state.items() if name.startswith(layers.PREFIX)}


def lacking(error: ImportError) -> str:
    """Say what to install."""
    return f"training needs torch ({error}): pip install 'medgraph[train]'"


def trained(
    make: Callable[[], Made],
    base: Path,
    folder: Path,
    card: Mapping[str, Any],
    found: Callable[[Made], Mapping[str, Any]] = lambda _: {},
    then: Callable[[Path], dict[str, Any]] | None = None,
    write: Write | None = None,
) -> dict[str, Any]:
    """Train, and write weights and card; what was interrupted goes on where it stopped."""
    try:
        trainer = make()
    except ImportError as error:
        raise InputError(lacking(error)) from error
    steps = trainer.steps()
    steps.run(folder)
    told = {
        **card,
        "left out": "subjects of MedQuAD of the half `held`, and whatever a concept connects them with",
        "seconds": round(steps.seconds),
        "loss of the last 100 steps": steps.loss,
        **found(trainer),
    }
    written = (write or layers.write)(trainer.layers(), base / WEIGHTS, folder, told)
    if then is not None:
        written = then(folder)
    (folder / CHECKPOINT).unlink(missing_ok=True)
    return written
