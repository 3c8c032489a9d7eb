"""Answers kept in the graph: how each came about, so that it can be replayed, its claims, and the passages on these.

Nothing but `medgraph ask --keep` writes them; the service never does.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from .. import __version__
from ..embeddings.candidate_sentences import plain_quote
from ..embeddings.encoders.bert import precision_of, usable_precisions
from ..errors import NotInGraphError, SettingsError
from ..graph import catalogue
from ..queries.filters import Filters
from ..queries.voices import STATED
from ..schema.vocabulary import INVERSES
from .answer import CONTRADICTED, SUPPORTED, FoundSection, Generation
from .generated import SEED
from .verify.claims import SUPPORTS, Chances, claims_of
from .verify.rules import compare
from .verify.verifier import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..graph.database import Database
    from ..models.protocol import Model
    from ..settings import Settings
    from .answer import Answer, Citation, Claim, PipelineTrace, Reading, Sentence
    from .pipelines.pipeline import Chosen
    from .verify.reader import ClaimReader

# Settings, beside composer, model and precision, by which an answer may come out differently.
SETTINGS: Final = ("encoder", "question_encoder", "reads", "unsupported", "verifier", "model_reads")

# Fields that a run has as the record of a language model has them.
_WRITTEN: Final = ("fingerprint", "structured", "removed_ids", "fallback", "remarks")


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """How an answer came about."""

    question: str  # the question as it was typed
    composer: str  # what it was composed of
    id: str = ""  # the answer's id, `@`, and a number; empty where it is not kept
    kept: str = ""  # when it was kept
    filters: str = "{}"  # what evidence might be, in JSON
    settings: str = "{}"  # other settings that an answer depends on, in JSON
    precision: str = ""  # in what encoder and readers computed
    version: str = ""  # the version of medgraph
    status: str = ""  # the answer's status
    sentences: tuple[str, ...] = ()  # the sentences that were shown
    verdicts: tuple[str, ...] = ()  # a verdict each
    # Ids of sections and of relations (`subject|TYPE|object`): what the model was given and what is cited; without a
    # model what was found and what is cited.
    evidence: tuple[str, ...] = ()
    # SHA-256 each: of a section's text, of a relation's polarity and sources; empty where the graph has none.
    hashes: tuple[str, ...] = ()
    model: str = ""  # the model, as the settings name it; empty where none wrote or read
    fingerprint: str = ""  # what tells it from another model of the same name
    prompts: tuple[str, ...] = ()  # names and hashes of the prompts (`name@hash`)
    seed: int | None = None  # the seed that the model was given
    structured: str = ""  # how structured output was had
    prompt_tokens: int = 0  # tokens that the model read in all its calls, those in place of rules among them
    reply_tokens: int = 0  # tokens that it wrote
    estimated: bool = False  # whether these are estimates
    cost: float | None = None  # by the user's table of prices; null where that has no row for the model
    stages: tuple[str, ...] = ()  # steps that took time
    milliseconds: tuple[float, ...] = ()  # how long each took
    dropped: tuple[str, ...] = ()  # the model's sentences that were not shown
    reasons: tuple[str, ...] = ()  # why not, each
    removed_ids: int = 0  # ids that the model cited, and was not given
    fallback: str | None = None  # why the extractive answer stood in; null where it did not
    remarks: tuple[str, ...] = ()  # what the model's adapter had to say
    pipeline: str = ""  # the pipeline's name, what was left out and its parameters, in JSON; empty for a composer

    @property
    def stored(self) -> dict[str, Any]:
        """What the graph stores of it; what is empty is left out."""
        return {name: value for name, value in asdict(self).items() if value not in {"", (), None}}

    @property
    def narrowed(self) -> Filters:
        """What evidence might be."""
        return msgspec.json.decode(self.filters, type=Filters)


def run_of(database: Database, answer: Answer, composer: str, filters: Filters, settings: Settings) -> AnswerRun:
    """Tell how an answer came about, by its settings; SettingsError where the processor lacks their precision."""
    written = answer.generation or Generation()
    calls: tuple[Reading | Generation, ...] = (*answer.readings, written)
    costs = [call.cost for call in calls if call.cost is not None]
    facts = (fact for sentence in answer.sentences for fact in sentence.facts)
    relations = (f"{one.subject}|{INVERSES.get(one.relation, one.relation)}|{one.object}" for one in facts)
    evidence = tuple(dict.fromkeys((*_sections(answer), *relations)))
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
    """Give the pipeline of a run, as it was chosen; None for a composer, InputError where a part is there no more."""
    if not run.pipeline:
        return None
    from .pipelines.catalogue import pipeline_named
    from .pipelines.pipeline import choose

    told = json.loads(run.pipeline)
    values = [f"{name}={value}" for name, value in told["parameters"].items()]
    return choose(pipeline_named(told["name"]), told["without"], values)


def kept_run(database: Database, name: str) -> AnswerRun:
    """Find a run that was kept, by its id, or the newest by that of its answer; NotInGraphError if there is none."""
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
    """Make sure that the model that wrote a run is set; SettingsError if not, ModelError if it cannot be loaded."""
    if not run.model:
        return
    if not settings.model:
        raise SettingsError(f"{run.model} wrote {run.id}, and no model is set; set MEDGRAPH_MODEL to it")
    if not any_model and model().name != run.model:
        raise SettingsError(
            f"{run.model} wrote {run.id}, and MEDGRAPH_MODEL is {settings.model}; set it to the former,"
            " or give --any-model to go on with the latter"
        )


def hashes_of(database: Database, evidence: Sequence[str]) -> dict[str, str]:
    """Give the SHA-256 of evidence, sections and relations, as it is now; none of what is not in the graph."""
    ends = ((name, *name.split("|", 2)) for name in evidence if "|" in name)
    facts = [dict(zip(("id", "subject", "relation", "object"), one, strict=True)) for one in ends]
    sections = [name for name in evidence if "|" not in name]
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


# What is compared of two runs beside sentences and evidence.
COMPARED: Final = (
    *("status", "model", "fingerprint", "prompts", "structured", "seed", "fallback", "removed_ids"),
    *("precision", "settings", "version"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is not what it was: a sentence, or a field of a run."""

    what: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different when a question is answered again."""

    same: bool  # whether status, sentences and verdicts are the same
    came: tuple[str, ...]  # sentences that are new
    went: tuple[str, ...]  # sentences that are no more
    verdicts: tuple[Change, ...]  # sentences with another verdict
    changed: tuple[str, ...]  # evidence that says something else now
    gone: tuple[str, ...]  # evidence that is not in the graph any more
    used: tuple[str, ...]  # evidence that was not used before
    unused: tuple[str, ...]  # evidence that is in the graph, and is not used any more
    made: tuple[Change, ...]  # what else is different of how the answer was made
    before: AnswerRun  # the run that was kept
    after: AnswerRun  # the run of now

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
    made = ((name, getattr(before, name), getattr(after, name)) for name in COMPARED)
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
        made=tuple(Change(name, old, new) for name, old, new in made if old != new),
        before=before,
        after=after,
    )


def keep(database: Database, answer: Answer, run: AnswerRun, reader: ClaimReader | None = None) -> tuple[str, int]:
    """Store an answer with its claims, in place of what was kept of the same question, asked in the same way.

    Returns:
        Its id, and how many claims it makes; none where nothing is answered.
    """
    whole = answer.understood or " ".join(answer.question.split())
    asked = json.dumps([whole, run.composer, json.loads(run.filters)], sort_keys=True)
    name = f"answer:{hashlib.blake2b(asked.encode(), digest_size=8).hexdigest()}"
    stored = {
        "id": name,
        "question": answer.question,
        "understood": whole,
        "status": answer.status,
        "confidence": answer.confidence,
        "composer": run.composer,
        "precision": run.precision,
        "text": " ".join(sentence.text for sentence in answer.sentences),
    }
    chances = Chances(reader)
    rows = [row for sentence in answer.sentences for row in _rows(sentence, chances)]
    for number, row in enumerate(rows, 1):
        row["properties"] |= {"id": f"{name}#{number}", "position": number}
    kept = database.write(catalogue.get("keep_answer"), answer=stored, claims=rows, run=run.stored)
    return name, kept[0]["kept"]


def forget(database: Database, answers: Sequence[str], *, everything: bool = False) -> int:
    """Remove kept answers, with their claims and runs; an id that is not there is no mistake."""
    removed = database.write(catalogue.get("forget_answers"), ids=list(answers), all=everything)
    return int(removed[0]["forgotten"])


def _rows(sentence: Sentence, chances: Chances) -> Iterator[dict[str, Any]]:
    for place, claim in enumerate(sentence.claims):
        facts = sentence.facts[place : place + 1]  # the one that it is of, if any
        stated = [voice for fact in facts for voice in fact.said if voice.method == STATED]
        told = [(fact.object, voice) for fact in facts for voice in fact.said if voice.method != STATED]
        # What it rests on: pages that are cited, and publications that sources state a fact by.
        cited = (citation.document for citation in sentence.citations)
        published = (name for voice in stated for name in voice.evidence)
        properties = {
            "text": claim.text,
            "sentence": sentence.text,
            "verdict": claim.verdict,
            "probability": claim.probability,
            "sources": [one for voice in stated for one in voice.sources],
            "documents": list(dict.fromkeys((*cited, *published))),
        }
        yield {
            "properties": properties,
            "spans": list(_spans(claim, sentence, chances)),
            "facts": [
                {"section": section, "object": thing, "score": voice.score}
                for thing, voice in told
                for section in voice.evidence
            ],
        }


def _spans(claim: Claim, sentence: Sentence, chances: Chances) -> Iterator[dict[str, Any]]:
    """Give what decides on a claim, and what other documents say of it."""
    if claim.span and claim.verdict in {SUPPORTED, CONTRADICTED}:
        span = claim.span
        yield _span(span.section, span.start, span.end, span.quote, claim.probability, claim.verdict == SUPPORTED)
    for other in sentence.agreeing:
        verdict, sure = judge(claim.text, plain_quote(other.quote), chances)
        if verdict == SUPPORTED:
            yield _span(other.section, other.start, other.end, other.quote, round(sure, 3), True)
    for other in sentence.contradicting:
        if _is_of(claim, other, sentence, chances):
            _, sure = judge(claim.text, plain_quote(other.quote), chances)
            yield _span(other.section, other.start, other.end, other.quote, round(sure, 3), False)


def _is_of(claim: Claim, other: Citation, sentence: Sentence, chances: Chances) -> bool:
    """Tell whether it is this claim of a sentence that a passage contradicts; of one claim it is that."""
    if len(sentence.claims) == 1:
        return True
    compared = [(part, compare(claim.text, part)) for part in claims_of(plain_quote(other.quote))]
    if chances.has_reader:
        return any(chances.of(claim.text, part, found)[1] >= SUPPORTS for part, found in compared)
    return any(found.opposed for _, found in compared)


def _span(section: str, start: int, end: int, quote: str, score: float, supports: bool) -> dict[str, Any]:
    return {"section": section, "start": start, "end": end, "quote": quote, "score": score, "supports": supports}
