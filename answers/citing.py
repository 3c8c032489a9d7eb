"""Where a sentence of a section stands, for people and for Neo4j Browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..graph import catalogue
from .answer import Citation

if TYPE_CHECKING:
    from ..embeddings.candidate_sentences import CandidateSentence
    from ..queries.retriever import SectionText


def citation_of(section: SectionText, candidate: CandidateSentence) -> Citation:
    """Cite a sentence.

    Returns:
        Where it stands, and what stands there.
    """
    return Citation(
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
        notices=tuple(section.notices),
    )
