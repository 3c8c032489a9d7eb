"""Pages elsewhere: of which the graph has the address and the questions that they answer, and no text.

How likely such a page helps is told by a logistic model; its weights stand in `pages.tsv`, and are fitted to pages that
were graded by reading (`medgraph evaluate pages … --fit FILE`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..logistic import read_models
from ..patterns import threshold
from ..queries import lucene
from ..queries.hits import retired
from .answer import ANSWERED, FoundPage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..graph.database import Row
    from ..logistic import LogisticModel
    from ..progress import Clock
    from ..queries.question import Question
    from ..queries.retriever import Retriever
    from .answer import FoundSection, Status
    from .scoring import ScoredSection

# What speaks for a page: the mean cosine of its questions to the one asked, the best one to what passages are searched
# for by, whether its title is a name that the question has, whether it is about something asked about, the share of its
# title's words that the question has, and how many questions it answers: articles answer more than leaflets do.
FEATURES: Final = ("near", "found", "named", "about", "title", "questions")
SECTIONS: Final = 5  # sections that an answer shows as its evidence; set by hand
SHOWN: Final = 3  # pages that are shown, at most; set by hand
HELPS: Final = threshold("answers.pages.helps")
SAME_QUESTION: Final = threshold("answers.pages.same_question")
HITS: Final = 60  # questions that other sources ask, which are looked at; set by hand
OVERVIEW: Final = "information"
_MOST_QUESTIONS: Final = 10


@dataclass(frozen=True, slots=True)
class Page:
    """A page, as the statement `pages_elsewhere` has it, with what speaks for it and how likely it helps."""

    row: Row
    features: Mapping[str, float]
    helps: float

    @property
    def same(self) -> bool:
        """Whether it answers the very question that is asked."""
        return any(one["near"] >= SAME_QUESTION for one in self.row["questions"])


def elsewhere(retriever: Retriever, question: Question) -> list[FoundPage]:
    """Find pages elsewhere that help with a question, the likeliest first, at most `SHOWN`."""
    return [_shown(question, page) for page in worth_showing(weighed(retriever, question))]


def found_with_pages(
    question: Question,
    evidence: Sequence[ScoredSection],
    status: Status,
    look: Callable[[], Sequence[FoundPage]],
    clock: Clock,
) -> tuple[FoundSection | FoundPage, ...]:
    """Give what was found, and the pages elsewhere that `look` finds where no section of the kind asked for answers."""
    sections = [item.shown() for item in evidence[:SECTIONS]]
    intent = question.intent
    if status == ANSWERED and (not intent or any(item.features["typed"] for item in evidence[:SECTIONS])):
        return tuple(sections)
    with clock.step("elsewhere"):
        pages = look()
    if status != ANSWERED:
        return (*pages, *sections)
    return (*sections, *(page for page in pages if page.type == intent))


def worth_showing(pages: Sequence[Page]) -> list[Page]:
    """Choose the pages that help likely enough, or answer the very question, at most `SHOWN`."""
    return [page for page in pages if page.helps >= HELPS or page.same][:SHOWN]


def weighed(retriever: Retriever, question: Question) -> list[Page]:
    """Weigh all pages elsewhere that may help with a question, the likeliest first."""
    hits = retriever.similar_questions(question, HITS)
    documents = dict.fromkeys(hit.document for hit in hits if hit.section is None)
    found = []
    for row in retriever.pages(question, [*documents]):
        features = features_of(question, row)
        found.append(Page(row, features, model().likely(features)))
    return sorted(found, key=lambda page: (-page.helps, page.row["document"]))


def features_of(question: Question, row: Row) -> dict[str, float]:
    """Tell by `FEATURES` what speaks for a page, as the statement `pages_elsewhere` has it."""
    asked = row["questions"]
    names = {name.lower() for mention in question.mentions for name in (mention.name, mention.matched)}
    told = {_stem(word) for word in lucene.all_words(question.spelt)}
    title = [_stem(word) for word in lucene.content_words(lucene.all_words(row["title"]))]
    return {
        "near": sum(one["near"] for one in asked) / len(asked),
        "found": max(one["found"] for one in asked),
        "named": float(row["title"].lower() in names),
        "about": float(row["about"]),
        "title": sum(word in told for word in title) / max(len(title), 1),
        "questions": float(min(len(asked), _MOST_QUESTIONS)),
    }


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _shown(question: Question, page: Page) -> FoundPage:
    asked: Sequence[Mapping[str, Any]] = page.row["questions"]
    of_kind = [one for one in asked if one["type"] in question.intents]
    overview = [one for one in asked if one["type"] == OVERVIEW and one["near"] < SAME_QUESTION]
    best = max(of_kind or asked, key=lambda one: one["near"])
    if not of_kind and overview and best["near"] < SAME_QUESTION:
        best = overview[0]
    return FoundPage(
        page.row["document"],
        page.row["title"],
        page.row["url"],
        page.row["source"],
        page.row["licence"],
        best["type"],
        best["text"],
        answered_at=page.row["url"],
        score=round(page.helps, 4),
        retired=retired(page.row["url"]),
    )


@cache
def model() -> LogisticModel:
    """Read what weighs pages, by `FEATURES`."""
    path = Path(__file__).with_name("pages.tsv")
    return read_models(path, "medgraph evaluate pages MEQSUM GRADES --fit FILE", {"helps": FEATURES})["helps"]
