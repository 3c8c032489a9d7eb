"""Which language model the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..errors import SettingsError

if TYPE_CHECKING:
    from ..settings import Settings
    from .protocol import Model

SCHEMES: Final = ("openai:NAME", "gguf:FILE", "transformers:FOLDER")
"""What `MEDGRAPH_MODEL` may be."""


def open_model(settings: Settings) -> Model:
    """Open the language model that the settings name; local ones are loaded, no server is asked yet.

    Args:
        settings: The model, and the bounds on its calls.

    Returns:
        The model.

    Raises:
        SettingsError: None is set, or the setting, an address or a key cannot be used, or an extra is not installed.
        ModelError: A local model cannot be loaded.
    """
    scheme, name = named(settings)
    if scheme == "openai":
        from .openai_server import OpenAIServer

        return OpenAIServer(name, settings)
    raise SettingsError(f"{scheme}: is not supported yet")


def named(settings: Settings) -> tuple[str, str]:
    """Tell scheme and name of the model that the settings name.

    Args:
        settings: The model.

    Returns:
        The scheme, and the name, file or folder.

    Raises:
        SettingsError: None is set, or the scheme is unknown.
    """
    choices = " or ".join(SCHEMES)
    if not settings.model:
        raise SettingsError(f"no language model is set; set MEDGRAPH_MODEL to {choices}")
    scheme, _, name = settings.model.partition(":")
    if not name or f"{scheme}:" not in [choice.partition(":")[0] + ":" for choice in SCHEMES]:
        raise SettingsError(f"MEDGRAPH_MODEL is {settings.model!r}; set it to {choices}, or unset it")
    return scheme, name
