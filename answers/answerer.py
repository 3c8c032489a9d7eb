"""Question to cited answer: understand, retrieve, choose sentences, cite them, check the citations."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..embeddings.encoders.vector_cache import RememberedVectors
from ..graph import catalogue
from ..queries import lucene
from ..queries.retriever import check_question
from .answer import ANSWERED, NOT_ENOUGH_EVIDENCE, Answer, Citation, Sentence
from .confidence import THRESHOLD, confidence, features_of, fits
from .sentences import Candidate, candidates, choose, shortlist
from .verify import verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..queries.entities import Mention
    from ..queries.filters import Filters
    from ..queries.retriever import Hit, Retriever, Understanding

HITS: Final = 20
SECTIONS: Final = 4
CONSIDERED: Final = 8
ENCODED: Final = 8
MAX_SENTENCES: Final = 6
NOVELTY: Final = 0.25
FLOOR: Final = 0.72
ABOUT_BONUS: Final = 0.6
TYPE_BONUS: Final = 0.5
SECTION_WEIGHT: Final = 0.2
LEAD_WEIGHT: Final = 0.1
SHOWN: Final = 5
SAME_QUESTION: Final = 0.8


@dataclass(slots=True)
class _Evidence:
    """A section with what speaks for it."""

    row: dict[str, Any]
    score: float
    about: bool
    features: dict[str, float]


@dataclass(slots=True)
class _Clock:
    """Milliseconds by step."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.spent[name] = round((time.perf_counter() - start) * 1000, 2)


class Answerer:
    """Answers questions from the graph alone, in the words of what it cites.

    Args:
        database: The graph.
        retriever: Finds sections.
        encoder: Gives the encoder.
    """

    def __init__(self, database: Database, retriever: Retriever, encoder: Callable[[], TextEncoder]) -> None:
        self._database = database
        self._retriever = retriever
        self._encoder = encoder
        self._sentences = RememberedVectors(encoder)

    def ask(self, question: str, filters: Filters | None = None) -> Answer:
        """Answer a question, or say that the evidence does not suffice.

        Args:
            question: What a user typed.
            filters: What evidence may be.

        Returns:
            The answer; every sentence of it is a quotation that was checked against its section.

        Raises:
            InputError: The question or a filter cannot be used.
            DatabaseError: The database refused or went away.
        """
        check_question(question)
        clock = _Clock()
        started = time.perf_counter()
        with clock.step("understand"):
            understood = self._retriever.understand(question)
            mentions, intent = understood.mentions, understood.intent
        with clock.step("encode"):
            vector = self._encoder().encode([question])[0]
        with clock.step("retrieve"):
            hits = self._retriever.search(
                question, mode="linked", top_k=HITS, filters=filters, vector=vector, understood=understood
            )
            evidence = self._evidence(question, vector, hits, understood, filters)
        with clock.step("choose"):
            sure = max((confidence(item.features) for item in evidence[:2]), default=0.0)
            sentences = self._compose(question, vector, evidence) if sure >= THRESHOLD else ()
        found = [_shown(item) for item in evidence[:SHOWN]]
        if not sentences or (intent and not any(item.features["typed"] for item in evidence[:SECTIONS])):
            with clock.step("elsewhere"):
                pages = self._elsewhere(question, vector, mentions, filters)
            asked = [page for page in pages if page["type"] == intent]
            found = [*found, *asked] if sentences else [*pages, *found]
        clock.spent["total"] = round((time.perf_counter() - started) * 1000, 2)
        return Answer(
            question=question,
            status=ANSWERED if sentences else NOT_ENOUGH_EVIDENCE,
            sentences=sentences,
            entities=tuple(asdict(mention) for mention in mentions),
            intent=intent,
            evidence=tuple(found),
            confidence=round(sure, 3),
            timing_ms=clock.spent,
        )

    def weigh(self, question: str) -> tuple[dict[str, float], list[str]]:
        """Give what an answer to a question would rest on, whether or not it suffices; for evaluation.

        Args:
            question: The question.

        Returns:
            What speaks for the best evidence (see `confidence`), empty without any; the sections that would be cited.

        Raises:
            InputError: The question cannot be used.
            DatabaseError: The database refused or went away.
        """
        understood = self._retriever.understand(question)
        vector = self._encoder().encode([question])[0]
        hits = self._retriever.search(question, mode="linked", top_k=HITS, vector=vector, understood=understood)
        evidence = self._evidence(question, vector, hits, understood, None)
        if not evidence:
            return {}, []
        cited = self._compose(question, vector, evidence)
        return max((item.features for item in evidence[:2]), key=confidence), [
            c.section for sentence in cited for c in sentence.citations
        ]

    def _evidence(
        self,
        question: str,
        vector: NDArray[np.float32],
        hits: Sequence[Hit],
        understood: Understanding,
        filters: Filters | None,
    ) -> list[_Evidence]:
        """Rank sections: those found by search and those about what the question names, the asked-for type first."""
        entities = [mention.entity for mention in understood.mentions]
        concepts = {cui for mention in understood.mentions for cui in mention.concepts}
        wanted = self._retriever.about(entities, understood.intent, filters) if entities else []
        by_section = {hit.section: hit for hit in hits if hit.section}
        ids = list(dict.fromkeys([*list(by_section)[:CONSIDERED], *(row["section"] for row in wanted[:CONSIDERED])]))
        rows = self._database.read(catalogue.get("section_texts"), sections=ids, vector=vector.tolist())
        found = []
        for row in rows:
            hit = by_section.get(row["section"])
            about = bool(set(entities) & set(row["entities"]) or concepts & set(row["concepts"]))
            about = about or (not row["entities"] and fits(question, row))
            typed = bool(understood.intent) and row["type"] == understood.intent
            score = (hit.score if hit else 0.0) + row["cosine"] + ABOUT_BONUS * about + TYPE_BONUS * typed
            found.append(_Evidence(row, score, about, features_of(question, understood, row, about=about)))
        if any(item.about for item in found):
            found = [item for item in found if item.about]
        return sorted(found, key=lambda item: (-item.score, item.row["section"]))

    def _compose(
        self, question: str, vector: NDArray[np.float32], evidence: Sequence[_Evidence]
    ) -> tuple[Sentence, ...]:
        best = evidence[0].score
        used = [item for item in evidence[:SECTIONS] if item.score >= best - TYPE_BONUS / 2]
        every = [c for number, item in enumerate(used) for c in candidates(number, item.row)]
        pool = shortlist(every, lucene.content_words(question), ENCODED)
        if not pool:
            return ()
        vectors = self._sentences.encode([candidate.text for candidate in pool])
        lead = np.array([1 / (1 + candidate.order) for candidate in pool], dtype=np.float32)
        section = np.array([used[c.section].score / best if best else 0 for c in pool], dtype=np.float32)
        relevance = vectors @ vector + LEAD_WEIGHT * lead + SECTION_WEIGHT * section
        picked = choose(relevance, vectors @ vectors.T, MAX_SENTENCES, novelty=NOVELTY, floor=FLOOR)
        chosen = sorted((pool[i] for i in picked), key=lambda c: (c.section, c.start))
        return tuple(_cited(candidate, used[candidate.section].row) for candidate in chosen)

    def _elsewhere(
        self, question: str, vector: NDArray[np.float32], mentions: Sequence[Mention], filters: Filters | None
    ) -> list[dict[str, Any]]:
        """Find pages that answer the question, of which the graph has the address only."""
        names = {name.lower() for mention in mentions for name in (mention.name, mention.matched)}
        hits = self._retriever.search(question, mode="questions", top_k=HITS, filters=filters, vector=vector)
        pages = [
            hit
            for hit in hits
            if hit.section is None
            and (2 * (hit.scores["semantic"] or 0) - 1 >= SAME_QUESTION or hit.title.lower() in names)
        ]
        return [
            {
                "document": hit.document,
                "title": hit.title,
                "url": hit.url,
                "source": hit.source,
                "licence": hit.licence,
                "type": hit.type,
                "question": hit.question,
                "answered_at": hit.url,
                "score": round(hit.score, 4),
            }
            for hit in pages[:SHOWN]
        ]


def _cited(candidate: Candidate, row: dict[str, Any]) -> Sentence:
    quote = row["text"][candidate.start : candidate.end]
    citation = Citation(
        section=row["section"],
        document=row["document"],
        title=row["title"],
        url=row["url"],
        source=row["source"],
        licence=row["licence"],
        start=candidate.start,
        end=candidate.end,
        quote=quote,
        cypher=catalogue.get("cited_section").filled(section=row["section"]),
    )
    return Sentence(candidate.text, (citation,), verdict(candidate.text, citation, row["text"]))


def _shown(item: _Evidence) -> dict[str, Any]:
    keys = ("section", "document", "title", "url", "source", "licence", "type", "question")
    return {key: item.row[key] for key in keys} | {"score": round(item.score, 4)}
