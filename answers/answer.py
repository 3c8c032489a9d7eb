"""Data types of an answer: sentences with citations, claims and verdicts, emergency advice and questions back."""

from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from ..queries.entities import Mention
from ..queries.voices import Backing, PathVoice, RelationSource
from ..schema.checks import Count, Share

Stage = Literal["messages", "turns", "passages", "claims"]  # what a language model may read in place of rules


@dataclass(frozen=True, slots=True)
class Reading:
    """What a language model read in place of rules, or why rules stood in."""

    stage: Stage  # what it read: messages, turns of a dialogue, passages, or claims that words alone do not support
    model: str  # the model, as the settings name it; empty where it could not be opened
    prompt: str  # name and SHA-256 of the prompt file
    fallback: str | None = None  # why rules stood in; null where the model read
    prompt_tokens: Count = 0  # tokens that it read
    reply_tokens: Count = 0  # tokens that it wrote
    estimated: bool = False  # whether these are estimates
    cost: float | None = None  # by the user's table of prices; null where that has no row for the model


Why = Literal["contradicted", "no_evidence", "uncited", "repeated"]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence of a language model that is not shown."""

    text: str  # the sentence
    # why not: `contradicted`, `no_evidence`, `uncited`, or `repeated`: a sentence before, or the question
    why: Why
    first: bool = False  # whether the model said it first, which is what was asked; the others may not answer alone


@dataclass(frozen=True, slots=True)
class Generation:
    """How a language model wrote an answer, or why the extractive answer stands in for it."""

    model: str = ""  # the model, as the settings name it; empty where it could not be opened
    fingerprint: str = ""  # what tells it from another model of the same name
    prompt: str = ""  # name and SHA-256 of the prompt file
    # how structured output was had: `json_schema`, `json_object` or `text`; empty where nothing was
    structured: str = ""
    evidence: tuple[str, ...] = ()  # ids of the sections that the model was given, in the order of their numbers
    prompt_tokens: Count = 0  # tokens that it read
    reply_tokens: Count = 0  # tokens that it wrote
    estimated: bool = False  # whether these are estimates
    cost: float | None = None  # by the user's table of prices; null where that has no row for the model
    removed_ids: Count = 0  # ids that it cited, and was not given
    dropped: tuple[Dropped, ...] = ()  # its sentences that are not shown
    # what was asked of which it found no answer in its evidence; nothing is quoted for that
    silent: tuple[str, ...] = ()
    fallback: str | None = None  # why the extractive answer is shown instead; null where the model's own is
    remarks: tuple[str, ...] = ()  # what the model's adapter has to say, such as that the server ignores a seed


@dataclass(frozen=True, slots=True)
class StageTrace:
    """What a stage took."""

    name: str  # the stage
    milliseconds: float  # how long it took, the model's time included
    model_milliseconds: float = 0.0  # how long the model took of that
    calls: Count = 0  # how often a model was asked
    prompt_tokens: Count = 0  # tokens that it read
    reply_tokens: Count = 0  # tokens that it wrote
    left_out: bool = False  # whether it was left out
    note: str = ""  # what people should know, such as that no entity was found; empty where there is nothing


@dataclass(frozen=True, slots=True)
class CandidateTrace:
    """An answer that was weighed."""

    text: str  # the answer as it was written, before its sentences were checked
    score: Share | None  # what it was chosen by, from 0 to 1; null where nothing was weighed
    section: str  # id of the section that it was written from; empty for none
    chosen: bool  # whether it is the one that is shown


@dataclass(frozen=True, slots=True)
class PipelineTrace:
    """How a pipeline came to its answer."""

    name: str  # the pipeline
    paper: str  # where it was published
    parameters: dict[str, str] = field(default_factory=dict)  # the value of each parameter
    stages: tuple[StageTrace, ...] = ()  # what each stage took
    entities: tuple[str, ...] = ()  # names of the concepts that it went by, with ids
    hypothesis: str = ""  # what a model wrote before anything was searched for; empty where none did
    queries: tuple[str, ...] = ()  # what was searched for, where that is not the question
    candidates: tuple[CandidateTrace, ...] = ()  # answers that were weighed, or that no evidence was given for
    paths: tuple[str, ...] = ()  # paths that the answer may rest on, each as entity, relation, entity
    subgraph: str = ""  # the names that candidates were compared with; empty where none were
    background: str = ""  # what a model was told besides its numbered evidence, such as notes on passages
    stand_in: str | None = None  # why something else stood in for a language model; null where the model did all


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
    """Where a sentence comes from."""

    section: str  # the section's id
    document: str  # the document's id
    title: str  # the document's title
    url: str  # where people read it
    source: str  # the source's id
    licence: str  # the source's licence
    start: Count  # offset of the quoted span in the section's text
    end: Count  # offset behind it
    quote: str  # the span, as it stands there
    cypher: str  # a statement that shows the section in Neo4j Browser
    notices: tuple[str, ...] = ()  # what was made known of the document later, such as `expression of concern PMID:1`
    type: str = ""  # what the section is about
    publisher: str = ""  # the journal, the institute, the maker of a label, or else the source that the document is of
    published: str = ""  # when the document came out, an ISO date or the first parts of one; empty where nobody says so
    # of when it is, in words: `from 2011, more than ten years old`; `from 2019 or before` where only the release of its
    # source is known; empty where nobody says so
    dated: str = ""
    retired: str = ""  # what became of the site that `url` leads to, where that is retired; empty otherwise
    study: str = ""  # what kind of study the document is, such as `randomised trial`; empty where nobody says so


@dataclass(frozen=True, slots=True)
class Span:
    """The words that decide whether a claim holds."""

    section: str  # the section's id
    start: Count  # offset of the first character in the section's text
    end: Count  # offset behind the last one
    quote: str  # what stands there


@dataclass(frozen=True, slots=True)
class Claim:
    """A part of a sentence that was checked by itself."""

    text: str  # the claim
    verdict: Verdict  # whether what the sentence cites says so: `supported`, `contradicted` or `no_evidence`
    probability: Share  # how likely the verdict is right, from 0 to 1
    span: Span | None  # the words that decide; none where nothing is cited


@dataclass(frozen=True, slots=True)
class CitedFact:
    """A relation of the graph that a sentence rests on."""

    subject: str  # id of the concept that the sentence is about
    subject_name: str  # what that is called, as it is written within a sentence
    relation: str  # the relation's type
    forward: bool  # whether it leads from the subject to the object; otherwise it leads back, as `TREATS` does
    object: str  # id of the concept, or of the term, that it is related to
    object_name: str  # what that is called, as it is written within a sentence
    label: str  # its category; `Term` for a phrase that no vocabulary has
    text: str  # the fact by itself, as a sentence
    # who says so: what sources state (`stated`) before what was read from texts (`section`, `term`), each with
    # licences, score and evidence
    said: tuple[PathVoice, ...]
    cypher: str  # a statement that shows it in Neo4j Browser
    backing: Backing = field(default_factory=Backing)  # who states it, who tells it, and what that is worth


@dataclass(frozen=True, slots=True)
class ShortForm:
    """A short form, and what it stands for."""

    short: str  # the short form, such as `PKD`
    long: str  # what the section that is quoted explains it with


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer."""

    text: str  # the sentence
    citations: tuple[Citation, ...]  # what it rests on; nothing where it rests on facts
    # whether what it cites says so: `supported`, `contradicted` or `no_evidence`; the worst of its claims
    verdict: Verdict
    probability: Share = 1.0  # how likely the verdict is right, from 0 to 1
    claims: tuple[Claim, ...] = ()  # its claims, in order, each with what decides
    sources: Count = 1  # how many sources say so, each part of a source that has parts being one
    agreeing: tuple[Citation, ...] = ()  # where other sources say the same
    contradicting: tuple[Citation, ...] = ()  # where other documents say the opposite
    # relations of the graph that it rests on, where it quotes no text; its claims are theirs, in their order
    facts: tuple[CitedFact, ...] = ()
    # what its page is about, where that is not exactly what is asked about and the sentence does not say so
    about: str = ""
    short_forms: tuple[ShortForm, ...] = ()  # short forms that it has, and its section explains elsewhere


@dataclass(frozen=True, slots=True)
class Call:
    """Whom to call."""

    number: str  # the number, as people write it
    where: str  # where it holds, and whose it is; empty where it holds for all who ask


@dataclass(frozen=True, slots=True)
class Urgent:
    """What to do first in an emergency that a question tells of."""

    kind: str  # the kind of emergency, such as `stroke`
    title: str  # what it may be
    text: str  # what to do, in plain words
    source: str  # the page that says so
    url: str  # where people read it
    calls: tuple[Call, ...] = ()  # whom to call


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply to a question back."""

    text: str  # the reply, in a word or two
    question: str  # what it makes of the question: one that is whole by itself


@dataclass(frozen=True, slots=True)
class AskBack:
    """A question back, where a question is too open: what to ask of it, or which of several things is meant."""

    question: str  # the question back, with the replies in it
    replies: tuple[Reply, ...]  # what to reply, the one that most evidence is for first


class Found:
    """What was found for a question, cited or not: a section, or a page of which the graph has the address only."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class FoundSection(Found):
    """A section that was found for a question, cited or not."""

    section: str  # the section's id
    document: str  # the document's id
    title: str  # the document's title
    url: str  # where people read it
    source: str  # the source's id
    licence: str  # the source's licence
    type: str  # what the section is about
    question: str  # the question it answers
    score: float  # what evidence is ranked by
    dated: str = ""  # of when it is, as of a citation
    retired: str = ""  # what became of the site that `url` leads to, as of a citation
    study: str = ""  # what kind of study the document is, as of a citation


@dataclass(frozen=True, slots=True)
class FoundPage(Found):
    """A page that answers a question, of which the graph has the address only."""

    document: str  # the document's id
    title: str  # the document's title
    url: str  # where people read it
    source: str  # the source's id
    licence: str  # the source's licence
    type: str  # what the page's question asks for
    question: str  # the question it answers
    answered_at: str  # where the answer stands
    score: float  # what pages are ranked by
    retired: str = ""  # what became of the site that `answered_at` leads to, as of a citation


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The answer to one thing that a question asks."""

    asked: str  # what it asks, as far as it was understood
    # `answered`; `related`, where nothing answers it, and what is quoted is only about the same; or
    # `not_enough_evidence`
    status: Status
    sentences: tuple[Count, ...]  # numbers of its sentences among those of the answer, from 0
    confidence: Share  # how likely what is quoted answers it, from 0 to 1
    # where something else is answered and this is not: numbers of what comes closest to it, among `closest` of the
    # answer, from 0
    closest: tuple[Count, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer, or word that there is none."""

    question: str  # the question
    # `answered`, where at least one thing asked is; `related`, where nothing answers it exactly, and what is quoted is
    # only about the same; or `not_enough_evidence`
    status: Status
    sentences: tuple[Sentence, ...] = ()  # the answer; empty without enough evidence
    entities: tuple[Mention, ...] = ()  # what the question was understood to name
    intent: str = ""  # the section type it was understood to ask for
    # what was found, best first, with pages that answer the question elsewhere where no section does
    evidence: tuple[Found, ...] = ()
    confidence: Share = 0.0  # how likely what is quoted, or would have been, answers the question, from 0 to 1
    timing_ms: dict[str, float] = field(default_factory=dict)  # milliseconds spent on each step
    notice: str = NOTICE  # that it is no medical advice
    intents: tuple[str, ...] = ()  # all section types it was understood to ask for, the plainest first
    # what of it an answer does not answer, where it answers something else; and what stands in no part, as it asks more
    # than four things at once, and the rest was not looked for
    unanswered: tuple[str, ...] = ()
    parts: tuple[AnswerPart, ...] = ()  # what it asks, one thing or several, each with its own sentences
    # what to do first, where the question tells of an emergency or asks what to do in one; what else is answered comes
    # after it, and nothing that is only related
    urgent: tuple[Urgent, ...] = ()
    remark: str = ""  # why the text is not answered: another language, a greeting, not about health; empty otherwise
    caution: str = ""  # that nothing speaks of those for whom it is asked (a child, another medicine), and whom to ask
    understood: str = ""  # the question, whole by itself: what the next one takes as the last of `previous`
    ask_back: AskBack | None = None  # a question back, where it is too open; null otherwise
    within: str = ""  # what evidence had to be, in words; empty without filters
    # questions that could be asked next, or instead where this one is not answered, each whole by itself; none where
    # something is asked back
    follow_ups: tuple[str, ...] = ()
    # things asked about of which nothing that was found speaks together, where what is related is of each
    apart: tuple[str, ...] = ()
    # what comes closest to a thing asked that is not answered, where another one is; no part of the answer
    closest: tuple[Sentence, ...] = ()
    generation: Generation | None = None  # how a language model wrote it; null where none was asked to
    readings: tuple[Reading, ...] = ()  # what a language model read in place of rules
    pipeline: PipelineTrace | None = None  # how a pipeline came to it; null where none was asked for
    # what is quoted, as text: each sentence with numbers such as `[1]` of what it cites; empty for nothing
    text: str = ""
    # ids of what the numbers in `text` stand for, that of `[1]` first: of sections, and of `relation_sources` where a
    # sentence rests on relations
    cited: tuple[str, ...] = ()
    relation_sources: tuple[RelationSource, ...] = ()  # sources of the relations that sentences rest on
    understood_as: str = ""  # what it was understood to ask: of what, what kind of thing, and within what, in words

    def as_dict(self) -> dict[str, Any]:
        """Give the answer as plain data, which `json.dumps` takes."""
        return asdict(self)
