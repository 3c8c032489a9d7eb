"""An answer in the words of its evidence: sentences quoted from sections, each cited and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..answer import Sentence
from ..choice import best_sentences, quotable
from ..citing import citation_of
from ..verify.quotation import verdict

if TYPE_CHECKING:
    from ...queries.question import Question
    from ...queries.retriever import SectionText
    from ..sentences import Candidate
    from .composer import Material


def compose(question: Question, material: Material, most: int) -> tuple[Sentence, ...]:  # noqa: ARG001 # as all composers
    """Write an answer.

    Args:
        question: What it should answer.
        material: What it may rest on; its facts are left alone.
        most: How many sentences at most.

    Returns:
        Its sentences; none where no section has one that can stand by itself.
    """
    if not material.sections:
        return ()
    sections = quotable(material.sections)
    return tuple(_cited(said.candidate, sections[number].section) for number, said in best_sentences(sections, most))


def _cited(candidate: Candidate, section: SectionText) -> Sentence:
    citation = citation_of(section, candidate)
    return Sentence(candidate.text, (citation,), verdict(candidate.text, citation, section.text))
