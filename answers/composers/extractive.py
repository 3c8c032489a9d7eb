"""An answer in the words of its evidence: sentences quoted from sections, each cited and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...queries import lucene
from ...queries.fusion import untitled
from ..answer import Sentence
from ..choice import best_sentences, quotable
from ..citing import citation_of
from ..short_forms import explained
from ..verify.quotation import verdict

if TYPE_CHECKING:
    from ...embeddings.candidate_sentences import CandidateSentence
    from ...queries.question import Question
    from ...queries.retriever import SectionText
    from ..scored_sections import ScoredSection
    from .composer import Material


def compose(question: Question, material: Material, most: int) -> tuple[Sentence, ...]:
    """Write an answer.

    Args:
        material: What it may rest on; its facts are left alone.
        most: How many sentences at most.

    Returns:
        Its sentences; none where no section has one that can stand by itself.
    """
    if not material.sections:
        return ()
    sections = quotable(material.sections)
    best = best_sentences(sections, most)
    return tuple(_cited(said.candidate, sections[number], question) for number, said in best)


def _cited(candidate: CandidateSentence, evidence: ScoredSection, question: Question) -> Sentence:
    section = evidence.section
    citation = citation_of(section, candidate)
    exact = evidence.about and not _is_form(section.title.lower(), question)
    about = "" if exact else _unsaid(section, f"{question.text} {candidate.text}".lower())
    short_forms = explained(candidate.text, section.text, f"{question.text} {section.title}")
    checked = verdict(candidate.text, citation, section.text)
    return Sentence(candidate.text, (citation,), checked, about=about, short_forms=short_forms)


def _is_form(title: str, question: Question) -> bool:
    """Tell whether a title is a name of what is asked about and goes on (`Glycogen storage disease type 1B`)."""
    names = {name.lower() for one in question.about for name in (one.surface, one.name, one.matched)}
    return title not in names and any(title.startswith(f"{name} ") and "(" not in title for name in names)


def _unsaid(section: SectionText, said: str) -> str:
    """Give what a page is about, if it has a title and nothing says so (`There is no cure for the condition`)."""
    words = lucene.content_words(lucene.all_words(section.title))
    return "" if untitled(section.title, section.document) or all(word in said for word in words) else section.title
