"""Records of language-model use (readings, generation, dropped sentences) and traces of pipeline runs."""

from dataclasses import dataclass, field
from typing import Literal

from ..schema.checks import Count, Share

Stage = Literal["messages", "turns", "passages", "claims"]  # what a language model may read in place of rules


@dataclass(frozen=True, slots=True)
class Reading:
    """What a language model read in place of rules, or why rules stood in.

    Attributes:
        stage: What it read: messages, turns of a dialogue, passages, or claims that words alone do not support.
        model: The model, as the settings name it; empty where it could not be opened.
        prompt: Name and SHA-256 of the prompt file.
        fallback: Why rules stood in; null where the model read.
        prompt_tokens: Tokens that it read.
        reply_tokens: Tokens that it wrote.
        estimated: Whether these are estimates.
        cost: By the user's table of prices; null where that has no row for the model.
    """

    stage: Stage
    model: str
    prompt: str
    fallback: str | None = None
    prompt_tokens: Count = 0
    reply_tokens: Count = 0
    estimated: bool = False
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence of a language model that is not shown.

    Attributes:
        text: The sentence.
        why: Why not: `contradicted`, `no_evidence`, `uncited`, or `repeated`: a sentence before, or the question.
    """

    text: str
    why: Literal["contradicted", "no_evidence", "uncited", "repeated"]


@dataclass(frozen=True, slots=True)
class Generation:
    """How a language model wrote an answer, or why the extractive answer stands in for it.

    Attributes:
        model: The model, as the settings name it; empty where it could not be opened.
        fingerprint: What tells it from another model of the same name.
        prompt: Name and SHA-256 of the prompt file.
        structured: How structured output was had: `json_schema`, `json_object` or `text`; empty where nothing was.
        evidence: Ids of the sections that the model was given, in the order of their numbers.
        prompt_tokens: Tokens that it read.
        reply_tokens: Tokens that it wrote.
        estimated: Whether these are estimates.
        cost: By the user's table of prices; null where that has no row for the model.
        removed_ids: Ids that it cited, and was not given.
        dropped: Its sentences that are not shown.
        silent: What was asked of which it found no answer in its evidence; nothing is quoted for that.
        fallback: Why the extractive answer is shown instead; null where the model's own is.
        remarks: What the model's adapter has to say, such as that the server ignores a seed.
    """

    model: str = ""
    fingerprint: str = ""
    prompt: str = ""
    structured: str = ""
    evidence: tuple[str, ...] = ()
    prompt_tokens: Count = 0
    reply_tokens: Count = 0
    estimated: bool = False
    cost: float | None = None
    removed_ids: Count = 0
    dropped: tuple[Dropped, ...] = ()
    silent: tuple[str, ...] = ()
    fallback: str | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StageTrace:
    """What a stage took.

    Attributes:
        name: The stage.
        milliseconds: How long it took, the model's time included.
        model_milliseconds: How long the model took of that.
        calls: How often a model was asked.
        prompt_tokens: Tokens that it read.
        reply_tokens: Tokens that it wrote.
        left_out: Whether it was left out.
        note: What people should know, such as that no entity was found; empty where there is nothing.
    """

    name: str
    milliseconds: float
    model_milliseconds: float = 0.0
    calls: Count = 0
    prompt_tokens: Count = 0
    reply_tokens: Count = 0
    left_out: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class CandidateTrace:
    """An answer that was weighed.

    Attributes:
        text: The answer as it was written, before its sentences were checked.
        score: What it was chosen by, from 0 to 1; null where nothing was weighed.
        section: Id of the section that it was written from; empty for none.
        chosen: Whether it is the one that is shown.
    """

    text: str
    score: Share | None
    section: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class PipelineTrace:
    """How a pipeline came to its answer.

    Attributes:
        name: The pipeline.
        paper: Where it was published.
        parameters: The value of each parameter.
        stages: What each stage took.
        entities: Names of the concepts that it went by, with ids.
        hypothesis: What a model wrote before anything was searched for; empty where none did.
        queries: What was searched for, where that is not the question.
        candidates: Answers that were weighed, or that no evidence was given for.
        paths: Paths that the answer may rest on, each as entity, relation, entity.
        subgraph: The names that candidates were compared with; empty where none were.
        background: What a model was told besides its numbered evidence, such as notes on passages.
        stand_in: Why something else stood in for a language model; null where the model did all.
    """

    name: str
    paper: str
    parameters: dict[str, str] = field(default_factory=dict)
    stages: tuple[StageTrace, ...] = ()
    entities: tuple[str, ...] = ()
    hypothesis: str = ""
    queries: tuple[str, ...] = ()
    candidates: tuple[CandidateTrace, ...] = ()
    paths: tuple[str, ...] = ()
    subgraph: str = ""
    background: str = ""
    stand_in: str | None = None
