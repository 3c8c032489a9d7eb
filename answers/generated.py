"""An answer that a language model writes: each sentence cited, and checked against its sources before it is shown.

A reply is read as it streams: sentences with the ids of what they cite.
"""

from __future__ import annotations

import itertools
import json
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from ..errors import ModelError, RequestsWaitError, SchemaMismatchError
from ..models.protocol import Reply, Request
from ..patterns import read_patterns
from .answer import ANSWERED, NO_EVIDENCE, NOT_ENOUGH_EVIDENCE, SUPPORTED, Dropped, Generation, Sentence
from .facts import is_named
from .model_reading import Doubt, claim_judge, is_open
from .populations import with_populations
from .prompting import escaped, fenced, instructed, numbered, prompt
from .verify.claims import Chances
from .verify.rules import statement
from .verify.supporting import citing
from .verify.verifier import DROP, FLAG, verified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..models.protocol import Model
    from ..progress import Clock
    from .answer import Status, Why
    from .model_reading import ModelReading
    from .part_answers import PartAnswer, Tell
    from .prompting import NumberedEvidence, Prompt
    from .verify.reader import ClaimReader

_RULES: Final = read_patterns(Path(__file__).with_name("generated.tsv"))
_BETWEEN: Final = " ,\t\r\n"
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence as a model wrote it, with the ids of what it cites, given to it or not."""

    text: str
    ids: tuple[str, ...]


def schema_of(ids: Sequence[str]) -> Any:
    """Make the type of a reply that cites some evidence, and nothing else where a server enforces JSON Schema."""
    cited = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(ids)})]
    sentence = msgspec.defstruct("Sentence", [("text", str), ("ids", list[cited])])
    return msgspec.defstruct("Sentences", [("sentences", list[sentence])])  # type: ignore[valid-type]


def drafts_of(pieces: Iterable[str | Reply]) -> Iterator[Draft | Reply]:
    """Read sentences from a reply that comes in pieces: each once, as soon as it is complete, the whole reply last."""
    read: dict[Draft, None] = {}
    text, place = "", 0
    for piece in pieces:
        if isinstance(piece, Reply):
            whole = (Draft(_stated(one.text), tuple(one.ids)) for one in piece.value.sentences)
            yield from (draft for draft in whole if draft not in read)
            yield piece
            return
        text += piece
        drafts, place = _complete(text, place)
        for draft in drafts:
            if draft not in read:
                read[draft] = None
                yield draft


def _complete(text: str, place: int) -> tuple[list[Draft], int]:
    """Give the sentences that are complete behind a place, and the place behind them."""
    if not place and (opening := _RULES["opening"].search(text)):
        place = opening.end()
    drafts: list[Draft] = []
    while place:
        try:
            value, place = _DECODER.raw_decode(text, len(text) - len(text[place:].lstrip(_BETWEEN)))
            drafts.append(Draft(_stated(value["text"]), tuple(map(str, value["ids"]))))
        except (ValueError, TypeError, KeyError, AttributeError):
            break
    return drafts, place


def _stated(text: str) -> str:
    """Write a sentence in one line, without the yes or no before it: what it cites says the rest alone."""
    line = " ".join(text.split())
    rest = _RULES["reply"].sub("", line)
    return line if rest == line else f"{rest[0].upper()}{rest[1:]}"


@dataclass(slots=True)
class Writing:
    """Sentences in the making, with what becomes of each."""

    unsupported: str  # what becomes of sentences that what they cite does not support: `drop` or `flag`
    reader: Callable[[], ClaimReader | None]
    clock: Clock  # times the model (`generate`) and the checks (`verify`)
    # Told of each sentence that is shown, and of each piece of a reply by an empty name; what it raises ends the
    # call.
    tell: Tell
    # Lets a model read whether sections say what words alone do not support; None where none does.
    read: Callable[[Sequence[Doubt], Sequence[NumberedEvidence]], list[Sentence | None] | None] | None = None
    dropped: list[Dropped] = field(default_factory=list)
    removed: int = 0  # ids that were cited and not given
    replies: list[Reply] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)  # the place of each sentence among those written
    _doubts: list[Doubt] = field(default_factory=list)

    def drafts(self, model: Model, request: Request) -> Iterator[Draft]:
        """Let a model write sentences, each given as soon as it is whole; once more where it breaks the schema."""
        for again in (True, False):
            try:
                for one in drafts_of(self._pieces(model, request)):
                    if isinstance(one, Reply):
                        self.replies.append(one)
                    else:
                        yield one
            except SchemaMismatchError:
                if not again:
                    raise
            else:
                return

    def settled(self, drafts: Iterable[Draft], items: Sequence[NumberedEvidence], asked: str) -> Iterator[Sentence]:
        """Give the sentences that are shown, each as soon as its citations and its verdict are settled.

        Those that a model reads again come last, placed by `shown`. What only echoes the question `asked` is left out.
        """
        known = {item.id: item for item in items}
        before: list[NumberedEvidence] = []
        waiting: list[str] = []
        for draft in drafts:
            cited = [known[name] for name in dict.fromkeys(draft.ids) if name in known]
            self.removed += sum(name not in known for name in draft.ids)
            if not draft.text or draft.text in self.places or _echoes(draft.text, asked):
                self.dropped += [Dropped(draft.text, "repeated")] * bool(draft.text)
                continue
            self.places[draft.text] = len(self.places)
            if not cited:
                joined = self._checked(draft.text, before)
                if joined.verdict == SUPPORTED:
                    yield joined
                else:
                    waiting.append(draft.text)
                continue
            for text in waiting:
                yield from self._shown(self._checked(text, cited), uncited=True)
            waiting, before = [], cited
            yield from self._judged(draft.text, cited)
        for text in waiting:
            self._drop(text, "uncited")
        yield from self._judged_by_model(items)

    def shown(self, drafts: Iterable[Draft], items: Sequence[NumberedEvidence], asked: str) -> tuple[Sentence, ...]:
        """Settle what was written, tell of each sentence that is shown (`sentence`), and give them in their order.

        Raises:
            ModelError: The model fails, or nothing that it wrote of `items` is supported.
        """
        sentences = []
        for sentence in self.settled(drafts, items, asked):
            sentences.append(sentence)
            self.tell("sentence", sentence)
        if items and (sentences or self.dropped) and all(one.verdict != SUPPORTED for one in sentences):
            raise ModelError(UNSUPPORTED)
        return tuple(sorted(sentences, key=lambda one: self.places[one.text]))

    def _judged_by_model(self, items: Sequence[NumberedEvidence]) -> Iterator[Sentence]:
        """Give the sentences of which a model quotes what says them."""
        doubts, self._doubts = self._doubts, []
        if not doubts or self.read is None:
            return
        with self.clock.step("generate"):
            found = self.read(doubts, items)
        for doubt, sentence in zip(doubts, found or itertools.repeat(None), strict=found is not None):
            yield from self._shown(sentence or Sentence(doubt.text, (), NO_EVIDENCE))

    def _judged(self, text: str, cited: Sequence[NumberedEvidence]) -> Iterator[Sentence]:
        """Check a sentence by words, and leave it to a model where these find nothing for it and nothing against it."""
        sentence = self._checked(text, cited)
        if sentence.verdict == NO_EVIDENCE and self.read is not None and is_open(text, cited):
            self._doubts.append(Doubt(text, tuple(cited)))
        else:
            yield from self._shown(sentence)

    def _shown(self, sentence: Sentence, *, uncited: bool = False) -> Iterator[Sentence]:
        """Give a sentence that is supported, or flagged; one without citation only where a neighbour's supports it."""
        if sentence.verdict == SUPPORTED or (self.unsupported == FLAG and not uncited):
            yield sentence
        else:
            self._drop(sentence.text, "uncited" if uncited else sentence.verdict)

    def _drop(self, text: str, why: Why) -> None:
        self.dropped.append(Dropped(text, why, first=self.places[text] == 0))

    def _pieces(self, model: Model, request: Request) -> Iterator[str | Reply]:
        with closing(model.stream(request)) as stream:
            while True:
                with self.clock.step("generate"):
                    piece = next(stream, None)
                if piece is None:
                    return
                self.tell("", None)
                yield piece

    def _checked(self, text: str, cited: Sequence[NumberedEvidence]) -> Sentence:
        """Check a sentence against the sections that it cites or, where these do not say it, against the facts."""
        with self.clock.step("verify"):
            reader = self.reader()
            sections = [item.section for item in cited if item.section]
            facts = dict.fromkeys(fact for item in cited for fact in item.facts if is_named(fact, text.lower()))
            drafts = [citing(text, sections, Chances(reader))] if sections else []
            drafts += [Sentence(text, (), SUPPORTED, facts=tuple(facts))] if facts else []
            checked = verified(drafts or [Sentence(text, (), NO_EVIDENCE)], sections, FLAG, reader)
        return next((one for one in checked if one.verdict == SUPPORTED), checked[0])


def _echoes(text: str, asked: str) -> bool:
    """Tell whether a sentence has nothing but words of a question, which is no answer unless that asks whether."""
    mine, other = statement(text), statement(asked)
    return not mine.numbers and {*mine.words} <= {*other.words} and not _RULES["whether"].search(asked)


def generation_of(model: Model, prompts: Sequence[Prompt], writings: Sequence[Writing]) -> Generation:
    """Tell how an answer was written, by which prompts, with all replies."""
    replies = [reply for one in writings for reply in one.replies]
    costs = [reply.usage.cost for reply in replies if reply.usage.cost is not None]
    return Generation(
        model=model.name,
        fingerprint=model.fingerprint,
        prompt=", ".join(f"{file.name}@{file.hash}" for file in prompts),
        structured=replies[-1].structure if replies else "",
        prompt_tokens=sum(reply.usage.prompt_tokens for reply in replies),
        reply_tokens=sum(reply.usage.reply_tokens for reply in replies),
        estimated=any(reply.usage.estimated for reply in replies),
        cost=sum(costs) if costs else None,
        removed_ids=sum(one.removed for one in writings),
        dropped=tuple(one for writing in writings for one in writing.dropped),
        remarks=tuple(dict.fromkeys(remark for reply in replies for remark in reply.remarks)),
    )


PROMPTS: Final = {False: "generated", True: "generated_small"}  # the prompt of a model, by whether it is small
REPLY: Final = 800  # tokens that the model may write for each thing that a question asks; set by hand

# Tokens of evidence that it is given, at most, by whether it is small, however long its context is; set by hand.
EVIDENCE: Final = {False: 4000, True: 700}
SCHEMA: Final = 400  # tokens that the schema in words and the frames of messages may take besides
SEED: Final = 0
UNSUPPORTED: Final = "no sentence of the model is supported by what it cites"
NOTHING: Final = "nothing was found that a model could answer from"


@dataclass(frozen=True, eq=False)
class ModelWriter:
    """Writes answers with a language model."""

    model: Model
    unsupported: str = DROP  # what becomes of sentences that what they cite does not support: `drop` or `flag`
    # Gives what reads claims together with their evidence; None where they are judged by words.
    reader: Callable[[], ClaimReader | None] = lambda: None

    def write(
        self, whole: str, given: Sequence[PartAnswer], clock: Clock, tell: Tell, reading: ModelReading | None = None
    ) -> tuple[list[PartAnswer], Generation]:
        """Answer what a question asks, one thing after another: what is quoted stays where the model fails.

        Args:
            whole: All that was typed, as it was understood.
            clock: Times the model (`generate`) and the checks (`verify`).
            tell: Told of each sentence that is settled, and of each piece of a reply by an empty name; what it raises
                ends the call.
            reading: Lets the model read whether sections say what words alone do not support.

        Raises:
            RequestsWaitError: In batch mode, replies are not there yet; the requests of all that is asked are written.
        """
        attempts: list[_Attempt] = []
        written: list[PartAnswer] = []
        waiting: RequestsWaitError | None = None
        for one in given:
            writing = Writing(self.unsupported, self.reader, clock, tell, claim_judge(reading, self.model))
            attempts.append(_Attempt(self.model, writing))
            try:
                written.append(attempts[-1].write(whole, one))
            except RequestsWaitError as error:
                waiting = error
        if waiting:
            raise waiting
        return written, self._generation([one.part.asked for one in given], attempts)

    def _generation(self, asked: Sequence[str], attempts: Sequence[_Attempt]) -> Generation:
        named = [f"{one} " if len(asked) > 1 else "" for one in asked]
        reasons = [f"{name}{one.fallback}" for name, one in zip(named, attempts, strict=True) if one.fallback]
        return replace(
            generation_of(self.model, [prompt(PROMPTS[self.model.small])], [one.writing for one in attempts]),
            evidence=tuple(dict.fromkeys(name for one in attempts for name in one.evidence)),
            silent=tuple(one for one, attempt in zip(asked, attempts, strict=True) if attempt.silent),
            fallback="; ".join(reasons) or None,
        )


@dataclass(slots=True)
class _Attempt:
    """The answer to one thing in the making."""

    model: Model
    writing: Writing
    evidence: list[str] = field(default_factory=list)  # ids of the sections that were given
    silent: bool = False  # whether the model finds no answer
    fallback: str | None = None  # why the extractive answer stands in; None where the model's own stands

    def write(self, whole: str, given: PartAnswer) -> PartAnswer:
        """Answer one thing that a question asks."""
        room = room_for(self.model, self._request(whole, given, ()))
        items = numbered(given.material, self.model.count_tokens, room)
        self.evidence = [item.section.section.section for item in items if item.section]
        try:
            if not items:
                raise ModelError(NOTHING)
            drafts = self.writing.drafts(self.model, self._request(whole, given, items))
            sentences = self.writing.shown(drafts, items, given.part.asked)
        except ModelError as error:
            self.fallback = str(error)
            return _without_instructed(given)
        self.silent = not sentences
        status: Status = NOT_ENOUGH_EVIDENCE if self.silent else ANSWERED
        return replace(given, status=status, sentences=sentences, apart=())

    def _request(self, whole: str, given: PartAnswer, items: Sequence[NumberedEvidence]) -> Request:
        told = {
            "whole": escaped(whole),
            "question": escaped(with_populations(given.part.asked, given.part.populations)),
            "evidence": fenced(items),
        }
        messages = prompt(PROMPTS[self.model.small]).fill(**told)
        return Request(messages, schema_of([item.id for item in items]), max_tokens=REPLY, seed=SEED)


def room_for(model: Model, request: Request) -> int:
    """Tell how many tokens of evidence a request has room for, which has none yet."""
    frame = sum(model.count_tokens(message.content) for message in request.messages)
    return min(EVIDENCE[model.small], model.context - frame - request.max_tokens - SCHEMA)


def _without_instructed(given: PartAnswer) -> PartAnswer:
    """Leave out quotations of sections that speak to a program: no model is asked whether they are sound."""
    left_out = {item.section.section for item in given.material.sections if instructed(item)}
    kept = tuple(one for one in given.sentences if not any(cited.section in left_out for cited in one.citations))
    return replace(given, sentences=kept, status=given.status if kept else NOT_ENOUGH_EVIDENCE)
