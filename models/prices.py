"""Prices of models, by a table of the user's: a model, and what a million tokens read and written cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import SettingsError
from ..files import table_lines

if TYPE_CHECKING:
    from pathlib import Path

    from .protocol import Usage


def cost(path: Path | None, model: str, usage: Usage) -> float | None:
    """Tell what a call cost.

    Args:
        path: The table; None where the user has none.
        model: The model's name, with or without its scheme.

    Returns:
        The price in the table's currency; None where the table has no row for the model.

    Raises:
        SettingsError: The table cannot be read; the message names the line.
    """
    if path is None:
        return None
    prices = read(path)
    found = prices.get(model) or prices.get(model.partition(":")[2])
    return None if found is None else (usage.prompt_tokens * found[0] + usage.reply_tokens * found[1]) / 1e6


def read(path: Path) -> dict[str, tuple[float, float]]:
    """Read the table.

    Args:
        path: Lines of a model's name, the price of a million tokens read, and of a million written, with tabs between.

    Raises:
        SettingsError: It cannot be read; the message names the line.
    """
    prices: dict[str, tuple[float, float]] = {}
    try:
        for number, line in table_lines(path):
            cells = line.split("\t")
            try:
                name, read_price, written_price = cells
                prices[name.strip()] = float(read_price), float(written_price)
            except ValueError:
                raise SettingsError(
                    f"{path}:{number}: {line!r} is no row of prices; write a model's name, the price of a million"
                    " tokens read, and of a million written, with tabs between them"
                ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"MEDGRAPH_MODEL_PRICES: {path} cannot be read: {error}") from error
    return prices
