"""Records of language-model use (readings, generation, dropped sentences) and traces of pipeline runs."""

from dataclasses import dataclass, field
from typing import Literal

from ..schema.values import Count, Share

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


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence of a language model that is not shown."""

    text: str  # the sentence
    # why not: `contradicted`, `no_evidence`, `uncited`, or `repeated`: a sentence before, or the question
    why: Literal["contradicted", "no_evidence", "uncited", "repeated"]


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
