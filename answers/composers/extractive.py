"""An answer in the words of its evidence: sentences quoted from sections, each cited and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...graph import catalogue
from ..answer import Citation, Sentence
from ..choice import MAX_SENTENCES, best_sentences, quotable
from ..verify import verdict

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
    citation = Citation(
        section=section.section,
        document=section.document,
        title=section.title,
        url=section.url,
        source=section.source,
        licence=section.licence,
        start=candidate.start,
        end=candidate.end,
        quote=section.text[candidate.start : candidate.end],
        cypher=catalogue.get("cited_section").filled(section=section.section),
    )
    return Sentence(candidate.text, (citation,), verdict(candidate.text, citation, section.text))
