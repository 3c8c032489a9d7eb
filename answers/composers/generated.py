"""An answer that a language model writes: each sentence cited, and checked against its sources before it is shown."""

from __future__ import annotations

import html
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NoReturn

from ...errors import ModelError, RequestsWaitError, SchemaMismatchError, SettingsError
from ...models.protocol import Reply, Request
from ..answer import ANSWERED, NO_EVIDENCE, NOT_ENOUGH_EVIDENCE, SUPPORTED, Sentence
from ..facts import is_named
from ..generation import Dropped, Generation
from ..prompting import prompt
from ..verify.chances import Chances
from ..verify.supporting import citing
from ..verify.verifier import DROP, FLAG, verified
from .drafts import Draft, drafts_of, schema_of
from .numbered import fenced, instructed, numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...models.protocol import Model
    from ...progress import Clock
    from ..answer import Status
    from ..part_answers import PartAnswer
    from ..verify.reader import ClaimReader
    from .composer import Tell
    from .numbered import NumberedEvidence

PROMPTS: Final = {False: "generated", True: "generated_small"}
"""The prompt of a model, by whether it is small."""

REPLY: Final = 800
"""Tokens that the model may write for each thing that a question asks; set by hand."""

EVIDENCE: Final = {False: 4000, True: 700}
"""Tokens of evidence that it is given, at most, by whether it is small, however long its context is; set by hand."""

SCHEMA: Final = 400
"""Tokens that the schema in words and the frames of messages may take besides."""

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
        self, whole: str, given: Sequence[PartAnswer], clock: Clock, tell: Tell
    ) -> tuple[list[PartAnswer], Generation]:
        """Answer what a question asks, one thing after another.

        Args:
            whole: All that was typed, as it was understood.
            given: The extractive answers, with the material that each was made of.
            clock: Times the model (`generate`) and the checks (`verify`).
            tell: Told of each sentence that is settled, and of each piece of a reply by an empty name; what it raises
                ends the call.

        Returns:
            The model's answers, or the extractive ones where the model fails, and how they were written. Where the
            model finds no answer, nothing is quoted.

        Raises:
            RequestsWaitError: In batch mode, replies are not there yet; the requests of all that is asked are written.
        """
        writings: list[_Writing] = []
        written: list[PartAnswer] = []
        waiting: RequestsWaitError | None = None
        for one in given:
            writings.append(_Writing(self._model, self._unsupported, self._reader, clock, tell))
            try:
                written.append(writings[-1].write(whole, one))
            except RequestsWaitError as error:
                waiting = error
        if waiting:
            raise waiting
        return written, self._told([one.part.asked for one in given], writings)

    def _told(self, asked: Sequence[str], writings: Sequence[_Writing]) -> Generation:
        """Tell how an answer was written."""
        replies = [reply for writing in writings for reply in writing.replies]
        costs = [reply.usage.cost for reply in replies if reply.usage.cost is not None]
        named = [f"{one} " if len(asked) > 1 else "" for one in asked]
        reasons = [f"{name}{one.fallback}" for name, one in zip(named, writings, strict=True) if one.fallback]
        file = prompt(PROMPTS[self._model.small])
        return Generation(
            model=self._model.name,
            fingerprint=self._model.fingerprint,
            prompt=f"{file.name}@{file.hash}",
            structured=replies[-1].structure if replies else "",
            evidence=tuple(dict.fromkeys(name for writing in writings for name in writing.evidence)),
            prompt_tokens=sum(reply.usage.prompt_tokens for reply in replies),
            reply_tokens=sum(reply.usage.reply_tokens for reply in replies),
            estimated=any(reply.usage.estimated for reply in replies),
            cost=sum(costs) if costs else None,
            removed_ids=sum(writing.removed for writing in writings),
            dropped=tuple(one for writing in writings for one in writing.dropped),
            silent=tuple(one for one, writing in zip(asked, writings, strict=True) if writing.silent),
            fallback="; ".join(reasons) or None,
            remarks=tuple(dict.fromkeys(remark for reply in replies for remark in reply.remarks)),
        )


@dataclass(slots=True)
class _Writing:
    """The answer to one thing in the making, with what becomes of the model's sentences.

    Attributes:
        dropped: Sentences that are not shown.
        removed: Ids that were cited and not given.
        evidence: Ids of the sections that were given.
        replies: The model's replies.
        silent: Whether the model finds no answer.
        fallback: Why the extractive answer stands in; None where the model's own stands.
    """

    model: Model
    unsupported: str
    reader: Callable[[], ClaimReader | None]
    clock: Clock
    tell: Tell
    dropped: list[Dropped] = field(default_factory=list)
    removed: int = 0
    evidence: list[str] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    silent: bool = False
    fallback: str | None = None

    def write(self, whole: str, given: PartAnswer) -> PartAnswer:
        """Answer one thing that a question asks."""
        count = self.model.count_tokens
        frame = sum(count(message.content) for message in self._request(whole, given, ()).messages)
        room = self.model.context - frame - REPLY - SCHEMA
        items = numbered(given.material, count, min(EVIDENCE[self.model.small], room))
        self.evidence = [item.section.section.section for item in items if item.section]
        sentences: list[Sentence] = []
        try:
            for sentence in self._settled(self._request(whole, given, items), items) if items else ():
                sentences.append(sentence)
                self.tell("sentence", sentence)
        except ModelError as error:
            self.fallback = str(error)
        else:
            self.silent = bool(items) and not sentences and not self.dropped
            if not items:
                self.fallback = NOTHING
            elif not self.silent and all(one.verdict != SUPPORTED for one in sentences):
                self.fallback = UNSUPPORTED
        if self.fallback is not None:
            return _without_instructed(given)
        status: Status = NOT_ENOUGH_EVIDENCE if self.silent else ANSWERED
        return replace(given, status=status, sentences=tuple(sentences), apart=())

    def _request(self, whole: str, given: PartAnswer, items: Sequence[NumberedEvidence]) -> Request:
        told = {
            name: html.escape(text, quote=False) for name, text in (("whole", whole), ("question", given.part.asked))
        }
        messages = prompt(PROMPTS[self.model.small]).fill(**told, evidence=fenced(items))
        return Request(messages, schema_of([item.id for item in items]), max_tokens=REPLY, seed=SEED)

    def _settled(self, request: Request, items: Sequence[NumberedEvidence]) -> Iterator[Sentence]:
        """Give the sentences that are shown, each as soon as its citations and its verdict are settled."""
        known = {item.id: item for item in items}
        before: list[NumberedEvidence] = []
        waiting: list[str] = []
        said: set[str] = set()
        for draft in self._drafts(request):
            cited = [known[name] for name in dict.fromkeys(draft.ids) if name in known]
            self.removed += sum(name not in known for name in draft.ids)
            if not draft.text or draft.text in said:
                self.dropped += [Dropped(draft.text, "repeated")] * bool(draft.text)
                continue
            said.add(draft.text)
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
            yield from self._shown(self._checked(draft.text, cited))
        self.dropped += [Dropped(text, "uncited") for text in waiting]

    def _shown(self, sentence: Sentence, *, uncited: bool = False) -> Iterator[Sentence]:
        """Give a sentence that is supported, or flagged; one without citation only where a neighbour's supports it."""
        if sentence.verdict == SUPPORTED or (self.unsupported == FLAG and not uncited):
            yield sentence
        else:
            self.dropped.append(Dropped(sentence.text, "uncited" if uncited else sentence.verdict))

    def _drafts(self, request: Request) -> Iterator[Draft]:
        """Give what the model writes; it is asked once more where its reply is not of the schema."""
        for again in (True, False):
            try:
                for one in drafts_of(self._pieces(request)):
                    if isinstance(one, Reply):
                        self.replies.append(one)
                    else:
                        yield one
            except SchemaMismatchError:
                if not again:
                    raise
            else:
                return

    def _pieces(self, request: Request) -> Iterator[str | Reply]:
        with closing(self.model.stream(request)) as stream:
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


def _without_instructed(given: PartAnswer) -> PartAnswer:
    """Leave out quotations of sections that speak to a program: no model is asked whether they are sound."""
    left_out = {item.section.section for item in given.material.sections if instructed(item)}
    kept = tuple(one for one in given.sentences if not any(cited.section in left_out for cited in one.citations))
    return replace(given, sentences=kept, status=given.status if kept else NOT_ENOUGH_EVIDENCE)


def no_model() -> NoReturn:
    """Refuse to write, where whoever makes the answerer gives it no model.

    Raises:
        SettingsError: Always.
    """
    raise SettingsError("no language model is at hand; set MEDGRAPH_MODEL, and ask as `medgraph ask` does")
