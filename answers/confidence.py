"""How sure an answer is: a logistic model over what speaks for its evidence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

INTERCEPT: Final = -6.0
WEIGHTS: Final[dict[str, float]] = {"cosine": 5.0, "coverage": 4.0, "about": 1.0, "typed": 0.5, "named": 0.0}
THRESHOLD: Final = 0.5


def confidence(features: Mapping[str, float]) -> float:
    """Weigh the signs that a section answers a question.

    Args:
        features: `cosine` of question and passage, `coverage` of the question's words by the section, whether the section is
            `about` what the question names, is of the `typed` kind it asks for, and whether it was `named` at all.

    Returns:
        A number from 0 to 1.
    """
    total = INTERCEPT + sum(weight * features[name] for name, weight in WEIGHTS.items())
    return 1 / (1 + math.exp(-total))
