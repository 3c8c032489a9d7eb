"""Answers to consumers' questions, measured by what experts said of the sections that are quoted (MEDIQA 2019, task 3).

Each question is asked three times: of all answers of MEDIQA, of all but those that were graded for it, and of all but
those that were graded for any question about the same. What is left the second time is at most related by MEDIQA's
word, but MEDIQA asks up to five things of a disease, and nobody looked whether a page that was found for one of them
answers another: that share is an upper bound. What is left the third time answers nothing. Nothing is fitted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.answer import ANSWERED, RELATED
from medgraph.answers.answerer import Answerer
from medgraph.progress import progress
from medgraph.queries.retriever import CANDIDATES, Retriever

from .graded import case_of, summary
from .sets.mediqa import styles

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.embeddings.rerankers.sentence_reader import SentenceReader
    from medgraph.graph.database import Database, Row
    from medgraph.queries.entities import LinkerOf, Mention
    from medgraph.queries.question import Question

    from .sets.mediqa import JudgedQuestion

_CHUNKS: Final = 4  # passages more that are looked at for each section that is left out; set by hand


class SeparateRetriever(Retriever):
    """Searches a graph apart for questions that are made with the names of the user's."""

    def __init__(
        self,
        database: Database,
        encoder: Callable[[], TextEncoder],
        linker: LinkerOf,
        mentions: Callable[[str], list[Mention]],
    ) -> None:
        super().__init__(database, encoder, linker)
        self._mentions = mentions
        self.hidden: Collection[str] = ()

    def mentions(self, text: str) -> list[Mention]:
        """Find the entities of the user's graph that a question names."""
        return self._mentions(text)

    def candidates(self, question: Question, fetch: int = CANDIDATES) -> list[Row]:
        """Find what may answer a question, without sections that are hidden."""
        rows = super().candidates(question, fetch + _CHUNKS * len(self.hidden))
        return [row for row in rows if row["section"] not in self.hidden]


def ask(
    questions: Sequence[JudgedQuestion],
    searching: SeparateRetriever,
    encoder: Callable[[], TextEncoder],
    sentence_reader: Callable[[], SentenceReader | None] = lambda: None,
) -> list[dict[str, Any]]:
    """Ask every question, with its own answers, without them, and without all about the same.

    Returns:
        Rows, one a style, as `graded.evaluate` has them; `false` is the share answered without its own sections, and
        `false afar` and `related afar` are the shares answered and related without those of all about the same.
    """
    answerer = Answerer(searching, encoder, sentence_reader=sentence_reader)
    nothing, own = [frozenset[str]()] * len(questions), [frozenset(judged.grades) for judged in questions]
    came: list[list[dict[str, Any]]] = []
    with progress("asking", "question", 3 * len(questions)) as bar:
        for hidden in (nothing, own, about_the_same(questions, searching)):
            came.append([])
            for judged, searching.hidden in zip(questions, hidden, strict=True):
                came[-1].append(case_of(answerer.ask(judged.text), judged.grades))
                bar.update(1)
    return table(questions, *came)


def table(
    questions: Sequence[JudgedQuestion],
    given: Sequence[Mapping[str, Any]],
    without: Sequence[Mapping[str, Any]],
    afar: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Sum up what came of the questions with their own sections, without them, and without all about the same."""
    rows = []
    for style, places in styles(questions).items():
        answered, apart = (np.array([case["status"] == ANSWERED for case in some]) for some in (without, afar))
        related = np.array([case["status"] == RELATED for case in afar])
        mine = summary([case for case, is_of in zip(given, places, strict=True) if is_of])
        mine["false"] = float(answered[places].mean())
        more = {"false afar": float(apart[places].mean()), "related afar": float(related[places].mean())}
        rows.append({"style": style} | mine | more)
    return rows


def about_the_same(questions: Sequence[JudgedQuestion], searching: SeparateRetriever) -> list[frozenset[str]]:
    """Find what was graded for questions about the same: those that name the same, or share a graded section."""
    names = [{mention.entity for mention in searching.named(judged.text)} for judged in questions]
    graded = [frozenset(judged.grades) for judged in questions]
    return [
        frozenset[str]().union(
            *(theirs for other, theirs in zip(names, graded, strict=True) if own & other or mine & theirs)
        )
        for own, mine in zip(names, graded, strict=True)
    ]
