"""How sure an answer is: a logistic model over what speaks for its evidence.

The weights and the threshold come from `medgraph evaluate answers --fit` on its dev part.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ..queries import lucene
from .sentences import covered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..queries.question import Question
    from ..queries.retriever import SectionText

INTERCEPT: Final = -9.88
WEIGHTS: Final[dict[str, float]] = {
    "cosine": 0.158,
    "about": 2.629,
    "typed": 1.234,
    "explained": 4.668,
    "numbered": 3.504,
}
THRESHOLD: Final = 0.7
"""Above it, nine in ten questions that can be answered are, and one in fifteen that cannot (development part)."""

NEAR: Final = 0.5
COVERED: Final = 0.7
"""What a section of a document that no entity is linked to must reach to count as one about the question.

Of 250 questions on PubMed abstracts that were in the graph 120 reached them; of 250 on others and 30 off topic, none.
"""

STEM: Final = 0.7
"""The part of a word, from its beginning, that must be in the section for an inflected one to count; set by hand."""


def confidence(features: Mapping[str, float]) -> float:
    """Weigh the signs that a section answers a question.

    Args:
        features: From `features_of`.

    Returns:
        A number from 0 to 1.
    """
    total = INTERCEPT + sum(weight * features[name] for name, weight in WEIGHTS.items())
    return 1 / (1 + math.exp(-total))


def fits(question: Question, section: SectionText) -> bool:
    """Tell whether a section is about what a question asks for, judged by its words; where no entity can tell.

    Args:
        question: The question.
        section: The section.

    Returns:
        Whether it is near enough, and has most of the question's particular words.
    """
    if not question.particular or section.cosine < NEAR:
        return False
    whole = " ".join([section.title, *section.aliases, section.heading, section.question, section.text])
    return covered(question.particular, whole, STEM) >= COVERED


def features_of(question: Question, section: SectionText, *, about: bool) -> dict[str, float]:
    """Gather what speaks for a section as the answer to a question.

    Args:
        question: The question.
        section: The section.
        about: Whether its document is about an entity that the question names; or, without one, whether it `fits`.

    Returns:
        `cosine` of question and nearest chunk; `about`; `typed`, whether it is of the kind asked for; `explained`, the
        share of the question's particular words that stand in the section's title, other names or question, or belong
        to a recognised name; `numbered`, whether every number in the question (type 2, factor V) is there too.
    """
    fitting = about and not section.entities
    named = " ".join(
        [section.title, *section.aliases, section.question, *(m.surface for m in question.mentions if about)]
        + [section.text] * fitting
    )
    particular = question.particular
    return {
        "cosine": section.cosine,
        "about": float(about),
        "typed": float(bool(question.intent) and section.type == question.intent),
        "explained": covered(particular, named) if particular and not fitting else float(about),
        "numbered": float(question.numbers <= set(lucene.words(named))),
    }
