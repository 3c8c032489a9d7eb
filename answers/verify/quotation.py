"""Check each citation against the section it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...embeddings.candidate_sentences import said
from ..answer import NO_EVIDENCE, SUPPORTED

if TYPE_CHECKING:
    from ..answer import Citation, Verdict


def verdict(sentence: str, citation: Citation, section_text: str) -> Verdict:
    """Tell whether a quoted sentence stands in its section at the place that the citation names.

    Returns:
        `supported` when the span holds the quotation and the quotation is the sentence, or the table that the sentence
        reads; otherwise `no_evidence`.
    """
    there = section_text[citation.start : citation.end]
    same = there == citation.quote and said(there) == " ".join(sentence.split())
    return SUPPORTED if same and sentence.strip() else NO_EVIDENCE
