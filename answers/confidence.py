"""How sure an answer is: a logistic model over what speaks for its evidence.

The weights and the threshold come from `medgraph evaluate answers --fit` on its dev part.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final

from ..queries import lucene
from .sentences import covered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..queries.retriever import Understanding

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

_EVERYDAY: Final = frozenset(
    "adult advanced affect affects any anyone anything avoid avoided because behind born boy brother can cause caused "
    "causes checked child children common complication complications could curable cure cured daughter day days deal "
    "dealing define definition detail details diagnose diagnosed diagnosis die different disease diseases disorder "
    "doctor doctors does done else ever everyone everything explain family far father feel feels find friend future "
    "get gets getting girl give going good happen happens hear heard help helped hospital husband important "
    "information inherit inherited join keep kid kids kind kinds know known lead like likely live living long look "
    "looks man many medication medications medicine medicines men mentioned might month months more mother much need "
    "never new old out patient patients people person physician possible prevent prevented problem problems prognosis "
    "question really recommend risk run runs said see serious sign signs sister someone something son start stop "
    "surgery symptom symptoms syndrome take taking tell test tests therapies therapy thing things think treat treated "
    "treatment treatments trial trials understand use used want week weeks wife woman women worried year years "
    "young".split()
)
_MEASURE: Final = re.compile(r"years?|months?|weeks?|days?|hours?|mg|ml|percent|times?|yr|yrs|yo|lbs?|kg|pounds?|a")


def confidence(features: Mapping[str, float]) -> float:
    """Weigh the signs that a section answers a question.

    Args:
        features: From `features_of`.

    Returns:
        A number from 0 to 1.
    """
    total = INTERCEPT + sum(weight * features[name] for name, weight in WEIGHTS.items())
    return 1 / (1 + math.exp(-total))


def fits(question: str, row: Mapping[str, Any]) -> bool:
    """Tell whether a section is about what a question asks for, judged by its words; where no entity can tell.

    Args:
        question: The question.
        row: A row of `section_texts`.

    Returns:
        Whether it is near enough, and has most of the question's particular words.
    """
    particular = _particular(question)
    whole = " ".join([row["title"], *row["aliases"], row["heading"], row["question"], row["text"]])
    return bool(particular) and row["cosine"] >= NEAR and covered(particular, whole, STEM) >= COVERED


def features_of(question: str, understood: Understanding, row: Mapping[str, Any], *, about: bool) -> dict[str, float]:
    """Gather what speaks for a section as the answer to a question.

    Args:
        question: The question.
        understood: What it was understood to say.
        row: A row of `section_texts`.
        about: Whether its document is about an entity that the question names; or, without one, whether it `fits`.

    Returns:
        `cosine` of question and nearest chunk; `about`; `typed`, whether it is of the kind asked for; `explained`, the
        share of the question's particular words that stand in the section's title, other names or question, or belong
        to a recognised name; `numbered`, whether every number in the question (type 2, factor V) is there too.
    """
    fitting = about and not row["entities"]
    named = " ".join(
        [row["title"], *row["aliases"], row["question"], *(m.surface for m in understood.mentions if about)]
        + [row["text"]] * fitting
    )
    particular = _particular(question)
    numbers = _numbers(question)
    return {
        "cosine": row["cosine"],
        "about": float(about),
        "typed": float(bool(understood.intent) and row["type"] == understood.intent),
        "explained": covered(particular, named) if particular and not fitting else float(about),
        "numbered": float(numbers <= set(lucene.words(named))),
    }


def _particular(question: str) -> list[str]:
    """Find the words of a question that not just any question about health has."""
    return [word for word in lucene.content_words(question) if word not in _EVERYDAY]


def _numbers(question: str) -> set[str]:
    """Find the numbers and single letters that tell one disease from another, not ages and doses."""
    words = lucene.all_words(question)
    return {
        word
        for word, following in zip(words, [*words[1:], ""], strict=True)
        if (any(c.isdigit() for c in word) or (len(word) == 1 and word not in "ai"))
        and not _MEASURE.fullmatch(following)
    }
