"""Question to cited answer: understand, retrieve, choose sentences, cite them, check the citations."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .answer import ANSWERED, NOT_ENOUGH_EVIDENCE, Answer
from .choice import MAX_SENTENCES, SECTIONS
from .composers.extractive import ExtractiveComposer
from .confidence import THRESHOLD, confidence
from .emergencies import urgent_in
from .evidence import SHOWN, elsewhere, gather
from .parts import parts_of
from .reading import remark_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..embeddings.encoders.encoder import TextEncoder
    from ..queries.filters import Filters
    from ..queries.question import Question
    from ..queries.retriever import Retriever
    from .answer import FoundPage, FoundSection, Sentence
    from .evidence import Evidence


@dataclass(slots=True)
class _Clock:
    """Milliseconds by step."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.spent[name] = round(self.spent.get(name, 0.0) + (time.perf_counter() - start) * 1000, 2)

    def ended(self, started: float) -> dict[str, float]:
        return self.spent | {"total": round((time.perf_counter() - started) * 1000, 2)}


@dataclass(frozen=True, slots=True)
class _Part:
    """The answer to one thing that a question asks."""

    intent: str
    sentences: tuple[Sentence, ...]
    shown: tuple[FoundSection | FoundPage, ...]
    sure: float


class Answerer:
    """Answers questions from the graph alone, in the words of what it cites.

    Args:
        retriever: Finds sections.
        encoder: Gives the encoder.
    """

    def __init__(self, retriever: Retriever, encoder: Callable[[], TextEncoder]) -> None:
        self._retriever = retriever
        self._composer = ExtractiveComposer(encoder)

    def ask(self, text: str, filters: Filters | None = None) -> Answer:
        """Answer a question, or say that the evidence does not suffice.

        Args:
            text: What a user typed.
            filters: What evidence may be.

        Returns:
            The answer; every sentence of it is a quotation that was checked against its section.

        Raises:
            InputError: The question or a filter cannot be used.
            DatabaseError: The database refused or went away.
        """
        clock, started = _Clock(), time.perf_counter()
        with clock.step("understand"):
            question = self._retriever.question(text, filters)
            urgent, remark = urgent_in(text), remark_on(text)
        if remark:
            return Answer(text, NOT_ENOUGH_EVIDENCE, urgent=urgent, remark=remark, timing_ms=clock.ended(started))
        with clock.step("understand"):
            mentions, intent = question.mentions, question.intent
            parts = parts_of(question)
        answered = [self._answered(part, clock, MAX_SENTENCES // len(parts), strict=len(parts) > 1) for part in parts]
        sentences = tuple({sentence.text: sentence for part in answered for sentence in part.sentences}.values())
        shown = {found: None for part in answered for found in part.shown}
        return Answer(
            question=text,
            status=ANSWERED if sentences else NOT_ENOUGH_EVIDENCE,
            sentences=sentences,
            entities=mentions,
            intent=intent,
            intents=question.intents,
            unanswered=tuple(part.intent for part in answered if sentences and not part.sentences),
            evidence=tuple(shown),
            confidence=round(max(part.sure for part in answered), 3),
            timing_ms=clock.ended(started),
            urgent=urgent,
        )

    def _answered(self, question: Question, clock: _Clock, most: int, *, strict: bool) -> _Part:
        """Answer what asks one thing; strictly, only from sections of the kind asked for."""
        with clock.step("encode"):
            _ = question.vector
        with clock.step("retrieve"):
            evidence = gather(self._retriever, question)
        with clock.step("choose"):
            usable = [item for item in evidence if item.features["typed"] or not strict]
            sure = max((confidence(item.features) for item in usable[:2]), default=0.0)
            sentences = self._composer.compose(question, usable, most) if sure >= THRESHOLD else ()
        return _Part(question.intent, sentences, self._shown(question, evidence, sentences, clock), sure)

    def weigh(self, text: str) -> tuple[Mapping[str, float], list[str]]:
        """Give what an answer to a question would rest on, whether or not it suffices; for evaluation.

        Args:
            text: The question.

        Returns:
            What speaks for the best evidence (see `confidence`), empty without any; the sections that would be cited.

        Raises:
            InputError: The question cannot be used.
            DatabaseError: The database refused or went away.
        """
        question = self._retriever.question(text)
        evidence = gather(self._retriever, question)
        if not evidence:
            return {}, []
        sentences = self._composer.compose(question, evidence)
        return max((item.features for item in evidence[:2]), key=confidence), [
            citation.section for sentence in sentences for citation in sentence.citations
        ]

    def _shown(
        self, question: Question, evidence: Sequence[Evidence], sentences: Sequence[Sentence], clock: _Clock
    ) -> tuple[FoundSection | FoundPage, ...]:
        """Give what was found, and where no section is of the kind asked for, pages elsewhere."""
        sections = [item.shown() for item in evidence[:SHOWN]]
        intent = question.intent
        if sentences and (not intent or any(item.features["typed"] for item in evidence[:SECTIONS])):
            return tuple(sections)
        with clock.step("elsewhere"):
            pages = elsewhere(self._retriever, question)
        if not sentences:
            return (*pages, *sections)
        return (*sections, *(page for page in pages if page.type == intent))
