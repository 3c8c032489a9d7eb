"""An answer from facts alone: sentences made of relations, what is corroborated apart from what one source says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..answer import NO_EVIDENCE, Sentence
from ..facts import shape, worded

if TYPE_CHECKING:
    from ...queries.question import Question
    from ..answer import CitedFact
    from .composer import Material

LISTED: Final = 8
"""Things that a sentence lists, at most; set by hand."""


def compose(question: Question, material: Material, most: int) -> tuple[Sentence, ...]:  # noqa: ARG001 # as all composers
    """Write an answer.

    Args:
        material: What it may rest on; its sections are left alone.
        most: How many sentences at most.

    Returns:
        A sentence for each kind of relation, what independent sources say first; none where there is no fact.
    """
    groups: dict[tuple[str, str, int, str], list[CitedFact]] = {}
    for fact in material.facts:
        groups.setdefault((fact.subject, *shape(fact)), []).append(fact)
    sentences: list[Sentence] = []
    said: set[tuple[str, str]] = set()
    for subject, form, place, who in sorted(groups, key=lambda group: group[2]):
        listed = tuple(groups[subject, form, place, who][:LISTED])
        sources = min(len({source for voice in fact.said for source in voice.sources}) for fact in listed)
        text = worded(listed, also=(subject, form) in said)
        sentences.append(Sentence(text, (), NO_EVIDENCE, sources=sources, facts=listed))
        said.add((subject, form))
    return tuple(sentences[:most])
