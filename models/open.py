"""Opens the language model that the settings name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import SettingsError
from . import wire
from .cards import CARDS, file_of, warning_of

if TYPE_CHECKING:
    from ..settings import Settings
    from .protocol import Model

# What `MEDGRAPH_MODEL` may be, beside the names that `medgraph models list` shows.
SCHEMES: Final = ("openai:NAME", "gguf:FILE", "transformers:FOLDER")


def open_model(settings: Settings) -> Model:
    """Open the language model that the settings name; local ones are loaded, no server is asked yet.

    Raises:
        SettingsError: None is set, or the setting, an address or a key cannot be used, or an extra is not installed.
        ModelError: A local model cannot be loaded.
    """
    scheme, name = named(settings)
    if settings.prices is not None:
        wire.read_prices(settings.prices)  # a faulty table is found before a call is paid for
    if scheme == "openai":
        try:
            from .openai_server import OpenAIServer
        except ImportError:
            raise SettingsError("MEDGRAPH_MODEL=openai:… needs an extra: pip install 'medgraph[models]'") from None
        return OpenAIServer(name, settings)
    if scheme == "gguf":
        from .openvino_model import OpenVinoModel

        return OpenVinoModel(file_of(name, settings), settings)
    from .transformers_model import TransformersModel

    return TransformersModel(Path(name).expanduser(), settings)


def describe(settings: Settings) -> str:
    """Tell, without a full stop, of the model that the settings name, as far as is known without loading or calling it.

    Raises:
        SettingsError: The setting, an address or a key cannot be used, or an extra is not installed.
        ModelError: A file or folder holds no model that can be used.
    """
    scheme, name = named(settings)
    if scheme == "openai":
        return f"{open_model(settings).fingerprint} is set; it was not called"
    if scheme == "gguf":
        from .openvino_model import readable

        file = file_of(name, settings)
        return (
            f"{file.name} is a model of the kind {readable(file).kind}; it was not loaded. {warning_of(file)}".strip()
        )
    from .transformers_model import readable as kind_of

    return f"{name} holds a model of the kind {kind_of(Path(name).expanduser())}; it was not loaded"


def named(settings: Settings) -> tuple[str, str]:
    """Tell the scheme of the model that the settings name, and its name, file or folder.

    Raises:
        SettingsError: None is set, or it is neither of a known scheme nor the name of a card.
    """
    choices = " or ".join((*SCHEMES, f"a name of `medgraph models list` ({', '.join(CARDS)})"))
    if not settings.model:
        raise SettingsError(f"no language model is set; set MEDGRAPH_MODEL to {choices}")
    if settings.model in CARDS:
        return "gguf", settings.model
    scheme, _, name = settings.model.partition(":")
    if not name or scheme not in {choice.partition(":")[0] for choice in SCHEMES}:
        raise SettingsError(f"MEDGRAPH_MODEL is {settings.model!r}; set it to {choices}, or unset it")
    return scheme, name
