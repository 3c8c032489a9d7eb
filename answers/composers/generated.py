"""An answer that a language model writes: each sentence cited, and checked against its sources before it is shown."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from ...errors import ModelError, RequestsWaitError
from ...models.protocol import Request
from ..answer import ANSWERED, NOT_ENOUGH_EVIDENCE, SUPPORTED, Sentence
from ..model_reading import reads_claims
from ..populations import asked_with
from ..prompting import escaped, prompt
from ..verify.verifier import DROP
from .numbered import fenced, instructed, numbered
from .writing import Writing, generation_of, schema_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...models.protocol import Model
    from ...progress import Clock
    from ..answer import Status
    from ..generation import Generation
    from ..model_reading import ModelReading
    from ..part_answers import PartAnswer
    from ..verify.reader import ClaimReader
    from .composer import Tell
    from .numbered import NumberedEvidence

PROMPTS: Final = {False: "generated", True: "generated_small"}  # the prompt of a model, by whether it is small
REPLY: Final = 800  # tokens that the model may write for each thing that a question asks; set by hand

# Tokens of evidence that it is given, at most, by whether it is small, however long its context is; set by hand.
EVIDENCE: Final = {False: 4000, True: 700}

SCHEMA: Final = 400  # tokens that the schema in words and the frames of messages may take besides
SEED: Final = 0

UNSUPPORTED: Final = "no sentence of the model is supported by what it cites"
NOTHING: Final = "nothing was found that a model could answer from"


class ModelWriter:
    """Writes answers with a language model.

    Args:
        unsupported: What becomes of sentences that what they cite does not support: `drop` or `flag`.
        reader: Gives what reads claims together with their evidence; None where they are judged by words.
    """

    def __init__(
        self, model: Model, unsupported: str = DROP, reader: Callable[[], ClaimReader | None] = lambda: None
    ) -> None:
        self._model = model
        self._unsupported = unsupported
        self._reader = reader

    def write(
        self, whole: str, given: Sequence[PartAnswer], clock: Clock, tell: Tell, reading: ModelReading | None = None
    ) -> tuple[list[PartAnswer], Generation]:
        """Answer what a question asks, one thing after another.

        Args:
            whole: All that was typed, as it was understood.
            given: The extractive answers, with the material that each was made of.
            clock: Times the model (`generate`) and the checks (`verify`).
            tell: Told of each sentence that is settled, and of each piece of a reply by an empty name; what it raises
                ends the call.
            reading: Lets the model read whether sections say what words alone do not support.

        Returns:
            The model's answers, or the extractive ones where it fails, and how they were written; where it finds no
            answer, nothing is quoted.

        Raises:
            RequestsWaitError: In batch mode, replies are not there yet; the requests of all that is asked are written.
        """
        attempts: list[_Attempt] = []
        written: list[PartAnswer] = []
        waiting: RequestsWaitError | None = None
        for one in given:
            writing = Writing(self._unsupported, self._reader, clock, tell, reads_claims(reading, self._model))
            attempts.append(_Attempt(self._model, writing))
            try:
                written.append(attempts[-1].write(whole, one))
            except RequestsWaitError as error:
                waiting = error
        if waiting:
            raise waiting
        return written, self._told([one.part.asked for one in given], attempts)

    def _told(self, asked: Sequence[str], attempts: Sequence[_Attempt]) -> Generation:
        """Tell how an answer was written."""
        named = [f"{one} " if len(asked) > 1 else "" for one in asked]
        reasons = [f"{name}{one.fallback}" for name, one in zip(named, attempts, strict=True) if one.fallback]
        return replace(
            generation_of(self._model, [prompt(PROMPTS[self._model.small])], [one.writing for one in attempts]),
            evidence=tuple(dict.fromkeys(name for one in attempts for name in one.evidence)),
            silent=tuple(one for one, attempt in zip(asked, attempts, strict=True) if attempt.silent),
            fallback="; ".join(reasons) or None,
        )


@dataclass(slots=True)
class _Attempt:
    """The answer to one thing in the making.

    Attributes:
        evidence: Ids of the sections that were given.
        silent: Whether the model finds no answer.
        fallback: Why the extractive answer stands in; None where the model's own stands.
    """

    model: Model
    writing: Writing
    evidence: list[str] = field(default_factory=list)
    silent: bool = False
    fallback: str | None = None

    def write(self, whole: str, given: PartAnswer) -> PartAnswer:
        """Answer one thing that a question asks."""
        room = room_for(self.model, self._request(whole, given, ()))
        items = numbered(given.material, self.model.count_tokens, room)
        self.evidence = [item.section.section.section for item in items if item.section]
        sentences: tuple[Sentence, ...] = ()
        try:
            drafts = self.writing.drafts(self.model, self._request(whole, given, items)) if items else ()
            sentences = self.writing.shown(drafts, items, given.part.asked)
        except ModelError as error:
            self.fallback = str(error)
        else:
            self.silent = bool(items) and not sentences and not self.writing.dropped
            if not items:
                self.fallback = NOTHING
            elif not self.silent and all(one.verdict != SUPPORTED for one in sentences):
                self.fallback = UNSUPPORTED
        if self.fallback is not None:
            return _without_instructed(given)
        status: Status = NOT_ENOUGH_EVIDENCE if self.silent else ANSWERED
        return replace(given, status=status, sentences=sentences, apart=())

    def _request(self, whole: str, given: PartAnswer, items: Sequence[NumberedEvidence]) -> Request:
        told = {
            "whole": escaped(whole),
            "question": escaped(asked_with(given.part.asked, given.part.populations)),
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
