"""Data types of an answer: sentences with citations, claims and verdicts, emergency advice and questions back."""

from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from ..queries.entities import Mention
from ..queries.voices import Backing, PathVoice, RelationSource
from ..schema.checks import Count, Share
from .generation import Generation, PipelineTrace, Reading

NUMBER: Final = "your local emergency number (911 in the US, 112 in the EU, 999 in the UK)"

NOTICE: Final = (
    "This is general information, not medical advice; ask a health professional about your own case. "
    f"In an emergency, call {NUMBER}."
)

ANSWERED: Final = "answered"
RELATED: Final = "related"
NOT_ENOUGH_EVIDENCE: Final = "not_enough_evidence"

SUPPORTED: Final = "supported"
CONTRADICTED: Final = "contradicted"
NO_EVIDENCE: Final = "no_evidence"

Status = Literal["answered", "related", "not_enough_evidence"]
Verdict = Literal["supported", "contradicted", "no_evidence"]


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a sentence comes from.

    Attributes:
        section: The section's id.
        document: The document's id.
        title: The document's title.
        url: Where people read it.
        source: The source's id.
        licence: The source's licence.
        start: Offset of the quoted span in the section's text.
        end: Offset behind it.
        quote: The span, as it stands there.
        cypher: A statement that shows the section in Neo4j Browser.
        notices: What was made known of the document later, such as `expression of concern PMID:1`.
        type: What the section is about.
        publisher: The journal, the institute or else the source that the document is of.
        published: When the document came out, an ISO date or the first parts of one; empty where nobody says so.
        dated: Of when it is, in words: `from 2011, more than ten years old`; `from 2019 or before` where only the
            release of its source is known; empty where nobody says so.
        retired: What became of the site that `url` leads to, where that is retired; empty otherwise.
    """

    section: str
    document: str
    title: str
    url: str
    source: str
    licence: str
    start: Count
    end: Count
    quote: str
    cypher: str
    notices: tuple[str, ...] = ()
    type: str = ""
    publisher: str = ""
    published: str = ""
    dated: str = ""
    retired: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """The words that decide whether a claim holds.

    Attributes:
        section: The section's id.
        start: Offset of the first character in the section's text.
        end: Offset behind the last one.
        quote: What stands there.
    """

    section: str
    start: Count
    end: Count
    quote: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A part of a sentence that was checked by itself.

    Attributes:
        text: The claim.
        verdict: Whether what the sentence cites says so: `supported`, `contradicted` or `no_evidence`.
        probability: How likely the verdict is right, from 0 to 1.
        span: The words that decide; none where nothing is cited.
    """

    text: str
    verdict: Verdict
    probability: Share
    span: Span | None


@dataclass(frozen=True, slots=True)
class CitedFact:
    """A relation of the graph that a sentence rests on.

    Attributes:
        subject: Id of the concept that the sentence is about.
        subject_name: What that is called, as it is written within a sentence.
        relation: The relation's type.
        forward: Whether it leads from the subject to the object; otherwise it leads back, as `TREATS` does.
        object: Id of the concept, or of the term, that it is related to.
        object_name: What that is called, as it is written within a sentence.
        label: Its category; `Term` for a phrase that no vocabulary has.
        text: The fact by itself, as a sentence.
        said: Who says so: what sources state (`stated`) before what was read from texts (`section`, `term`), each with
            licences, score and evidence.
        cypher: A statement that shows it in Neo4j Browser.
        backing: Who states it, who tells it, and what that is worth.
    """

    subject: str
    subject_name: str
    relation: str
    forward: bool
    object: str
    object_name: str
    label: str
    text: str
    said: tuple[PathVoice, ...]
    cypher: str
    backing: Backing = field(default_factory=Backing)


@dataclass(frozen=True, slots=True)
class ShortForm:
    """A short form, and what it stands for.

    Attributes:
        short: The short form, such as `PKD`.
        long: What the section that is quoted explains it with.
    """

    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer.

    Attributes:
        text: The sentence.
        citations: What it rests on; nothing where it rests on facts.
        verdict: Whether what it cites says so: `supported`, `contradicted` or `no_evidence`; the worst of its claims.
        probability: How likely the verdict is right, from 0 to 1.
        claims: Its claims, in order, each with what decides.
        sources: How many sources say so, each part of a source that has parts being one.
        agreeing: Where other sources say the same.
        contradicting: Where other documents say the opposite.
        facts: Relations of the graph that it rests on, where it quotes no text; its claims are theirs, in their order.
        about: What its page is about, where that is not exactly what is asked about and the sentence does not say so.
        short_forms: Short forms that it has, and its section explains elsewhere.
    """

    text: str
    citations: tuple[Citation, ...]
    verdict: Verdict
    probability: Share = 1.0
    claims: tuple[Claim, ...] = ()
    sources: Count = 1
    agreeing: tuple[Citation, ...] = ()
    contradicting: tuple[Citation, ...] = ()
    facts: tuple[CitedFact, ...] = ()
    about: str = ""
    short_forms: tuple[ShortForm, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """Whom to call.

    Attributes:
        number: The number, as people write it.
        where: Where it holds, and whose it is; empty where it holds for all who ask.
    """

    number: str
    where: str


@dataclass(frozen=True, slots=True)
class Urgent:
    """What to do first in an emergency that a question tells of.

    Attributes:
        kind: The kind of emergency, such as `stroke`.
        title: What it may be.
        text: What to do, in plain words.
        source: The page that says so.
        url: Where people read it.
        calls: Whom to call.
    """

    kind: str
    title: str
    text: str
    source: str
    url: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply to a question back.

    Attributes:
        text: The reply, in a word or two.
        question: What it makes of the question: one that is whole by itself.
    """

    text: str
    question: str


@dataclass(frozen=True, slots=True)
class AskBack:
    """A question back, where a question is too open: what to ask of it, or which of several things is meant.

    Attributes:
        question: The question back, with the replies in it.
        replies: What to reply, the one that most evidence is for first.
    """

    question: str
    replies: tuple[Reply, ...]


class Found:
    """What was found for a question, cited or not: a section, or a page of which the graph has the address only."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class FoundSection(Found):
    """A section that was found for a question, cited or not.

    Attributes:
        section: The section's id.
        document: The document's id.
        title: The document's title.
        url: Where people read it.
        source: The source's id.
        licence: The source's licence.
        type: What the section is about.
        question: The question it answers.
        score: What evidence is ranked by.
        dated: Of when it is, as of a citation.
        retired: What became of the site that `url` leads to, as of a citation.
    """

    section: str
    document: str
    title: str
    url: str
    source: str
    licence: str
    type: str
    question: str
    score: float
    dated: str = ""
    retired: str = ""


@dataclass(frozen=True, slots=True)
class FoundPage(Found):
    """A page that answers a question, of which the graph has the address only.

    Attributes:
        document: The document's id.
        title: The document's title.
        url: Where people read it.
        source: The source's id.
        licence: The source's licence.
        type: What the page's question asks for.
        question: The question it answers.
        answered_at: Where the answer stands.
        score: What pages are ranked by.
        retired: What became of the site that `answered_at` leads to, as of a citation.
    """

    document: str
    title: str
    url: str
    source: str
    licence: str
    type: str
    question: str
    answered_at: str
    score: float
    retired: str = ""


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The answer to one thing that a question asks.

    Attributes:
        asked: What it asks, as far as it was understood.
        status: `answered`; `related`, where nothing answers it, and what is quoted is only about the same; or
            `not_enough_evidence`.
        sentences: Numbers of its sentences among those of the answer, from 0.
        confidence: How likely what is quoted answers it, from 0 to 1.
        closest: Where something else is answered and this is not: numbers of what comes closest to it, among `closest`
            of the answer, from 0.
    """

    asked: str
    status: Status
    sentences: tuple[Count, ...]
    confidence: Share
    closest: tuple[Count, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer, or word that there is none.

    Attributes:
        question: The question.
        status: `answered`, where at least one thing asked is; `related`, where nothing answers it exactly, and what is
            quoted is only about the same; or `not_enough_evidence`.
        sentences: The answer; empty without enough evidence.
        entities: What the question was understood to name.
        intent: The section type it was understood to ask for.
        evidence: What was found, best first, with pages that answer the question elsewhere where no section does.
        confidence: How likely what is quoted, or would have been, answers the question, from 0 to 1.
        timing_ms: Milliseconds spent on each step.
        notice: That it is no medical advice.
        intents: All section types it was understood to ask for, the plainest first.
        unanswered: What of it an answer does not answer, where it answers something else, and what is left out because
            it asks more than is answered at once.
        parts: What it asks, one thing or several, each with its own sentences.
        urgent: What to do first, where the question tells of an emergency or asks what to do in one; what else is
            answered comes after it, and nothing that is only related.
        remark: Why the text is not answered: another language, a greeting, not about health; empty otherwise.
        caution: That nothing speaks of those for whom it is asked (a child, another medicine), and whom to ask.
        understood: The question, whole by itself: what the next one takes as the last of `previous`.
        ask_back: A question back, where it is too open; null otherwise.
        within: What evidence had to be, in words; empty without filters.
        follow_ups: Questions that could be asked next, or instead where this one is not answered, each whole by itself;
            none where something is asked back.
        apart: Things asked about of which nothing that was found speaks together, where what is related is of each.
        closest: What comes closest to a thing asked that is not answered, where another one is; no part of the answer.
        generation: How a language model wrote it; null where none was asked to.
        readings: What a language model read in place of rules.
        pipeline: How a pipeline came to it; null where none was asked for.
        text: What is quoted, as text: each sentence with numbers such as `[1]` of what it cites; empty for nothing.
        cited: Ids of what the numbers in `text` stand for, that of `[1]` first: of sections, and of `relation_sources`
            where a sentence rests on relations.
        relation_sources: Sources of the relations that sentences rest on.
        understood_as: What it was understood to ask: of what, what kind of thing, and within what, in words.
    """

    question: str
    status: Status
    sentences: tuple[Sentence, ...] = ()
    entities: tuple[Mention, ...] = ()
    intent: str = ""
    evidence: tuple[Found, ...] = ()
    confidence: Share = 0.0
    timing_ms: dict[str, float] = field(default_factory=dict)
    notice: str = NOTICE
    intents: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    parts: tuple[AnswerPart, ...] = ()
    urgent: tuple[Urgent, ...] = ()
    remark: str = ""
    caution: str = ""
    understood: str = ""
    ask_back: AskBack | None = None
    within: str = ""
    follow_ups: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    closest: tuple[Sentence, ...] = ()
    generation: Generation | None = None
    readings: tuple[Reading, ...] = ()
    pipeline: PipelineTrace | None = None
    text: str = ""
    cited: tuple[str, ...] = ()
    relation_sources: tuple[RelationSource, ...] = ()
    understood_as: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Give the answer as plain data, which `json.dumps` takes."""
        return asdict(self)
