"""Parses a language model's reply as it streams into sentences with citations, and tracks which are shown."""

from __future__ import annotations

import itertools
import json
import re
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from ...errors import SchemaMismatchError
from ...models.protocol import Reply
from ..answer import NO_EVIDENCE, SUPPORTED, Sentence
from ..claim_reading import Doubt, is_open
from ..facts import is_named
from ..generation import Dropped, Generation
from ..verify.claims import Chances
from ..verify.statement import statement
from ..verify.supporting import citing
from ..verify.verifier import FLAG, verified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...models.protocol import Model, Request
    from ...progress import Clock
    from ..prompting import Prompt
    from ..verify.reader import ClaimReader
    from .composer import Tell
    from .numbered import NumberedEvidence

_OPENING: Final = re.compile(r'\{\s*"sentences"\s*:\s*\[')
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
            whole = (Draft(_line(one.text), tuple(one.ids)) for one in piece.value.sentences)
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
    if not place and (opening := _OPENING.search(text)):
        place = opening.end()
    drafts: list[Draft] = []
    while place:
        try:
            value, place = _DECODER.raw_decode(text, len(text) - len(text[place:].lstrip(_BETWEEN)))
            drafts.append(Draft(_line(value["text"]), tuple(map(str, value["ids"]))))
        except (ValueError, TypeError, KeyError, AttributeError):
            break
    return drafts, place


def _line(text: str) -> str:
    return " ".join(text.split())


# What asks whether something is so, to which its own words may be the answer.
_WHETHER: Final = re.compile(
    r"(?:\A|[.,;:!?]\s+|\b(?:whether|if|and|or)\s+)(?:is|are|was|were|do|does|did|can|could|may|might|will|would|should|has|have)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Writing:
    """Sentences in the making, with what becomes of each.

    Attributes:
        unsupported: What becomes of sentences that what they cite does not support: `drop` or `flag`.
        clock: Times the model (`generate`) and the checks (`verify`).
        tell: Told of each sentence that is shown, and of each piece of a reply by an empty name; what it raises ends
            the call.
        read: Lets a model read whether sections say what words alone do not support; None where none does.
        removed: Ids that were cited and not given.
        places: The place of each sentence among those written.
    """

    unsupported: str
    reader: Callable[[], ClaimReader | None]
    clock: Clock
    tell: Tell
    read: Callable[[Sequence[Doubt], Sequence[NumberedEvidence]], list[Sentence | None] | None] | None = None
    dropped: list[Dropped] = field(default_factory=list)
    removed: int = 0
    replies: list[Reply] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
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

    def settled(
        self, drafts: Iterable[Draft], items: Sequence[NumberedEvidence], asked: str = ""
    ) -> Iterator[Sentence]:
        """Give the sentences that are shown, each as soon as its citations and its verdict are settled.

        Those that a model reads again come last; `shown` puts them where they were written. What only echoes the
        question `asked` is left out.
        """
        known = {item.id: item for item in items}
        before: list[NumberedEvidence] = []
        waiting: list[str] = []
        said: set[str] = set()
        for draft in drafts:
            cited = [known[name] for name in dict.fromkeys(draft.ids) if name in known]
            self.removed += sum(name not in known for name in draft.ids)
            if not draft.text or draft.text in said or _echoes(draft.text, asked):
                self.dropped += [Dropped(draft.text, "repeated")] * bool(draft.text)
                continue
            said.add(draft.text)
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
        self.dropped += [Dropped(text, "uncited") for text in waiting]
        yield from self._read_again(items)

    def shown(self, drafts: Iterable[Draft], items: Sequence[NumberedEvidence], asked: str) -> tuple[Sentence, ...]:
        """Settle what was written, tell of each sentence that is shown (`sentence`), and give them in their order."""
        sentences = []
        for sentence in self.settled(drafts, items, asked):
            sentences.append(sentence)
            self.tell("sentence", sentence)
        return self._in_order(sentences)

    def _in_order(self, sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
        """Put sentences into the order in which they were written."""
        return tuple(sorted(sentences, key=lambda one: self.places[one.text]))

    def _read_again(self, items: Sequence[NumberedEvidence]) -> Iterator[Sentence]:
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
            self.dropped.append(Dropped(sentence.text, "uncited" if uncited else sentence.verdict))

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
    return not mine.numbers and {*mine.words} <= {*other.words} and not _WHETHER.search(asked)


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
