"""What a question asks for, part by part: `How is gout treated and can I prevent it?` asks two things of gout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..queries.intent import in_order

if TYPE_CHECKING:
    from ..queries.question import Question

MOST: Final = 3
"""Parts of a question that are answered, at most, as each takes as long as a question; set by hand."""

_NAMED: Final = 2
"""Things that a part asks about, at most."""

PLAINEST: Final = {
    "information": "What is {}?",
    "symptoms": "What are the symptoms of {}?",
    "causes": "What causes {}?",
    "susceptibility": "Who is at risk for {}?",
    "exams and tests": "How is {} diagnosed?",
    "treatment": "What are the treatments for {}?",
    "prevention": "How can {} be prevented?",
    "complications": "What are the complications of {}?",
    "outlook": "What is the outlook for {}?",
    "frequency": "How many people are affected by {}?",
    "genetic changes": "What are the genetic changes related to {}?",
    "inheritance": "Is {} inherited?",
    "research": "What research is being done on {}?",
    "stages": "What are the stages of {}?",
    "side effects": "What are the side effects of {}?",
    "usage": "How should {} be used?",
    "dose": "What is the dose of {}?",
}
"""Section type → the plainest question for it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a question asks.

    Attributes:
        asked: What it asks, in words.
        question: What to search for.
    """

    asked: str
    question: Question


def parts_of(question: Question) -> list[Part]:
    """Take a question apart that asks several things.

    Args:
        question: The question.

    Returns:
        A part for each thing asked, in the order in which they are asked; the question itself where it asks one thing,
        or is about nothing that is known. A message is taken apart only where it says of what it asks each.

    Raises:
        DatabaseError: The database refused or went away.
    """
    if alone := question.asked[1 : MOST + 1]:
        return [Part(one.reading().text, one) for one in alone]
    intents = [intent for intent in in_order(question.text, question.intents) if intent in PLAINEST]
    if len(intents) < 2 or not question.about or question.is_message:
        return [Part(question.reading().text, question)]
    named = sorted(question.about[:_NAMED], key=lambda mention: mention.start)
    subject = " and ".join(mention.surface for mention in named)
    texts = [PLAINEST[intent].format(subject) for intent in intents[:MOST]]
    return [Part(text, question.reworded(text)) for text in texts]
