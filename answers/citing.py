"""A quotation: where it stands, whether it stands there, and the short forms in it that its page explains."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..embeddings.candidate_sentences import begins, plain_quote
from ..graph import catalogue
from ..patterns import read_patterns
from ..queries import lucene
from ..queries.hits import dated, long_forms, retired
from ..schema.vocabulary import studies_of
from ..text import repeated_lists
from .answer import NO_EVIDENCE, SUPPORTED, Citation, ShortForm

if TYPE_CHECKING:
    from ..embeddings.candidate_sentences import CandidateSentence
    from ..queries.retriever import SectionText
    from .answer import Verdict


def citation_of(section: SectionText, candidate: CandidateSentence) -> Citation:
    """Cite a sentence: where it stands, and what stands there."""
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
        type=section.type,
        publisher=section.publisher,
        published=section.published,
        dated=dated(section.published, section.version),
        retired=retired(section.url),
        study=studies_of(section.kinds),
    )


_RULES: Final = read_patterns(Path(__file__).with_name("citing.tsv"))


def trimmed(candidate: CandidateSentence, section_text: str) -> CandidateSentence:
    """Cut off what was stuck to a sentence, and a list that it says again; add what limits it behind it."""
    end = candidate.end
    start = begins(section_text, candidate.start, end)
    if heading := _RULES["heading"].match(section_text, start, end):
        start = heading.end()
    if first := _RULES["first of several"].match(section_text, start, end):
        end = first.end()
    if copy := next(repeated_lists(section_text[start:end]), None):
        end = start + len(section_text[start : start + copy[0]].rstrip())
    elif behind := _RULES["qualifier"].match(section_text, end):
        end = behind.end()
    if (start, end) == (candidate.start, candidate.end):
        return candidate
    return replace(candidate, start=start, end=end, text=plain_quote(section_text[start:end]))


def explained(sentence: str, text: str, known: str) -> tuple[ShortForm, ...]:
    """Explain a sentence's short forms that its section (`text`) explains elsewhere, but for those that are `known`."""
    asked = dict.fromkeys(
        found for found in _RULES["short"].findall(sentence) if not _is_expanded(found, sentence, known)
    )
    if not asked:
        return ()
    explaining = long_forms(text)
    words = set(lucene.all_words(f"{known} {sentence}"))
    return tuple(
        ShortForm(short, long)
        for short in asked
        if (long := explaining.get(short)) and not words.issuperset(lucene.content_words(lucene.all_words(long)))
    )


def _is_expanded(short: str, sentence: str, known: str) -> bool:
    """Tell whether a short form stands beside its long form, or was asked with."""
    beside = rf"\({re.escape(short)}s?\b|\b{re.escape(short)}s? \("
    return bool(re.search(beside, sentence) or re.search(rf"\b{re.escape(short)}s?\b", known))


def verdict(sentence: str, citation: Citation, section_text: str) -> Verdict:
    """Tell whether a quoted sentence, or the table that it reads, stands in its section where the citation says."""
    there = section_text[citation.start : citation.end]
    same = there == citation.quote and plain_quote(there) == " ".join(sentence.split())
    return SUPPORTED if same and sentence.strip() else NO_EVIDENCE
