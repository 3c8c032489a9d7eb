"""What a question asks for, part by part: `How is gout treated and can I prevent it?` asks two things of gout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..queries.intent import in_order

if TYPE_CHECKING:
    from ..queries.question import Question

MOST: Final = 3
"""Parts of a question that are answered, at most, as each takes as long as a question; set by hand."""

_NAMED: Final = 2
"""Things that a part asks about, at most."""

_ASKED: Final = {
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


def parts_of(question: Question) -> list[Question]:
    """Take a question apart that asks several things of what it names.

    Args:
        question: The question.

    Returns:
        A question for each thing asked, in the order in which they are asked; the question itself where it asks one
        thing, or is about nothing that is known.

    Raises:
        DatabaseError: The database refused or went away.
    """
    intents = [intent for intent in in_order(question.text, question.intents) if intent in _ASKED]
    if len(intents) < 2 or not question.about:
        return [question]
    named = sorted(question.about[:_NAMED], key=lambda mention: mention.start)
    subject = " and ".join(mention.surface for mention in named)
    return [question.reworded(_ASKED[intent].format(subject)) for intent in intents[:MOST]]
