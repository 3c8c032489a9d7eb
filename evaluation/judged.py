"""Answers to consumers' questions, measured by what experts said of the sections that are quoted (MEDIQA 2019, task 3).

Each question is asked three times: of all answers of MEDIQA, of all but those that were graded for it, and of all but
those that were graded for any question about the same. What is left the second time is at most related by MEDIQA's
word, but MEDIQA asks up to five things of a disease, and nobody looked whether a page that was found for one of them
answers another: that share is an upper bound. What is left the third time answers nothing. Nothing is fitted here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..answers.answer import ANSWERED, NOT_ENOUGH_EVIDENCE, RELATED, FoundSection
from ..answers.answerer import Answerer
from ..progress import progress
from ..queries.retriever import CANDIDATES, Retriever
from .sets.grades import GOOD, NEAR
from .sets.mediqa import styles
from .statistics import Mean, compare, share

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from ..answers.answer import Answer
    from ..embeddings.encoders.encoder import TextEncoder
    from ..embeddings.rerankers.sentence_reader import SentenceReader
    from ..graph.database import Database, Row
    from ..queries.entities import LinkerOf, Mention
    from ..queries.question import Question
    from .sets.mediqa import Judged

_CHUNKS: Final = 4
"""Passages more that are looked at for each section that is left out; set by hand."""


class Apart(Retriever):
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

    def candidates(
        self, question: Question, fetch: int = CANDIDATES, without: Collection[str] = frozenset()
    ) -> list[Row]:
        """Find what may answer a question, without sections that are hidden."""
        rows = super().candidates(question, fetch + _CHUNKS * len(self.hidden), without)
        return [row for row in rows if row["section"] not in self.hidden]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an answer was worth.

    Attributes:
        first: The grade of the first section that it cites; 0 for one that nobody graded for this question, or none.
        evidence: The grade of the section that most likely answers, cited or not.
    """

    status: str
    sure: float
    first: int
    best: int
    evidence: int
    spent: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of all questions.

    Attributes:
        given: The outcome of each where everything may be found.
        without: The same where the sections that were graded for it may not.
        afar: The same where those that were graded for a question about the same may not, either.
    """

    questions: Sequence[Judged]
    given: Sequence[Outcome]
    without: Sequence[Outcome]
    afar: Sequence[Outcome]


def ask(
    questions: Sequence[Judged],
    searching: Apart,
    encoder: Callable[[], TextEncoder],
    sentence_reader: Callable[[], SentenceReader | None] = lambda: None,
) -> Asked:
    """Ask every question, with its own answers, without them, and without all about the same."""
    answerer = Answerer(searching, encoder, sentence_reader=sentence_reader)
    own = [frozenset(judged.grades) for judged in questions]
    same = about_the_same(questions, searching)
    given: list[Outcome] = []
    without: list[Outcome] = []
    afar: list[Outcome] = []
    with progress("asking", "question", 3 * len(questions)) as bar:
        for hidden, outcomes in (([frozenset[str]()] * len(questions), given), (own, without), (same, afar)):
            for judged, searching.hidden in zip(questions, hidden, strict=True):
                outcomes.append(outcome(answerer.ask(judged.text), judged.grades))
                bar.update(1)
    return Asked(questions, given, without, afar)


def about_the_same(questions: Sequence[Judged], searching: Apart) -> list[frozenset[str]]:
    """Find what was graded for questions about the same: those that name the same, or share a graded section."""
    names = [{mention.entity for mention in searching.mentions(judged.text)} for judged in questions]
    graded = [frozenset(judged.grades) for judged in questions]
    return [
        frozenset[str]().union(
            *(theirs for other, theirs in zip(names, graded, strict=True) if own & other or mine & theirs)
        )
        for own, mine in zip(names, graded, strict=True)
    ]


def outcome(answer: Answer, grades: Mapping[str, int]) -> Outcome:
    """Compare an answer with grades."""
    cited = [grades.get(citation.section, 0) for sentence in answer.sentences for citation in sentence.citations]
    sections = [found for found in answer.evidence if isinstance(found, FoundSection)]
    likeliest = max(sections, key=lambda found: found.score, default=None)
    return Outcome(
        answer.status,
        answer.confidence,
        first=cited[0] if cited else 0,
        best=max(cited, default=0),
        evidence=grades.get(likeliest.section, 0) if likeliest else 0,
        spent=answer.timing_ms,
    )


def table(asked: Asked) -> list[dict[str, Any]]:
    """Sum up what came of the questions.

    Returns:
        Rows, one a style, of `style`, `questions`, `answered`, `related`, `silent` (shares of all), `right` (of those
        answered, the share that cites a section of grade 3 or 4 first), `anywhere` (at all), `ungraded` (the share that
        first cites one that nobody graded, which is not right), `near` (of those related, the share that cites one of
        grade 2 or more first), `false` (answered without its own sections), `false afar` (without all about the same),
        `related afar` (related without), and `more` (how much more than `false` is answered) between `low` and `high`
        (95 % of paired bootstrap samples).
    """
    rows = []
    for style, places in styles(asked.questions).items():
        given, without, afar = (_those(outcomes, places) for outcomes in (asked.given, asked.without, asked.afar))
        answered, related = (_of(given, status) for status in (ANSWERED, RELATED))
        difference = compare(Mean(_marks(given)), Mean(_marks(without)))
        rows.append(
            {
                "style": style,
                "questions": len(given),
                "answered": len(answered) / len(given),
                "related": len(related) / len(given),
                "silent": len(_of(given, NOT_ENOUGH_EVIDENCE)) / len(given),
                "right": share([one.first >= GOOD for one in answered]),
                "anywhere": share([one.best >= GOOD for one in answered]),
                "ungraded": share([not one.first for one in answered]),
                "near": share([one.first >= NEAR for one in related]),
                "false": len(_of(without, ANSWERED)) / len(without),
                "false afar": len(_of(afar, ANSWERED)) / len(afar),
                "related afar": len(_of(afar, RELATED)) / len(afar),
                "more": difference.more,
                "low": difference.low,
                "high": difference.high,
            }
        )
    return rows


def latency(asked: Asked) -> list[dict[str, Any]]:
    """Tell how long answers took; the first, which loads the encoder, is left out.

    Returns:
        Rows of `step` (the last is `total`), `p50` and `p95`, in milliseconds; of a step, among the answers that took
        it.
    """
    spent = [one.spent for one in (*asked.given, *asked.without, *asked.afar)[1:]]
    steps = dict.fromkeys(step for one in spent for step in one if step != "total")
    rows = []
    for step in (*steps, "total"):
        median, slow = np.quantile([one[step] for one in spent if step in one], [0.5, 0.95])
        rows.append({"step": step, "p50": round(float(median), 1), "p95": round(float(slow), 1)})
    return rows


def _those(outcomes: Sequence[Outcome], places: NDArray[np.bool_]) -> list[Outcome]:
    return [one for one, is_of in zip(outcomes, places, strict=True) if is_of]


def _of(outcomes: Sequence[Outcome], status: str) -> list[Outcome]:
    return [one for one in outcomes if one.status == status]


def _marks(outcomes: Sequence[Outcome]) -> NDArray[np.float64]:
    return np.array([one.status == ANSWERED for one in outcomes], dtype=np.float64)
