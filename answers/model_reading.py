"""Lets a language model read messages, dialogue turns, passages and claims in place of rules.

Rules stand in where the model fails, and the answer says so.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import msgspec

from ..errors import InputError, ModelError, ModelReplyError, SettingsError
from ..models.protocol import Request, Usage
from ..queries.message import LONGEST_PREVIOUS
from ..queries.question import words_of
from .claim_reading import read_claims
from .generation import Reading, Stage
from .part_answers import Material
from .parts import MOST, QuestionPart, is_plain
from .prompting import escaped, fenced, numbered, prompt
from .scoring import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ..models.protocol import Model
    from ..queries.question import Question
    from .answer import Sentence
    from .claim_reading import Doubt
    from .prompting import NumberedEvidence
    from .scoring import ScoredSection

Read = TypeVar("Read")

PROMPTS: Final[dict[Stage, str]] = {
    "messages": "read_message",
    "turns": "read_turn",
    "passages": "read_passages",
    "claims": "read_claims",
}

REPLY: Final = 400  # tokens that the model may write; set by hand
CLAIM: Final = 150  # tokens that it may write besides for each claim that it reads; set by hand

# Tokens of the passages that it judges, at most, and those kept for prompt, schema and reply; set by hand.
EVIDENCE: Final = 3000
FRAME: Final = 1500

# Share of the least likelihood of an answer that a passage has, at most, which answers in part; set by hand.
PARTLY: Final = 0.99


class Questions(msgspec.Struct):
    """What a message asks."""

    questions: list[str]


class Whole(msgspec.Struct):
    """A turn of a dialogue that is whole by itself."""

    question: str


class ModelReading:
    """What a language model reads of one question.

    Args:
        stages: What it reads: any of `messages`, `turns`, `passages` and `claims`.
    """

    def __init__(self, load: Callable[[], Model], stages: Collection[str] = ()) -> None:
        self._load, self._stages = load, stages
        self.done: list[Reading] = []
        self._used: Usage

    def does(self, stage: Stage) -> bool:
        """Tell whether a stage is read."""
        return stage in self._stages

    def turn(self, said: str, previous: Sequence[str]) -> str | None:
        """Complete what somebody says in a dialogue; None where rules are to.

        Raises:
            RequestsWaitError: In batch mode, the reply is not there yet.
        """

        def ask(model: Model) -> str:
            told = {"previous": escaped("\n".join(previous)), "said": escaped(said)}
            return _question(self._reply(model, "turns", Whole, told).question)

        return self._read("turns", ask) if previous else None

    def message(self, question: Question) -> tuple[list[QuestionPart], tuple[str, ...]] | None:
        """Put plainly what a message or a question asks, and what it asks beyond what is answered at once.

        Returns:
            None where it is plain, and where rules are to take it apart.

        Raises:
            RequestsWaitError: In batch mode, the reply is not there yet.
        """

        def ask(model: Model) -> list[str]:
            found = self._reply(model, "messages", Questions, {"message": escaped(question.text)}).questions
            if not found:
                raise ModelReplyError("it found no question in the message")
            return list(dict.fromkeys(map(_question, found)))

        asked = self._read("messages", ask) if self.does("messages") and not is_plain(question) else None
        if asked is None:
            return None
        return [QuestionPart(text, one, one) for text in asked[:MOST] for one in [question.reworded(text)]], (
            *asked[MOST:],
        )

    def passages(self, asked: str, evidence: Sequence[ScoredSection], least: float) -> list[ScoredSection] | None:
        """Judge whether the likeliest sections answer.

        Args:
            least: How likely a section must answer to be quoted as an answer.

        Returns:
            The sections that answer, and those that answer in part, which are no likelier to than they were and can be
            quoted as related at most; None where rules are to tell.

        Raises:
            RequestsWaitError: In batch mode, the reply is not there yet.
        """

        def ask(model: Model) -> list[ScoredSection]:
            items = numbered(Material(evidence), model.count_tokens, min(EVIDENCE, model.context - FRAME))
            given = {item.id: item.section for item in items if item.section}
            told = {"question": escaped(asked), "evidence": fenced(items)}
            verdicts = self._reply(model, "passages", _schema_of(list(given)), told).verdicts if given else ()
            found = {one.id: one.answers for one in verdicts}
            if found.keys() != given.keys():
                raise ModelReplyError("it did not judge the passages that it was given")
            answering = [
                replace(item, answers=max(item.answers, least), related=1.0)
                if found[name] == "yes"
                else replace(item, answers=min(item.answers, PARTLY * least))
                for name, item in given.items()
                if found[name] != "no"
            ]
            return in_order(answering)

        return self._read("passages", ask) if evidence else None

    def claims(self, doubts: Sequence[Doubt], items: Sequence[NumberedEvidence]) -> list[Sentence | None] | None:
        """Read whether sections say sentences that words alone do not support; see `claim_reading`.

        Args:
            items: The evidence that the sentences could have cited.

        Returns:
            Each sentence with what it cites, or None where nothing says it; None where the model fails.

        Raises:
            RequestsWaitError: In batch mode, the reply is not there yet.
        """

        def ask(model: Model) -> list[Sentence | None]:
            return read_claims(
                doubts, items, lambda schema, told: self._reply(model, "claims", schema, told, CLAIM * len(doubts))
            )

        return self._read("claims", ask)

    def _read(self, stage: Stage, ask: Callable[[Model], Read]) -> Read | None:
        """Let the model read, and note that it did, or why rules stand in."""
        if not self.does(stage):
            return None
        name, file = "", prompt(PROMPTS[stage])
        self._used = Usage()
        try:
            model = self._load()
            name = model.name
            if model.small and stage == "messages":
                return None
            found = ask(model)
        except (ModelError, SettingsError) as error:
            self.done.append(Reading(stage, name, f"{file.name}@{file.hash}", str(error), **asdict(self._used)))
            return None
        self.done.append(Reading(stage, name, f"{file.name}@{file.hash}", **asdict(self._used)))
        return found

    def _reply(self, model: Model, stage: Stage, schema: Any, told: dict[str, str], more: int = 0) -> Any:
        messages = prompt(PROMPTS[stage]).fill(**told)
        reply = model.complete(Request(messages, schema, max_tokens=REPLY + more, seed=0))
        self._used = reply.usage
        return reply.value


def reads_claims(
    reading: ModelReading | None, model: Model
) -> Callable[[Sequence[Doubt], Sequence[NumberedEvidence]], list[Sentence | None] | None] | None:
    """Give what lets a model read claims; None where it is not to, or is small."""
    return reading.claims if reading and reading.does("claims") and not model.small else None


def _schema_of(ids: Sequence[str]) -> Any:
    judged = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(ids)})]
    verdict = msgspec.defstruct("Verdict", [("id", judged), ("answers", Literal["yes", "partly", "no"])])
    return msgspec.defstruct("Verdicts", [("verdicts", list[verdict])])  # type: ignore[valid-type]


def _question(text: str) -> str:
    """Write a question on one line, if it is one."""
    line = " ".join(text.split())
    try:
        words_of(line)
    except InputError as error:
        raise ModelReplyError(f"it gave no question: {error}") from None
    if len(line) > LONGEST_PREVIOUS:
        raise ModelReplyError(f"it gave a question of {len(line):,} characters")
    return line
