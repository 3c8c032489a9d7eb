"""An answer in the words of its evidence: sentences quoted from sections, each cited and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..answer import Sentence
from ..choice import MAX_SENTENCES, best_sentences, quotable
from ..citing import citation_of
from ..verify.quotation import verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...queries.retriever import SectionText
    from ..evidence import Evidence
    from ..sentences import Candidate


def compose(evidence: Sequence[Evidence], most: int = MAX_SENTENCES) -> tuple[Sentence, ...]:
    """Write an answer.

    Args:
        evidence: Sections, best first.
        most: How many sentences at most.

    Returns:
        Its sentences; none where no section has one that can stand by itself.
    """
    if not evidence:
        return ()
    sections = quotable(evidence)
    return tuple(_cited(said.candidate, sections[number].section) for number, said in best_sentences(sections, most))


def _cited(candidate: Candidate, section: SectionText) -> Sentence:
    citation = citation_of(section, candidate)
    return Sentence(candidate.text, (citation,), verdict(candidate.text, citation, section.text))
