"""An answer that a language model writes: each sentence cited, and checked against its sources before it is shown."""

from __future__ import annotations

import html
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NoReturn, cast

from ...errors import ModelError, SchemaMismatchError, SettingsError
from ...models.protocol import Reply, Request
from ..answer import ANSWERED, NO_EVIDENCE, RELATED, SUPPORTED, Sentence
from ..facts import is_named
from ..generation import Dropped, Generation
from ..prompting import prompt
from ..verify.chances import Chances
from ..verify.supporting import citing
from ..verify.verifier import DROP, FLAG, verified
from .drafts import Draft, drafts_of, schema_of
from .numbered import fenced, numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from ...models.protocol import Model
    from ...timing import Clock
    from ..given import Given
    from ..verify.reader import Reader
    from .composer import Tell
    from .numbered import Numbered

PROMPT: Final = "generated"

REPLY: Final = 800
"""Tokens that the model may write for each thing that a question asks; set by hand."""

EVIDENCE: Final = 4000
"""Tokens of evidence that it is given, at most, however long its context is; set by hand."""

SCHEMA: Final = 400
"""Tokens that the schema in words and the frames of messages may take besides."""

SILENT: Final = "the model found no answer in the evidence"
UNSUPPORTED: Final = "no sentence of the model is supported by what it cites"
NOTHING: Final = "nothing was found that the model could answer from"

SEED: Final = 0


@dataclass(slots=True)
class Writing:
    """One answer in the making, with what becomes of the model's sentences.

    Attributes:
        asked: What it answers.
        sentences: Those that are shown.
        dropped: Those that are not.
        removed: Ids that were cited and not given.
        evidence: Ids of the sections that were given.
        replies: The model's replies.
        fallback: Why the extractive answer stands in; None where the model's own stands.
    """

    asked: str
    sentences: list[Sentence] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    removed: int = 0
    evidence: list[str] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    fallback: str | None = None


class Generated:
    """Writes answers with a language model.

    Args:
        model: The model.
        unsupported: What becomes of sentences that what they cite does not support: `drop` or `flag`.
        reader: Gives what reads claims together with their evidence; None where they are judged by words.
    """

    def __init__(
        self, model: Model, unsupported: str = DROP, reader: Callable[[], Reader | None] = lambda: None
    ) -> None:
        self._model = model
        self._unsupported = unsupported
        self._reader = reader

    def write(self, whole: str, given: Given, clock: Clock, tell: Tell) -> tuple[Given, Writing]:
        """Answer one thing that a question asks.

        Args:
            whole: All that was typed, as it was understood.
            given: The extractive answer to it, with the material that it was made of.
            clock: Times the model (`generate`) and the checks (`verify`).
            tell: Told of each sentence that is settled, and of each piece of a reply by an empty name; what it raises
                ends the call.

        Returns:
            The model's answer, or the extractive one where that has to stand in; and what became of its sentences.
            Where the model finds no answer, what is quoted is only related.
        """
        writing = Writing(given.part.asked)
        frame = self._request(whole, given.part.asked, ())
        read = sum(self._model.count_tokens(message.content) for message in frame.messages)
        room = self._model.context - read - REPLY - SCHEMA
        items = numbered(given.material, self._model.count_tokens, min(EVIDENCE, room))
        if not items:
            writing.fallback = NOTHING
            return given, writing
        writing.evidence = [item.section.section.section for item in items if item.section]
        request = self._request(whole, given.part.asked, items)
        try:
            for sentence in self._settled(request, items, writing, clock, tell):
                writing.sentences.append(sentence)
                tell("sentence", sentence)
        except ModelError as error:
            writing.fallback = str(error)
        if writing.fallback is None and not any(one.verdict == SUPPORTED for one in writing.sentences):
            writing.fallback = UNSUPPORTED if writing.dropped or writing.sentences else SILENT
        if writing.fallback is None:
            return replace(given, status=ANSWERED, sentences=tuple(writing.sentences), apart=()), writing
        silent = writing.fallback == SILENT and given.status == ANSWERED
        return replace(given, status=RELATED) if silent else given, writing

    def _request(self, whole: str, question: str, items: Sequence[Numbered]) -> Request:
        told = {name: html.escape(text, quote=False) for name, text in (("whole", whole), ("question", question))}
        messages = prompt(PROMPT).fill(**told, evidence=fenced(items))
        return Request(messages, schema_of([item.id for item in items]), max_tokens=REPLY, seed=SEED)

    def _settled(
        self,
        request: Request,
        items: Sequence[Numbered],
        writing: Writing,
        clock: Clock,
        tell: Tell,
    ) -> Iterator[Sentence]:
        """Give the sentences that are shown, each as soon as its citations and its verdict are settled."""
        known = {item.id: item for item in items}
        before: list[Numbered] = []
        waiting: list[Draft] = []
        said: set[str] = set()
        for draft in self._drafts(request, writing, clock, tell):
            cited = [known[name] for name in dict.fromkeys(draft.ids) if name in known]
            writing.removed += sum(name not in known for name in draft.ids)
            if draft.text in said or not draft.text:
                writing.dropped += [Dropped(draft.text, "repeated")] * bool(draft.text)
                continue
            said.add(draft.text)
            if not cited:
                joined = self._checked(draft.text, before, clock) if before else None
                if joined and joined.verdict == SUPPORTED:
                    yield joined
                else:
                    waiting.append(draft)
                continue
            for left in waiting:
                yield from self._joined(left, cited, writing, clock)
            waiting, before = [], cited
            yield from self._shown(self._checked(draft.text, cited, clock), writing)
        for left in waiting:
            writing.dropped.append(Dropped(left.text, "uncited"))

    def _joined(self, draft: Draft, cited: Sequence[Numbered], writing: Writing, clock: Clock) -> Iterator[Sentence]:
        """Give a sentence without citation where what the next one cites supports it."""
        joined = self._checked(draft.text, cited, clock)
        if joined.verdict == SUPPORTED:
            yield joined
        else:
            writing.dropped.append(Dropped(draft.text, "uncited"))

    def _shown(self, sentence: Sentence, writing: Writing) -> Iterator[Sentence]:
        if sentence.verdict == SUPPORTED or self._unsupported == FLAG:
            yield sentence
        else:
            writing.dropped.append(Dropped(sentence.text, sentence.verdict))

    def _drafts(self, request: Request, writing: Writing, clock: Clock, tell: Tell) -> Iterator[Draft]:
        """Give what the model writes; asked once more where its reply is not of the schema."""
        try:
            yield from self._asked(request, writing, clock, tell)
        except SchemaMismatchError:
            yield from self._asked(request, writing, clock, tell)

    def _asked(self, request: Request, writing: Writing, clock: Clock, tell: Tell) -> Iterator[Draft]:
        for one in drafts_of(self._pieces(request, clock, tell)):
            if isinstance(one, Reply):
                writing.replies.append(one)
            else:
                yield one

    def _pieces(self, request: Request, clock: Clock, tell: Tell) -> Iterator[str | Reply]:
        with closing(cast("Generator[str | Reply]", self._model.stream(request))) as stream:
            while True:
                with clock.step("generate"):
                    piece = next(stream, None)
                if piece is None:
                    return
                tell("", None)
                yield piece

    def _checked(self, text: str, cited: Sequence[Numbered], clock: Clock) -> Sentence:
        """Check a sentence against the sections that it cites or, where these do not say it, against the facts."""
        with clock.step("verify"):
            reader = self._reader()
            sections = [item.section for item in cited if item.section]
            facts = [fact for item in cited for fact in item.facts if is_named(fact, text.lower())]
            drafts = [citing(text, sections, Chances(reader))] if sections else []
            drafts += [Sentence(text, (), SUPPORTED, facts=tuple(dict.fromkeys(facts)))] if facts else []
            drafts = drafts or [Sentence(text, (), NO_EVIDENCE)]
            checked = verified(drafts, sections, FLAG, reader)
        return next((one for one in checked if one.verdict == SUPPORTED), checked[0])

    def told(self, writings: Sequence[Writing]) -> Generation:
        """Tell how an answer was written.

        Args:
            writings: What became of each thing asked.

        Returns:
            The record that the answer carries.
        """
        replies = [reply for writing in writings for reply in writing.replies]
        costs = [reply.usage.cost for reply in replies if reply.usage.cost is not None]
        several = len(writings) > 1
        reasons = [f"{one.asked} {one.fallback}" if several else one.fallback for one in writings if one.fallback]
        file = prompt(PROMPT)
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
            fallback="; ".join(dict.fromkeys(reasons)) or None,
            remarks=tuple(dict.fromkeys(remark for reply in replies for remark in reply.remarks)),
        )


def no_model() -> NoReturn:
    """Refuse to write, where whoever makes the answerer gives it no model.

    Raises:
        SettingsError: Always.
    """
    raise SettingsError("no language model is at hand; set MEDGRAPH_MODEL, and ask as `medgraph ask` does")
