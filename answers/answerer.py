"""Question to cited answer: understand, retrieve, choose sentences, cite them, check the citations."""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING

from ..errors import InputError, ModelError, NotInGraphError
from ..progress import Clock
from ..queries.filters import DERIVED, Filters
from ..queries.lookups import exact_medicines, misspelt
from ..settings import COMPOSERS
from .answer import ANSWERED, NOT_ENOUGH_EVIDENCE, RELATED, SUPPORTED, Answer, Generation
from .emergencies import Emergencies
from .facts import NAMED, asks_by_name, write_facts
from .graph_facts import asks_of_symptom, on_symptom, write_requested
from .leads import quote_label, unlabelled, with_labels
from .outline import with_text
from .pages import elsewhere, found_with_pages
from .part_answers import Material, PartAnswer, bounded, heeded, merge_parts, no_model, untold
from .parts import QuestionPart, parts_of, plainer, taken_apart, whole_part
from .populations import besides, cautioned, speaking
from .scoring import CHOSEN, QuotableSentences, in_order, labels_apart, retrieve, score, unscored
from .scoring import rerank_by_sentences as read
from .selecting import LEAST_SENTENCES, MAX_SENTENCES, quote_sentences, select
from .signs import ANSWERS, READ, Signs, kind_of
from .understanding import understand
from .verify.verifier import DROP, verified

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..embeddings.encoders.encoder import TextEncoder
    from ..embeddings.reranking import SentenceReader
    from ..queries.question import Question
    from ..queries.retriever import Retriever
    from .answer import CitedFact, FoundPage, Sentence, Status
    from .generated import ModelWriter
    from .graph_facts import GraphFacts
    from .model_reading import ModelReading
    from .part_answers import Tell
    from .pipelines.pipeline import Chosen, Pipelines
    from .scoring import ScoredSection
    from .understanding import Understood
    from .verify.reader import ClaimReader

EXTRACTIVE, GRAPH, GENERATED = COMPOSERS


@dataclass(eq=False)
class Answerer:
    """Answers questions from the graph alone, in the words of what it cites.

    Example:
        >>> from medgraph.cli.shared import assembly_of
        >>> from medgraph.graph.connect import connect
        >>> from medgraph.settings import Settings
        >>> with connect(settings := Settings.from_environment()) as database:
        ...     assembly_of(settings, database).answerer.ask("How is gout treated?").cited
        ('sample:gout#6',)
    """

    retriever: Retriever
    encoder: Callable[[], TextEncoder]
    _: KW_ONLY
    unsupported: str = DROP  # what becomes of sentences that what they cite does not support: `drop` or `flag`
    # What answers are composed of where a question does not say: `extractive`, `graph` or `generated`.
    composer: str = EXTRACTIVE
    # Relations of the graph, behind texts that are quoted, or alone for what asks for names or no text answers.
    facts: GraphFacts | None = None
    # Gives what reads claims together with their evidence; None where they are judged by words.
    reader: Callable[[], ClaimReader | None] = lambda: None
    offers: Callable[[Answer], Sequence[str]] = lambda _: ()  # chooses what could be asked after an answer
    # Gives what reads sentences together with a short question; None where what else speaks for them weighs them.
    sentence_reader: Callable[[], SentenceReader | None] = lambda: None
    writer: Callable[[], ModelWriter] = no_model  # gives what lets a language model write
    # Finds how the things that a question asks about are related, for what a language model writes.
    paths: Callable[[Question], Sequence[Sequence[CitedFact]]] = lambda _: ()
    # Gives what lets a language model read in place of rules, for one question; None where rules read all.
    reading: Callable[[], ModelReading | None] = lambda: None
    # Gives what runs pipelines, from what quotes where no model writes.
    pipelines: Callable[[Callable[[QuestionPart, Material], PartAnswer]], Pipelines] | None = None
    emergencies: Emergencies = field(default_factory=Emergencies)

    def __post_init__(self) -> None:
        self._sentences = QuotableSentences(self.encoder)

    def ask(
        self,
        text: str,
        filters: Filters | None = None,
        previous: Sequence[str] = (),
        composer: str | None = None,
        tell: Tell = untold,
        pipeline: Chosen | None = None,
    ) -> Answer:
        """Answer a question, or say that the evidence does not suffice.

        Args:
            filters: What evidence may be; where it may be what relations tell, that is quoted if texts do not answer.
            previous: Earlier questions of the same dialogue, oldest first, as they were typed or understood.
            tell: Where a language model writes, told of what was understood (`understood`), what was found (`sources`)
                and each sentence (`sentence`) once it is settled, and by an empty name that it goes on.
            pipeline: What answers in place of a composer; not in an emergency, in which quotations answer.

        Raises:
            InputError: The question, an earlier one or a filter cannot be used.
            SettingsError: A language model is to write, and none is set.
        """
        chosen = self._composer_of(composer)
        if filters and filters.graph and not pipeline:
            answer = self._with_relations(text, filters, previous, chosen, tell)
        else:
            answer = self._ask(text, filters, previous, chosen, tell, pipeline)
        answer = self.facts.with_sources(answer) if self.facts else answer
        return with_text(replace(answer, within=filters.summary() if filters else ""))

    def _with_relations(
        self, text: str, filters: Filters, previous: Sequence[str], composer: str, tell: Tell
    ) -> Answer:
        """Answer from texts or, where these do not, from what was written of what relations tell."""
        texts = replace(filters, graph=False)
        answer = self._ask(text, texts, previous, composer, tell)
        if composer == GRAPH or answer.status == ANSWERED or filters.sources:
            return answer
        try:
            told = self._ask(text, replace(texts, sources=(DERIVED,)), previous, composer, tell)
        except NotInGraphError:  # nothing was written of it
            return answer
        return told if told.status == ANSWERED else answer

    def _ask(
        self,
        text: str,
        filters: Filters | None,
        previous: Sequence[str],
        composer: str,
        tell: Tell,
        pipeline: Chosen | None = None,
    ) -> Answer:
        clock, alone = Clock(), composer == GRAPH and pipeline is None
        begun = understand(self.retriever, self.reading, self.emergencies, text, filters, previous, clock, graph=alone)
        # What a name stands for that is only spelt nearly so is asked, and not answered.
        asked_back = not begun.answer.urgent and misspelt(begun.question)
        answer = begun.answer
        if not (answer.remark or asked_back):
            if pipeline and self.pipelines and not answer.urgent:
                answer = self._piped(self.pipelines(self.quote), pipeline, begun, clock, tell)
            else:
                answer = self._composed(EXTRACTIVE if pipeline else composer, begun, clock, tell)
            answer = cautioned(answer, begun.question, begun.populations)
            answer = self._with_offers(answer, begun.question, previous, clock)
        readings = tuple(begun.reading.done) if begun.reading else ()
        return replace(answer, readings=readings, timing_ms=clock.ended())

    def _composed(self, composer: str, begun: Understood, clock: Clock, tell: Tell) -> Answer:
        with clock.step("understand"):
            parts, left_out = (begun.reading and begun.reading.message(begun.question)) or taken_apart(begun.question)
        answered = self._answer_from_facts if composer == GRAPH else functools.partial(self._answered, begun.reading)
        each = max(LEAST_SENTENCES, MAX_SENTENCES // len(parts))
        parts = [replace(part, populations=begun.populations) for part in parts]
        given = [heeded(answered(part, clock, each)) for part in parts]
        if len(parts) > 1:  # what nothing answers as it was put is looked for again, in the plainest words
            again = [plainer(one.part) if one.status != ANSWERED else None for one in given]
            more = [heeded(answered(part, clock, each)) if part else None for part in again]
            given = [
                replace(new, part=old.part) if new and new.status == ANSWERED else old
                for old, new in zip(given, more, strict=True)
            ]
        if composer == EXTRACTIVE and all(one.status != ANSWERED for one in given):
            given = self._from_label(begun, given, clock, each)
        answer = bounded(merge_parts(begun.answer, given, left_out), given)
        if composer == GENERATED and not answer.remark:
            answer = self._generated(answer, given, left_out, begun, clock, tell)
        return answer

    def _piped(self, run: Pipelines, chosen: Chosen, begun: Understood, clock: Clock, tell: Tell) -> Answer:
        """Answer by a pipeline, which takes a question whole."""
        tell("understood", begun.answer)
        part = QuestionPart(begun.question.text, begun.question, begun.question, begun.populations)
        given, generation, trace = run.answer(chosen, part, begun.whole, clock, tell, begun.reading)
        answer = bounded(merge_parts(begun.answer, [heeded(given)], ()), [given])
        return replace(answer, generation=generation, pipeline=trace)

    def quote(self, part: QuestionPart, material: Material) -> PartAnswer:
        """Quote what was found, or tell relations; those that are not asked for word for word are only related."""
        clock = Clock()
        pages = functools.partial(elsewhere, self.retriever, part.question)
        quoted = self._quoted(self.reading(), part, in_order(material.sections), clock, MAX_SENTENCES, pages)
        if quoted.status == ANSWERED or not material.facts:
            return quoted
        told = self._answer_from_facts(part, clock, MAX_SENTENCES)
        if told.sentences:
            return replace(told, shown=quoted.shown)
        sentences = verified(write_facts(material.facts, MAX_SENTENCES), (), self.unsupported)
        if quoted.sentences or not sentences:
            return quoted
        return replace(quoted, status=RELATED, sentences=sentences, material=material)

    def _generated(
        self,
        answer: Answer,
        given: Sequence[PartAnswer],
        left_out: Sequence[str],
        begun: Understood,
        clock: Clock,
        tell: Tell,
    ) -> Answer:
        """Let the language model write what is asked; none is asked in an emergency."""
        if answer.urgent:
            return answer
        try:
            writer = self.writer()
        except ModelError as error:
            return replace(answer, generation=Generation(fallback=str(error)))
        tell("understood", replace(answer, sentences=(), evidence=(), parts=(), closest=()))
        tell("sources", answer.evidence)
        with clock.step("retrieve"):
            given = [
                one
                if one.part.populations or _is_narrowed(one.part.question)
                else replace(one, material=replace(one.material, paths=self.paths(one.part.question)))
                for one in given
            ]
        written, generation = writer.write(begun.whole, given, clock, tell, begun.reading)
        whole = bounded(merge_parts(answer, list(map(heeded, written)), left_out), given)
        return replace(whole, generation=generation)

    def _with_offers(self, answer: Answer, question: Question, previous: Sequence[str], clock: Clock) -> Answer:
        with clock.step("offer"):
            # Whatever is chosen without filters may have no answer within them.
            offers = () if answer.caution or _is_narrowed(question) else self.offers(answer)
        asked = {*previous, answer.understood}
        answer = replace(answer, follow_ups=tuple(offer for offer in offers if offer not in asked))
        if answer.status != NOT_ENOUGH_EVIDENCE or answer.follow_ups or answer.urgent or answer.ask_back:
            return answer
        from .offers import ask_spelling

        return replace(answer, ask_back=ask_spelling(self.retriever, question))

    def _answered(self, reading: ModelReading | None, part: QuestionPart, clock: Clock, most: int) -> PartAnswer:
        question = part.question
        if question.restriction and question.restriction.nothing:
            return PartAnswer(part, NOT_ENOUGH_EVIDENCE, (), (), 0.0)
        if asks_of_symptom(question):
            return self._symptom(reading, part, clock, most)
        told = None if _is_narrowed(question) else heeded(self._answer_from_facts(part, clock, most))
        if told and asks_by_name(question) and sum(len(sentence.facts) for sentence in told.sentences) >= NAMED:
            return told
        quoted = self._from_texts(reading, part, clock, most)
        facts = told.material.facts if told else ()
        quoted = replace(quoted, material=replace(quoted.material, facts=facts))
        return self._with_facts(quoted, told) if told and told.sentences else quoted

    def _symptom(self, reading: ModelReading | None, part: QuestionPart, clock: Clock, most: int) -> PartAnswer:
        """Answer where a symptom comes from: from pages on it, else by a list of what may have it."""
        with ThreadPoolExecutor(1) as beside:
            told = (
                None
                if part.populations or _is_narrowed(part.question)
                else beside.submit(self._answer_from_facts, part, Clock(), most)
            )
            quoted = self._from_texts(reading, part, clock, most)
        if quoted.status == ANSWERED or not told or not (listed := told.result()).sentences:
            return quoted
        return replace(listed, shown=quoted.shown, material=replace(quoted.material, facts=listed.material.facts))

    def _from_texts(self, reading: ModelReading | None, part: QuestionPart, clock: Clock, most: int) -> PartAnswer:
        with clock.step("encode"):
            _ = part.question.search_vector
        # Nearly every answer shows pages elsewhere, or looks whether there are any.
        with ThreadPoolExecutor(1) as beside:
            pages = beside.submit(elsewhere, self.retriever, part.question)
            with clock.step("retrieve"):
                evidence = self._scored(part)
            return self._quoted(reading, part, evidence, clock, most, pages.result)

    def _quoted(
        self,
        reading: ModelReading | None,
        part: QuestionPart,
        evidence: Sequence[ScoredSection],
        clock: Clock,
        most: int,
        pages: Callable[[], Sequence[FoundPage]],
    ) -> PartAnswer:
        question = part.question
        found_all, heard = evidence, speaking(question.text, part.populations, evidence)
        labels, evidence = labels_apart(question, heard)
        if labels and (reads := self.sentence_reader()):
            with clock.step("read"):
                labels = read(question.text, labels, reads.describe)
        reader = self._reader_for(question)
        least = READ if reader else ANSWERS[kind_of(question)]
        if not (looked_up := quote_label(part, found_all, labels, most)):
            if reader:
                with clock.step("read"):
                    evidence = read(question.text, evidence, reader.describe)
            if reading and reading.does("passages"):
                with clock.step("read"):
                    judged = reading.passages(question.text, evidence, least)
                    evidence = evidence if judged is None else judged
            with clock.step("choose"):
                status, sentences, apart = select(part, evidence, most, least, reads=bool(reader))
        else:
            status, sentences, apart, evidence = *looked_up, (), found_all
        with clock.step("verify"):
            sentences = verified(sentences, evidence, self.unsupported, self.reader() if sentences else None)
        status = status if sentences else NOT_ENOUGH_EVIDENCE
        found = found_with_pages(question, evidence or found_all, status, pages, clock)
        sure = max(least if looked_up else 0.0, evidence[0].answers if evidence else 0.0)
        caution = "" if sentences else unlabelled(question, found_all)
        material = Material(with_labels(question, [*labels, *evidence], heard))
        return PartAnswer(part, status, sentences, found, sure, apart, caution=caution, material=material)

    def _from_label(self, begun: Understood, given: list[PartAnswer], clock: Clock, most: int) -> list[PartAnswer]:
        """Answer from labels of the medicines that a message names, as what it asks (`Is that normal?`) does not."""
        part = whole_part(begun.question)
        if len(medicines := exact_medicines(part.question)) not in {1, 2}:
            return given
        part = replace(part, populations=besides(begun.populations, medicines))
        if any((one.part.question, one.part.populations) == (part.question, part.populations) for one in given):
            return given
        with clock.step("retrieve"):
            labels = [item for item in self._scored(part) if item.section.label]
        told = heeded(self._quoted(None, part, labels, clock, most, lambda: ()))
        return [told] if told.status == ANSWERED else given

    def _with_facts(self, quoted: PartAnswer, told: PartAnswer) -> PartAnswer:
        """Put facts behind texts that answer, as far as these do not name them; where none does, facts answer."""
        if quoted.status != ANSWERED or not self.facts:
            return replace(told, shown=quoted.shown, material=quoted.material)
        facts = [fact for sentence in told.sentences for fact in sentence.facts]
        added = verified(self.facts.besides(facts, quoted.sentences), (), self.unsupported)
        return replace(quoted, sentences=(*quoted.sentences, *added))

    def _scored(self, part: QuestionPart, most: int = CHOSEN) -> list[ScoredSection]:
        signs, found = Signs(part.question, part.clause), retrieve(self.retriever, part.question)
        kept, others = on_symptom(signs, found) if asks_of_symptom(part.question) else (found, [])
        return [*in_order(score(signs, kept, self._sentences, most)), *map(unscored, others)]

    def _reader_for(self, question: Question) -> SentenceReader | None:
        """Give what reads sentences together with a question; nothing reads long messages."""
        return None if question.is_message else self.sentence_reader()

    def _answer_from_facts(self, part: QuestionPart, clock: Clock, most: int) -> PartAnswer:
        with clock.step("retrieve"):
            facts = self.facts.requested(part.question) if self.facts else []
        with clock.step("choose"):
            sentences = write_requested(part.question, facts, most)
        with clock.step("verify"):
            sentences = verified(sentences, (), self.unsupported)
            if not _is_all(part, sentences):
                sentences = ()
        sure = max((sentence.probability for sentence in sentences if sentence.verdict == SUPPORTED), default=0.0)
        status: Status = ANSWERED if sentences else NOT_ENOUGH_EVIDENCE
        return PartAnswer(part, status, sentences, (), sure, material=Material(facts=facts))

    def _composer_of(self, composer: str | None) -> str:
        chosen = self.composer if composer is None else composer
        if chosen not in COMPOSERS:
            raise InputError(f"there is no composer {chosen!r}; there are {', '.join(COMPOSERS)}")
        return chosen

    def evidence(self, text: str) -> list[ScoredSection]:
        """Give what an answer would rest on, before it is read, whether or not it suffices; for evaluation."""
        return self._scored(whole_part(self.retriever.question(text)))

    def parts_weighed(self, text: str, most: int = CHOSEN) -> list[tuple[QuestionPart, list[ScoredSection]]]:
        """Give, for each thing asked, and a message, what its answer would rest on, unread; for evaluation."""
        question = self.retriever.question(text)
        parts, whole = parts_of(question), [whole_part(question)] if question.is_message else []
        return [(part, self._scored(part, most)) for part in [*parts, *(one for one in whole if one not in parts)]]

    def quoted(self, text: str) -> tuple[float, tuple[Sentence, ...]]:
        """Give how likely a question is answered, and what would be quoted, however unsure; for evaluation."""
        question = self.retriever.question(text)
        part, *more = parts_of(question)
        part = whole_part(question) if more else part
        evidence = self._scored(part)
        if reader := self._reader_for(part.question):
            evidence = read(part.question.text, evidence, reader.describe)
        sentences = quote_sentences(part.question, evidence, MAX_SENTENCES)
        return evidence[0].answers if evidence else 0.0, sentences


def _is_all(part: QuestionPart, told: Sequence[Sentence]) -> bool:
    """Tell whether facts answer all that was typed for a part."""
    if part.clause.text == part.question.text:
        return True
    text = " ".join(sentence.text for sentence in told)
    return Signs(part.question, part.clause).mentions_focus(text)


def _is_narrowed(question: Question) -> bool:
    """Tell whether filters say what evidence may be, beyond that what relations tell is left out."""
    return question.restriction is not None and not question.restriction.hidden
