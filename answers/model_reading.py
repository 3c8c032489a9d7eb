"""Lets a language model read messages, dialogue turns, passages and claims in place of rules.

Rules stand in where the model fails, and the answer says so.

Of a claim for which words alone find no evidence, and nothing against it, a model has to quote the words that say so,
which are looked for letter by letter; rules object to a number, a name or a direction as before. Among the claims stand
some whose verdict is known: sentences of a section, which it says, and sentences of another section, which it does not.
A model that gets one of these wrong is not believed at all.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import msgspec

from ..errors import InputError, ModelError, ModelReplyError, SettingsError
from ..models.protocol import Request, Usage
from ..patterns import threshold
from ..queries.lucene import all_words
from ..queries.message import LONGEST_PREVIOUS
from ..queries.question import words_of
from ..queries.salience import stem
from ..text import is_english, spaced
from .answer import SUPPORTED, Claim, Reading, Sentence, Span, Stage
from .citing import citation_of
from .part_answers import Material
from .parts import MOST, QuestionPart, is_plain
from .prompting import escaped, fenced, instructs, numbered, prompt
from .scoring import in_order, sentences_of
from .verify.claims import names_of
from .verify.naming import short_forms, written_out
from .verify.passages import statements
from .verify.rules import DIRECTION, NEGATION, NUMBER, UNIT, compare, statement, table

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from ..embeddings.candidate_sentences import CandidateSentence
    from ..models.protocol import Model
    from ..queries.question import Question
    from ..queries.retriever import SectionText
    from .prompting import NumberedEvidence
    from .scoring import ScoredSection

SURE: Final = threshold("answers.model_reading.sure")
CONTROLS: Final = 2  # claims of each known verdict that are asked among the others, at most; set by hand
APART: Final = threshold("answers.model_reading.apart")
WHOLE: Final = 3000  # characters of a section that is read as a whole, at most; set by hand
WORDS: Final = 8  # words of a sentence whose verdict is known, at least; set by hand

# Letters, at least, of a word that no lexicon of English has, and that is then taken for a name; set by hand.
NAME: Final = 4

# What rules object to, however a model judges: what differs, and what is said the other way round.
_DIFFERENT: Final = frozenset((NUMBER, UNIT))
_OPPOSED: Final = frozenset((DIRECTION, NEGATION))


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sentence that words alone do not support, with the sections that it cites."""

    text: str
    cited: tuple[NumberedEvidence, ...]


@dataclass(frozen=True, slots=True)
class _Claim:
    """A claim that the model is asked about, with its verdict where that is known."""

    doubt: Doubt
    known: bool | None = None


def is_open(text: str, cited: Sequence[NumberedEvidence]) -> bool:
    """Tell whether a model may say that sections support a sentence: they have its names, and it instructs nobody."""
    if instructs(text) or not cited or any(item.section is None for item in cited):
        return False
    sections = [item.section.section for item in cited if item.section]
    said = " ".join(f"{'. '.join(names_of(one))}. {one.heading}. {one.text}" for one in sections)
    text = written_out(text, short_forms(f"{text} {said}"))
    said = written_out(said, short_forms(f"{text} {said}"))
    there = set(map(stem, all_words(said)))
    new = {word for word in all_words(text) if len(word) >= NAME and stem(word) not in there}
    names = {word for word in new if not (is_english(word) or is_english(word.removesuffix("s")))}
    drugs = set(statement(text).words) - set(statement(said).words)
    return not names and drugs.isdisjoint(table().substances)


def judge_claims(
    doubts: Sequence[Doubt], items: Sequence[NumberedEvidence], reply: Callable[[Any, dict[str, str]], Any]
) -> list[Sentence | None]:
    """Let a model read whether sections (`items`) say sentences; None for those that nothing says.

    Args:
        reply: Asks the model: takes a schema and the variables of the prompt, and gives the reply's value.

    Raises:
        ModelReplyError: The model judged claims wrongly whose verdict is known, or not those that it was given.
    """
    controls = list(_controls([item for item in items if item.section]))
    if not any(one.known is False for one in controls):
        raise ModelReplyError("there is no second section by which its judgement could be checked")
    # By their texts, so that nothing tells which of them are known.
    asked = sorted((*map(_Claim, doubts), *controls), key=lambda one: one.doubt.text)
    named = {f"C{number}": one for number, one in enumerate(asked, 1)}
    given = {item.id: item for one in asked for item in one.doubt.cited}
    told = {
        "claims": "\n".join(_element(name, one.doubt) for name, one in named.items()),
        "evidence": fenced([_whole(item) for item in given.values()]),
    }
    schema = _verdicts_of("Claims", list(named), says=bool, quotes=list[str])
    found = {one.id: one for one in reply(schema, told).claims}
    if found.keys() != named.keys():
        raise ModelReplyError("it did not judge the claims that it was given")
    for name, one in named.items():
        if one.known is not None and found[name].says != one.known:
            raise ModelReplyError(f"it judged a claim wrongly whose verdict is known: {one.doubt.text!r}")
    verdicts = {one.doubt.text: found[name] for name, one in named.items() if one.known is None}
    return [_quoted(doubt, verdicts[doubt.text].quotes) if verdicts[doubt.text].says else None for doubt in doubts]


def _whole(item: NumberedEvidence) -> NumberedEvidence:
    """Give a section that is not long as a whole, of which the model that wrote had some sentences."""
    text = " ".join(item.section.section.text.split()) if item.section else ""
    return replace(item, text=text) if 0 < len(text) <= WHOLE else item


def _controls(items: Sequence[NumberedEvidence]) -> Iterator[_Claim]:
    """Give claims whose verdict is known: what a section says word for word, and what only another section says.

    Each is another sentence, so that no claim is asked twice.
    """
    pairs = list({sentence: item for item in items if (sentence := _telling(item))}.items())
    right = min(CONTROLS, max(1, len(pairs) // 2))
    yield from (_Claim(Doubt(sentence, (item,)), known=True) for sentence, item in pairs[:right])
    wrong = {
        sentence: _Claim(Doubt(sentence, (item,)), known=False)
        for item, (sentence, other) in itertools.product(items, pairs[right:])
        if item.section and other.section and item.section.section.section != other.section.section.section
        if compare(sentence, item.section.section.text).covered <= APART
    }
    yield from itertools.islice(reversed(wrong.values()), CONTROLS)


def _telling(item: NumberedEvidence) -> str:
    texts = (one.text for one in sentences_of(item.section) if one.text in item.text) if item.section else iter(())
    return next((text for text in texts if len(text.split()) >= WORDS and not instructs(text)), "")


def _quoted(doubt: Doubt, quotes: Sequence[str]) -> Sentence | None:
    """Cite the sentences that quotations stand in; None where one stands nowhere, or a rule objects."""
    titles = " ".join(
        f"{one.section.section.title} {one.section.section.heading}" for one in doubt.cited if one.section
    )
    quotes = [quote for quote in quotes if " ".join(quote.split()) not in titles]
    found = [place for quote in quotes if (place := _place(quote, doubt.cited))]
    if not found or len(found) < len(quotes):
        return None
    said = " ".join(span.text for _, span in found)
    about = " ".join(section.title for section, _ in found)
    compared = compare(doubt.text, said, about=about)
    if compared.differ & _DIFFERENT or compared.opposed & _OPPOSED:
        return None
    citations = tuple(dict.fromkeys(citation_of(section, span) for section, span in found))
    first = citations[0]
    span = Span(first.section, first.start, first.end, first.quote)
    return Sentence(doubt.text, citations, SUPPORTED, SURE, (Claim(doubt.text, SUPPORTED, SURE, span),))


def _place(quote: str, cited: Sequence[NumberedEvidence]) -> tuple[SectionText, CandidateSentence] | None:
    if len(quote.split()) < 2:
        return None
    pattern = re.compile(spaced(quote))
    for section in (item.section.section for item in cited if item.section):
        text = section.text
        if place := pattern.search(text):
            within = [one for one in statements(text) if one.end > place.start() and one.start < place.end()]
            if within:
                start, end = within[0].start, within[-1].end
                return section, replace(within[0], start=start, end=end, text=" ".join(text[start:end].split()))
    return None


def _element(name: str, doubt: Doubt) -> str:
    texts = " ".join(item.id for item in doubt.cited)
    return f'<claim id="{name}" texts="{texts}">{escaped(doubt.text)}</claim>'


def _verdicts_of(name: str, ids: Sequence[str], **fields: Any) -> Any:
    """Make the type of a reply that has a verdict with some fields on each of some ids, and on nothing else."""
    known = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(ids)})]
    verdict = msgspec.defstruct("Verdict", [("id", known), *fields.items()])
    return msgspec.defstruct(name, [(name.lower(), list[verdict])])  # type: ignore[valid-type]


Output = TypeVar("Output")

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
PARTLY: Final = threshold("answers.model_reading.partly")


class Questions(msgspec.Struct):
    """What a message asks."""

    questions: list[str]


class Whole(msgspec.Struct):
    """A turn of a dialogue that is whole by itself."""

    question: str


class ModelReading:
    """What a language model reads of one question, of `messages`, `turns`, `passages` and `claims`."""

    def __init__(self, load: Callable[[], Model], stages: Collection[str] = ()) -> None:
        self._load, self._stages = load, stages
        self.done: list[Reading] = []
        self._used: Usage

    def does(self, stage: Stage) -> bool:
        """Tell whether a stage is read."""
        return stage in self._stages

    def turn(self, said: str, previous: Sequence[str]) -> str | None:
        """Complete what somebody says in a dialogue; None where rules are to; RequestsWaitError while a batch waits."""

        def ask(model: Model) -> str:
            told = {"previous": escaped("\n".join(previous)), "said": escaped(said)}
            return _question(self._reply(model, "turns", Whole, told).question)

        return self._run("turns", ask) if previous else None

    def message(self, question: Question) -> tuple[list[QuestionPart], tuple[str, ...]] | None:
        """Put plainly what a message or a question asks, and what it asks beyond; None where rules take it apart."""

        def ask(model: Model) -> list[str]:
            found = self._reply(model, "messages", Questions, {"message": escaped(question.text)}).questions
            if not found:
                raise ModelReplyError("it found no question in the message")
            return list(dict.fromkeys(map(_question, found)))

        asked = self._run("messages", ask) if self.does("messages") and not is_plain(question) else None
        if asked is None:
            return None
        return [QuestionPart(text, one, one) for text in asked[:MOST] for one in [question.reworded(text)]], (
            *asked[MOST:],
        )

    def passages(self, asked: str, evidence: Sequence[ScoredSection], least: float) -> list[ScoredSection] | None:
        """Judge whether the likeliest sections answer, `least` likely: those that do, and those that do in part.

        The latter are no likelier to than they were, and quoted as related at most; None where rules are to tell.
        """

        def ask(model: Model) -> list[ScoredSection]:
            items = numbered(Material(evidence), model.count_tokens, min(EVIDENCE, model.context - FRAME))
            given = {item.id: item.section for item in items if item.section}
            told = {"question": escaped(asked), "evidence": fenced(items)}
            schema = _verdicts_of("Verdicts", list(given), answers=Literal["yes", "partly", "no"])
            verdicts = self._reply(model, "passages", schema, told).verdicts if given else ()
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

        return self._run("passages", ask) if evidence else None

    def claims(self, doubts: Sequence[Doubt], items: Sequence[NumberedEvidence]) -> list[Sentence | None] | None:
        """Read whether sections say sentences that words alone do not support (`judge_claims`); None where it fails."""

        def ask(model: Model) -> list[Sentence | None]:
            return judge_claims(doubts, items, partial(self._reply, model, "claims", more=CLAIM * len(doubts)))

        return self._run("claims", ask)

    def _run(self, stage: Stage, ask: Callable[[Model], Output]) -> Output | None:
        if not self.does(stage):
            return None
        name, file, found, reason = "", prompt(PROMPTS[stage]), None, None
        self._used = Usage()
        try:
            model = self._load()
            name = model.name
            if model.small and stage == "messages":
                return None
            found = ask(model)
        except (ModelError, SettingsError) as error:
            reason = str(error)
        self.done.append(Reading(stage, name, f"{file.name}@{file.hash}", reason, **asdict(self._used)))
        return found

    def _reply(self, model: Model, stage: Stage, schema: Any, told: dict[str, str], more: int = 0) -> Any:
        messages = prompt(PROMPTS[stage]).fill(**told)
        reply = model.complete(Request(messages, schema, max_tokens=REPLY + more, seed=0))
        self._used = reply.usage
        return reply.value


def claim_judge(
    reading: ModelReading | None, model: Model
) -> Callable[[Sequence[Doubt], Sequence[NumberedEvidence]], list[Sentence | None] | None] | None:
    """Give what lets a model read claims; None where it is not to, or is small."""
    return reading.claims if reading and reading.does("claims") and not model.small else None


def _question(text: str) -> str:
    line = " ".join(text.split())
    try:
        words_of(line)
    except InputError as error:
        raise ModelReplyError(f"it gave no question: {error}") from None
    if len(line) > LONGEST_PREVIOUS:
        raise ModelReplyError(f"it gave a question of {len(line):,} characters")
    return line
