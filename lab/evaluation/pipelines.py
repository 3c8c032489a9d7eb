"""Runs pipelines and composers on people's questions; counts calls, tokens and time, stage by stage.

Answers are kept in a folder as they come, so that a run goes on where it stopped, and readers can judge them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from medgraph.answers.answer import SUPPORTED
from medgraph.answers.answerer import EXTRACTIVE, GENERATED
from medgraph.answers.pipelines.catalogue import PIPELINES
from medgraph.answers.pipelines.pipeline import Chosen, choose
from medgraph.answers.question_files import KeptAnswer
from medgraph.errors import InputError, RequestsWaitError
from medgraph.files import KeptLines
from medgraph.progress import progress

from .statistics import number, part_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medgraph.answers.answerer import Answerer

# Ways to answer: what quotes, what writes from the same, and the pipelines.
WAYS: Final = (EXTRACTIVE, GENERATED, *PIPELINES)
ANSWERS: Final = "answers.jsonl"
_KEYS: Final = ("question", "Question")


@dataclass(frozen=True, slots=True)
class Way:
    """A way to answer."""

    name: str  # such as `hyke/hypothesis`: without that stage
    pipeline: Chosen | None = None  # the pipeline; None for a composer

    @property
    def composer(self) -> str | None:
        """The composer; None for a pipeline."""
        return None if self.pipeline else self.name


def way_of(text: str) -> Way:
    """Read a composer, or a pipeline without stages or with parameters: `hyke/hypothesis`, `joint:graph=alone`."""
    path, *values = text.split(":")
    name, *left_out = path.split("/")
    if name in PIPELINES:
        return Way(text, choose(PIPELINES[name], left_out, values))
    if name not in WAYS or left_out or values:
        raise InputError(f"there is no way {text!r} to answer; there are {', '.join(WAYS)}")
    return Way(name)


def questions_of(path: Path, sample: int) -> list[str]:
    """Read questions of the half dev from a file of JSON lines, as many at most, always the same."""
    found: dict[str, None] = {}
    for place, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            told = json.loads(line)
            question = next(str(told[key]) for key in _KEYS if key in told)
        except (ValueError, TypeError, StopIteration):
            raise InputError(f"{path}:{place}: this is no JSON object with a question") from None
        if part_of(question) == "dev":
            found[" ".join(question.split())] = None
    return sorted(found, key=number)[:sample]


Kept = KeptLines[tuple[str, str], KeptAnswer]  # answers, by question and the name of the way


def kept_in(folder: Path) -> Kept:
    """Give the answers of a folder, which is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    return KeptLines(folder / ANSWERS, KeptAnswer, lambda one: (one.question, one.way), "answer")


def _answer_of(kept: Kept, question: str, way: Way) -> dict[str, Any]:
    """Give an answer; empty where there is none yet."""
    found = kept.found.get((question, way.name))
    return found.answer if found else {}


def ask(answerer: Answerer, questions: Sequence[str], ways: Sequence[Way], kept: Kept) -> int:
    """Answer questions in each way, but for what is kept; give how many answers wait for replies of a batch."""
    waiting = 0
    with progress("answering", "answer", len(questions) * len(ways)) as bar:
        for question in questions:
            for way in ways:
                try:
                    if not _answer_of(kept, question, way):
                        answer = answerer.ask(question, composer=way.composer, pipeline=way.pipeline)
                        kept.add(KeptAnswer(question, way.name, msgspec.to_builtins(answer.as_dict())))
                except RequestsWaitError:
                    waiting += 1
                bar.update(1)
    return waiting


def rows_of(questions: Sequence[str], ways: Sequence[Way], kept: Kept) -> Iterator[dict[str, Any]]:
    """Sum up each way: answers, what was left out, calls, tokens, and median seconds of medgraph and of the model."""
    for way in ways:
        answers = [answer for question in questions if (answer := _answer_of(kept, question, way))]
        if not answers:
            continue
        told = [answer["generation"] or {} for answer in answers]
        stages = [_stages(answer) for answer in answers]
        model = [sum(stage["model_milliseconds"] for stage in each) for each in stages]
        whole = [answer["timing_ms"]["total"] for answer in answers]
        own = [(total - spent) / 1000 for total, spent in zip(whole, model, strict=True)]
        yield {
            "way": way.name,
            "answers": len(answers),
            "answered": sum(answer["status"] == "answered" for answer in answers),
            "related": sum(answer["status"] == "related" for answer in answers),
            "sentences": sum(len(answer["sentences"]) for answer in answers),
            "unsupported": sum(s["verdict"] != SUPPORTED for answer in answers for s in answer["sentences"]),
            "dropped": sum(len(one.get("dropped", ())) for one in told),
            "ids removed": sum(one.get("removed_ids", 0) for one in told),
            "stood in": sum(bool(one.get("fallback")) for one in told),
            "calls": sum(stage["calls"] for each in stages for stage in each),
            "tokens read": sum(one.get("prompt_tokens", 0) for one in told),
            "tokens written": sum(one.get("reply_tokens", 0) for one in told),
            "own s": round(float(np.median(own)), 2),
            "model s": round(float(np.median(model)) / 1000, 2),
        }


def stage_rows(questions: Sequence[str], ways: Sequence[Way], kept: Kept) -> Iterator[dict[str, Any]]:
    """Sum up each stage: its median milliseconds without and with the model's, and calls and tokens a question."""
    for way in ways:
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for question in questions:
            for stage in _stages(_answer_of(kept, question, way)):
                found[stage["name"]].append(stage)
        for name, several in found.items():
            own = [stage["milliseconds"] - stage["model_milliseconds"] for stage in several]
            yield {
                "way": way.name,
                "stage": name,
                "own ms": round(float(np.median(own)), 1),
                "model ms": round(float(np.median([stage["model_milliseconds"] for stage in several])), 1),
                "calls": round(float(np.mean([stage["calls"] for stage in several])), 2),
                "tokens read": round(float(np.mean([stage["prompt_tokens"] for stage in several]))),
                "tokens written": round(float(np.mean([stage["reply_tokens"] for stage in several]))),
            }


def _stages(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the stages of an answer; a composer is one of its own."""
    if answer.get("pipeline"):
        return list(answer["pipeline"]["stages"])
    told, spent = answer.get("generation"), answer.get("timing_ms", {})
    if not spent:
        return []
    written = bool(told and told["reply_tokens"])
    return [
        {
            "name": "all",
            "milliseconds": spent["total"],
            "model_milliseconds": spent.get("generate", 0.0),
            "calls": int(written),
            "prompt_tokens": told["prompt_tokens"] if told else 0,
            "reply_tokens": told["reply_tokens"] if told else 0,
        }
    ]
