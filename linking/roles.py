"""The role of a mention towards the condition that its section is about: what treats it, causes it or worsens it.

A multinomial logistic regression over the features of `role_features.py` tells it; `medgraph train roles` makes its
weights, `roles.tsv`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import InputError
from ..files import table_lines, write_table
from ..logistic import sigmoids
from ..schema.vocabulary import CONDITIONS
from .role_features import MEANS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

FILE: Final = Path(__file__).with_name("roles.tsv")

_SLOPES: Final = "(slope)"
_SHIFTS: Final = "(shift)"
_LEAST: Final = 0.02
"""Weights that are smaller are not written."""

ROLES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "treats": ("TREATED_BY", MEANS),
    "prevents": ("PREVENTED_BY", MEANS),
    "causes": ("CAUSED_BY", (*CONDITIONS, *MEANS, "Gene", "Organism")),
    "worsens": ("WORSENED_BY", (*CONDITIONS, *MEANS, "Organism")),
    "avoided": ("CONTRAINDICATED_WITH", MEANS),
    "diagnoses": ("DIAGNOSED_BY", ("Test",)),
    "symptom": ("HAS_SYMPTOM", CONDITIONS),
    "risk": ("HAS_RISK_FACTOR", (*CONDITIONS, *MEANS, "Organism")),
    "complication": ("HAS_COMPLICATION", CONDITIONS),
    "monitored": ("", ("Test", *CONDITIONS)),
    "mentioned": ("", (*CONDITIONS, *MEANS, "Gene", "Organism", "Test")),
}
"""Role → the relation that the condition has to what is mentioned, and the labels of what may have the role."""

NAMES: Final = tuple(ROLES)
LABELS: Final = ROLES["mentioned"][1]
"""Labels of what has a role."""


@dataclass(frozen=True, slots=True)
class RoleModel:
    """What tells roles.

    Attributes:
        rows: Name of a feature → its row in the weights.
        weights: (features, roles).
        slopes: (roles,) by which logits of probabilities are calibrated.
        shifts: (roles,) that are added to them.
    """

    rows: Mapping[str, int]
    weights: Floats
    slopes: Floats
    shifts: Floats

    def chances(self, found: Sequence[tuple[str, Sequence[str]]]) -> Floats:
        """Tell how likely each role is.

        Args:
            found: The label of each mention, and its features.

        Returns:
            (mentions, roles), as the regression has it; 0 for roles that the label cannot have.
        """
        known = [[self.rows[name] for name in names if name in self.rows] for _, names in found]
        flat = np.array([row for rows in known for row in rows])
        starts = np.cumsum([0, *map(len, known)])[:-1]
        logits: Floats = np.add.reduceat(self.weights[flat], starts)
        logits[~np.array([_allowed()[label] for label, _ in found])] = -np.inf
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances: Floats = odds / odds.sum(axis=1, keepdims=True)
        return chances

    def calibrated(self, chances: Floats) -> Floats:
        """Make probabilities of what the regression says.

        Args:
            chances: (mentions, roles).

        Returns:
            The same, calibrated; a row need not have the sum 1.
        """
        inner = np.clip(chances, 1e-6, 1 - 1e-6)
        scores = sigmoids(self.slopes * np.log(inner / (1 - inner)) + self.shifts).astype(np.float32)
        return np.where(chances > 0, scores, 0)

    def tell(self, found: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[str, float]]:
        """Tell the likeliest role of each mention.

        Args:
            found: The label of each, and its features.

        Returns:
            The role of each, and how likely it has it.
        """
        if not found:
            return []
        chances = self.chances(found)
        scores, best = self.calibrated(chances), chances.argmax(axis=1)
        return [(NAMES[role], round(float(scores[row, role]), 3)) for row, role in enumerate(best)]


@cache
def _allowed() -> Mapping[str, NDArray[np.bool_]]:
    return {label: np.array([label in labels for _, labels in ROLES.values()]) for label in LABELS}


@cache
def model() -> RoleModel:
    """Give the model that comes with medgraph."""
    return read(FILE)


def write(model: RoleModel, path: Path, card: str) -> None:
    """Write a model as a table that people can read.

    Args:
        path: The file; replaced.
        card: What it was made of, and how good it is, in lines.
    """
    columns = "\t".join(("feature", *NAMES))
    calibration = ((_SLOPES, model.slopes), (_SHIFTS, model.shifts))
    weights = ((name, model.weights[row]) for name, row in sorted(model.rows.items()))
    rows = ((name, *(_cell(value) for value in values)) for name, values in (*calibration, *weights))
    write_table(path, card.replace("\n", "\n# "), columns, rows)


def _cell(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1).rstrip("0").rstrip(".") if abs(value) >= _LEAST else ""


def read(path: Path) -> RoleModel:
    """Read what `write` wrote.

    Raises:
        InputError: A line has too many or too few cells, or one that is no number; or there is no calibration.
    """
    rows: dict[str, list[float]] = {}
    for number, line in table_lines(path):
        name, *cells = line.split("\t")
        try:
            rows[name] = [float(cell or 0) for cell in cells]
        except ValueError as error:
            raise InputError(f"{path}:{number}: {error}; make it anew with: medgraph train roles") from error
        if len(cells) != len(NAMES):
            raise InputError(f"{path}:{number}: needs {len(NAMES) + 1} cells; make it anew with: medgraph train roles")
    if _SLOPES not in rows or _SHIFTS not in rows:
        raise InputError(f"{path}: has no rows {_SLOPES} and {_SHIFTS}; make it anew with: medgraph train roles")
    slopes, shifts = (np.array(rows.pop(name), np.float32) for name in (_SLOPES, _SHIFTS))
    return RoleModel(
        {name: row for row, name in enumerate(rows)}, np.array([*rows.values()], np.float32), slopes, shifts
    )
