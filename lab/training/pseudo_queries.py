"""Pseudo-queries: what patients would write to be answered by a document of relations, written by a language model.

A prompt has the model write a query for a document, and a second one judges whether it is in a patient's style and
relevant; another is written until both hold (ILlama). What came of each document is kept in a folder as it
comes, so that writing goes on where it stopped, and the encoder can be trained on what was accepted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from medgraph.answers.prompting import prompt
from medgraph.embeddings.index import passage
from medgraph.errors import InputError, ModelReplyError, RequestsWaitError
from medgraph.files import KeptLines
from medgraph.graph import catalogue
from medgraph.models.protocol import Request
from medgraph.progress import note, progress

from ..evaluation.statistics import number
from .questions import PAGE, read_subjects

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medgraph.graph.database import Database, Row
    from medgraph.models.protocol import Model

    from .questions import Subjects

FILE: Final = "pseudo-queries.jsonl"
WRITING, JUDGING = "pseudo_query", "pseudo_query_check"
ATTEMPTS: Final = 5  # queries that are written for a document, at most
QUERY_TOKENS: Final = 160
TEMPERATURE: Final = 0.7  # of writing, so that another attempt is another query; judging takes the likeliest token


class Verdict(msgspec.Struct, frozen=True):
    """What is judged of a query."""

    patient_style: bool
    relevant: bool

    @property
    def good(self) -> bool:
        """Whether both hold."""
        return self.patient_style and self.relevant


class PseudoQuery(msgspec.Struct, frozen=True):
    """What came of a document: a line of the file."""

    document: str
    section: str  # the section that the model was given
    query: str  # the last that was written
    model: str  # the model, as the settings name it
    prompts: tuple[str, ...]  # names and hashes of the prompts, `name@hash`
    attempts: int  # queries that were written
    accepted: bool  # whether the last is in a patient's style and relevant


@dataclass(frozen=True, slots=True)
class Written:
    """What was written."""

    kept: Sequence[PseudoQuery]  # what is kept of the documents that were asked for
    waiting: int = 0  # documents whose requests wait for replies of a batch
    failed: int = 0  # documents for which the model's reply was of no use; they are asked for again the next time

    def summary(self) -> str:
        """Say it in a sentence."""
        accepted = [one for one in self.kept if one.accepted]
        first = sum(one.attempts == 1 for one in accepted)
        return (
            f"{len(accepted):,} queries accepted for {len(self.kept):,} documents, {first:,} of them at the first"
            f" attempt; {len(self.kept) - len(accepted):,} given up after {ATTEMPTS}; {self.waiting:,} documents wait"
            f" for replies, {self.failed:,} failed"
        )


def kept_in(folder: Path) -> KeptLines[str, PseudoQuery]:
    """Give the pseudo-queries of a folder, by document."""
    return KeptLines(folder / FILE, PseudoQuery, lambda one: one.document, "query that a model wrote")


def write(database: Database, model: Model, folder: Path, sample: int | None, seed: int) -> Written:
    """Write a query for each document that has none by this model and these prompts; larger samples hold smaller."""
    rows = sorted(documents(database, read_subjects(database)), key=lambda row: number(f"{seed} {row['document']}"))
    if not rows:
        raise InputError("the graph has no documents of relations to ask for; run: medgraph index subgraphs")
    kept, rows, counts = kept_in(folder), rows[:sample], {"waiting": 0, "failed": 0}
    with progress("writing queries", "document", len(rows)) as bar:
        for row in rows:
            try:
                if not _is_of(kept.found.get(row["document"]), model):
                    kept.add(_written(model, row))
            except RequestsWaitError:
                counts["waiting"] += 1
            except ModelReplyError as error:
                counts["failed"] += 1
                note(f"{row['document']}: {error}")
            bar.update(1)
    return Written([one for row in rows if (one := kept.found.get(row["document"]))], **counts)


def documents(database: Database, known: Subjects) -> Iterator[Row]:
    """Give the first passage of each document of relations, but for subjects that figures are reported of."""
    subjects = {concept: known.of[one] for one, row in known.entities.items() for concept in row["concepts"]}
    seen: set[str] = set()
    for rows in database.pages(catalogue.get("subgraph_passages"), PAGE):
        for row in rows:
            if row["document"] not in seen and subjects.get(row["concept"], row["concept"]) not in known.reported:
                seen.add(row["document"])
                yield row


def read_accepted(folder: Path) -> list[PseudoQuery]:
    """Read the queries of a folder that were accepted."""
    accepted = [one for one in kept_in(folder).found.values() if one.accepted]
    if not accepted:
        raise InputError(f"{folder / FILE} has no accepted query; run: medgraph train pseudo-queries {folder}")
    return accepted


def pairs_of(queries: Sequence[PseudoQuery], database: Database, known: Subjects) -> list[tuple[str, str]]:
    """Give queries with the passages that answer, as far as the graph has these."""
    texts = {row["document"]: passage(row) for row in documents(database, known)}
    return [(one.query, texts[one.document]) for one in queries if one.document in texts]


def origins(queries: Sequence[PseudoQuery]) -> list[str]:
    """Say who wrote queries, and by which prompts."""
    return sorted({f"pseudo-queries by {one.model} ({', '.join(one.prompts)})" for one in queries})


def _prompts() -> tuple[str, ...]:
    return tuple(f"{name}@{prompt(name).hash}" for name in (WRITING, JUDGING))


def _is_of(one: PseudoQuery | None, model: Model) -> bool:
    return one is not None and (one.model, one.prompts) == (model.name, _prompts())


def _written(model: Model, row: Row) -> PseudoQuery:
    document, query, verdict = passage(row), "", Verdict(patient_style=False, relevant=False)
    attempt = 0
    while attempt < ATTEMPTS and not verdict.good:
        attempt += 1
        messages = prompt(WRITING).fill(document=document, attempt=str(attempt))
        asked = Request(messages, max_tokens=QUERY_TOKENS, temperature=TEMPERATURE, seed=attempt)
        query = " ".join(model.complete(asked).text.split()).strip('"')
        messages = prompt(JUDGING).fill(document=document, query=query)
        verdict = model.complete(Request(messages, Verdict, max_tokens=QUERY_TOKENS)).value
    return PseudoQuery(row["document"], row["section"], query, model.name, _prompts(), attempt, verdict.good)
