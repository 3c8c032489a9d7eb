"""Runs: how each answer that is kept came about, so that it can be replayed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from .. import __version__
from ..embeddings.encoders.bert import precision_of, usable_precisions
from ..errors import NotInGraphError, SettingsError
from ..graph import catalogue
from ..queries.filters import Filters
from ..queries.voices import STATED
from ..schema.vocabulary import INVERSES
from .answer import FoundSection
from .composers.generated import SEED
from .generation import Generation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ..graph.database import Database
    from ..models.protocol import Model
    from ..settings import Settings
    from .answer import Answer
    from .generation import PipelineTrace, Reading
    from .pipelines.pipeline import Chosen

SETTINGS: Final = ("encoder", "question_encoder", "reads", "unsupported", "verifier", "model_reads")
"""Settings, beside composer, model and precision, by which an answer may come out differently."""

_WRITTEN: Final = ("fingerprint", "structured", "removed_ids", "fallback", "remarks")
"""Fields that a run has as the record of a language model has them."""


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """How an answer came about.

    Attributes:
        id: The answer's id, `@`, and a number; empty where it is not kept.
        kept: When it was kept.
        question: The question as it was typed.
        filters: What evidence might be, in JSON.
        composer: What it was composed of.
        settings: Other settings that an answer depends on, in JSON.
        precision: In what encoder and readers computed.
        version: The version of medgraph.
        status: The answer's status.
        sentences: The sentences that were shown.
        verdicts: A verdict each.
        evidence: Ids of sections and of relations (`subject|TYPE|object`): what the model was given and what is cited;
            without a model what was found and what is cited.
        hashes: SHA-256 each: of a section's text, of a relation's polarity and sources; empty where the graph has none.
        model: The model, as the settings name it; empty where none wrote or read.
        fingerprint: What tells it from another model of the same name.
        prompts: Names and hashes of the prompts (`name@hash`).
        seed: The seed that the model was given.
        structured: How structured output was had.
        prompt_tokens: Tokens that the model read in all its calls, those in place of rules among them.
        reply_tokens: Tokens that it wrote.
        estimated: Whether these are estimates.
        cost: By the user's table of prices; null where that has no row for the model.
        stages: Steps that took time.
        milliseconds: How long each took.
        dropped: The model's sentences that were not shown.
        reasons: Why not, each.
        removed_ids: Ids that the model cited, and was not given.
        fallback: Why the extractive answer stood in; null where it did not.
        remarks: What the model's adapter had to say.
        pipeline: The pipeline's name, what was left out and its parameters, in JSON; empty for a composer.
    """

    question: str
    composer: str
    id: str = ""
    kept: str = ""
    filters: str = "{}"
    settings: str = "{}"
    precision: str = ""
    version: str = ""
    status: str = ""
    sentences: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    hashes: tuple[str, ...] = ()
    model: str = ""
    fingerprint: str = ""
    prompts: tuple[str, ...] = ()
    seed: int | None = None
    structured: str = ""
    prompt_tokens: int = 0
    reply_tokens: int = 0
    estimated: bool = False
    cost: float | None = None
    stages: tuple[str, ...] = ()
    milliseconds: tuple[float, ...] = ()
    dropped: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    removed_ids: int = 0
    fallback: str | None = None
    remarks: tuple[str, ...] = ()
    pipeline: str = ""

    @property
    def stored(self) -> dict[str, Any]:
        """What the graph stores of it; what is empty is left out."""
        return {name: value for name, value in asdict(self).items() if value not in {"", (), None}}

    @property
    def narrowed(self) -> Filters:
        """What evidence might be."""
        return msgspec.json.decode(self.filters, type=Filters)


def run_of(database: Database, answer: Answer, composer: str, filters: Filters, settings: Settings) -> AnswerRun:
    """Tell how an answer came about: the run, which is not kept yet.

    Args:
        settings: The settings that it was made with.

    Raises:
        SettingsError: The processor has no instructions for the precision that is asked for.
    """
    written = answer.generation or Generation()
    calls: tuple[Reading | Generation, ...] = (*answer.readings, written)
    costs = [call.cost for call in calls if call.cost is not None]
    evidence = tuple(dict.fromkeys((*_sections(answer), *_relations(answer))))
    now = hashes_of(database, evidence)
    return AnswerRun(
        question=answer.question,
        composer=composer,
        filters=json.dumps(asdict(filters), sort_keys=True),
        settings=json.dumps({name: getattr(settings, name) for name in SETTINGS}),
        precision=precision_of(settings),
        version=__version__,
        status=answer.status,
        sentences=tuple(sentence.text for sentence in answer.sentences),
        verdicts=tuple(sentence.verdict for sentence in answer.sentences),
        evidence=evidence,
        hashes=tuple(now.get(name, "") for name in evidence),
        model=written.model or next((call.model for call in calls if call.model), ""),
        prompts=tuple(name for call in calls for name in call.prompt.split(", ") if name),
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        reply_tokens=sum(call.reply_tokens for call in calls),
        estimated=any(call.estimated for call in calls),
        cost=sum(costs) if costs else None,
        seed=SEED if written.prompt else None,
        stages=tuple(answer.timing_ms),
        milliseconds=tuple(answer.timing_ms.values()),
        dropped=tuple(one.text for one in written.dropped),
        reasons=tuple(one.why for one in written.dropped),
        pipeline=_pipeline(answer.pipeline) if answer.pipeline else "",
        **{name: getattr(written, name) for name in _WRITTEN},
    )


def _pipeline(told: PipelineTrace) -> str:
    left_out = [stage.name for stage in told.stages if stage.left_out]
    return json.dumps({"name": told.name, "without": left_out, "parameters": told.parameters})


def pipeline_of(run: AnswerRun) -> Chosen | None:
    """Give the pipeline that a run was made by, with what was left out and set; None for a composer.

    Raises:
        InputError: The pipeline, a stage or a parameter is not there any more.
    """
    if not run.pipeline:
        return None
    from .pipelines.catalogue import pipeline_named
    from .pipelines.pipeline import choose

    told = json.loads(run.pipeline)
    values = [f"{name}={value}" for name, value in told["parameters"].items()]
    return choose(pipeline_named(told["name"]), told["without"], values)


def kept_run(database: Database, name: str) -> AnswerRun:
    """Find a run that was kept.

    Args:
        name: The id of a kept answer, of which it is the newest, or of the run itself.

    Raises:
        NotInGraphError: There is none.
    """
    found = database.read(catalogue.get("kept_run"), id=name)
    if not found:
        raise NotInGraphError(f"no answer or run {name!r} is kept; medgraph query kept_answers lists the answers")
    if found[0]["run"] is None:
        raise NotInGraphError(f"{name} has no such run; ask {found[0]['question']!r} again with --keep")
    return msgspec.convert(found[0]["run"], AnswerRun)


def settings_of(run: AnswerRun, settings: Settings) -> Settings:
    """Give the settings that a run was made with; graph, model and a precision that this processor lacks stay."""
    precision = run.precision if run.precision in usable_precisions() else settings.precision
    made = {name: value for name, value in json.loads(run.settings).items() if name in SETTINGS}
    return replace(settings, precision=precision, **made)


def require_model(run: AnswerRun, settings: Settings, model: Callable[[], Model], *, any_model: bool) -> None:
    """Make sure that the model of a run is set, if one wrote.

    Raises:
        SettingsError: None is set, or another one.
        ModelError: The model cannot be loaded.
    """
    if not run.model:
        return
    if not settings.model:
        raise SettingsError(f"{run.model} wrote {run.id}, and no model is set; set MEDGRAPH_MODEL to it")
    if not any_model and model().name != run.model:
        raise SettingsError(
            f"{run.model} wrote {run.id}, and MEDGRAPH_MODEL is {settings.model}; set it to the former,"
            " or give --any-model to go on with the latter"
        )


def hashes_of(database: Database, evidence: Iterable[str]) -> dict[str, str]:
    """Give the SHA-256 of evidence, sections and relations, as it is now; none of what is not in the graph."""
    parts = {name: name.split("|", 2) for name in evidence}
    facts = [
        {"id": name, "subject": part[0], "relation": part[1], "object": part[2]}
        for name, part in parts.items()
        if len(part) > 1
    ]
    sections = [name for name, part in parts.items() if len(part) == 1]
    rows = database.read(catalogue.get("evidence_states"), sections=sections, facts=facts)
    return {row["id"]: hashlib.sha256(row["text"].encode()).hexdigest() for row in rows}


def _sections(answer: Answer) -> Iterator[str]:
    if answer.generation:
        yield from answer.generation.evidence
    else:
        yield from (one.section for one in answer.evidence if isinstance(one, FoundSection))
    for sentence in answer.sentences:
        yield from (citation.section for citation in sentence.citations)
        for voice in (voice for fact in sentence.facts for voice in fact.said if voice.method != STATED):
            yield from voice.evidence


def _relations(answer: Answer) -> Iterator[str]:
    for fact in (fact for sentence in answer.sentences for fact in sentence.facts):
        yield f"{fact.subject}|{INVERSES.get(fact.relation, fact.relation)}|{fact.object}"


COMPARED: Final = (
    *("status", "model", "fingerprint", "prompts", "structured", "seed", "fallback", "removed_ids"),
    *("precision", "settings", "version"),
)
"""What is compared of two runs beside sentences and evidence."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is not what it was: a sentence, or a field of a run."""

    what: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different when a question is answered again.

    Attributes:
        same: Whether status, sentences and verdicts are the same.
        came: Sentences that are new.
        went: Sentences that are no more.
        verdicts: Sentences with another verdict.
        changed: Evidence that says something else now.
        gone: Evidence that is not in the graph any more.
        used: Evidence that was not used before.
        unused: Evidence that is in the graph, and is not used any more.
        made: What else is different of how the answer was made.
        before: The run that was kept.
        after: The run of now.
    """

    same: bool
    came: tuple[str, ...]
    went: tuple[str, ...]
    verdicts: tuple[Change, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    used: tuple[str, ...]
    unused: tuple[str, ...]
    made: tuple[Change, ...]
    before: AnswerRun
    after: AnswerRun

    def as_dict(self) -> dict[str, Any]:
        """Give it as plain data that `json.dumps` takes."""
        return asdict(self)


def difference(before: AnswerRun, after: AnswerRun, now: Mapping[str, str]) -> Difference:
    """Compare two runs of a question; `now` has the hash of each piece of former evidence in the graph."""
    was, became = (dict(zip(run.sentences, run.verdicts, strict=True)) for run in (before, after))
    had = dict(zip(before.evidence, before.hashes, strict=True))
    came, went = tuple(text for text in became if text not in was), tuple(text for text in was if text not in became)
    verdicts = tuple(
        Change(text, verdict, became[text]) for text, verdict in was.items() if became.get(text, verdict) != verdict
    )
    gone = tuple(name for name, known in had.items() if known and name not in now)
    return Difference(
        same=before.status == after.status and not (came or went or verdicts),
        came=came,
        went=went,
        verdicts=verdicts,
        changed=tuple(name for name, known in had.items() if name in now and now[name] != known),
        gone=gone,
        used=tuple(name for name in after.evidence if name not in had),
        unused=tuple(name for name in had if name not in after.evidence and name not in gone),
        made=tuple(_made(before, after)),
        before=before,
        after=after,
    )


def _made(before: AnswerRun, after: AnswerRun) -> Iterator[Change]:
    for name in COMPARED:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield Change(name, old, new)
