"""When to answer and when to be silent: questions that the graph can answer against questions that it cannot.

Those it can are MedQuAD's own, in everyday words and with misspellings. Those it cannot ask the same of diseases of the
Human Disease Ontology that neither MedQuAD's names nor its concepts know, and of things that have nothing to do with
health. An answer counts as right when it cites a section that answers the question by MedQuAD's own types and foci.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from medgraph.files import table_lines
from medgraph.graph import catalogue
from medgraph.loaders.base import Row
from medgraph.loaders.ontologies import obo
from medgraph.progress import progress
from medgraph.schema.records import Entity

from .sets.medquad import dev_questions, in_style
from .statistics import THRESHOLDS, number, part_of, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medgraph.answers.answerer import Answerer
    from medgraph.graph.database import Database

OFF_TOPIC: Final = [text for _, text in table_lines(Path(__file__).with_name("off_topic.tsv"))]
_KINDS: Final = ("information", "symptoms", "treatment", "causes", "exams and tests", "prevention", "outlook")


@dataclass(frozen=True, slots=True)
class Case:
    """A question with what would be a right answer."""

    text: str
    relevant: frozenset[str]  # sections that answer it; empty for one that cannot be answered


def cases(database: Database, ontology: Path, part: str, sample: int) -> list[Case]:
    """Make the questions."""
    known = [q for style in ("everyday", "misspelt") for q in dev_questions(database, style, sample // 2, part=part)]
    answerable = [Case(q.text, q.relevant | {q.id}) for q in known]
    names = [name for name in unknown_diseases(database, ontology) if part_of(name) == part]
    unknown = [
        Case(in_style("", _KINDS[number(name) // 3 % len(_KINDS)], [name], "everyday", number(name)), frozenset())
        for name in sorted(names, key=number)[:sample]
    ]
    off_topic = [Case(text, frozenset()) for i, text in enumerate(OFF_TOPIC) if (i % 2 == 0) == (part == "dev")]
    return [*answerable, *unknown, *off_topic]


def unknown_diseases(database: Database, ontology: Path) -> list[str]:
    """Find diseases of an ontology that the graph has neither by name nor by concept."""
    row = database.read(catalogue.get("all_names"))[0]
    names, concepts = {_plain(name) for name in row["names"]}, set(row["concepts"])
    return [
        entity.name
        for entity in _terms(ontology)
        if not concepts & {*entity.concepts} and not names & {_plain(name) for name in _all_names(entity)}
    ]


def measure(answerer: Answerer, questions: Sequence[Case]) -> list[dict[str, Any]]:
    """Answer every question, and tell by threshold what is answered, how rightly, and what is answered falsely."""
    told: list[tuple[float, bool, bool]] = []
    with progress("asking", "question", len(questions)) as bar:
        for case in questions:
            sure, sentences = answerer.quoted(case.text)
            cited = {citation.section for sentence in sentences for citation in sentence.citations}
            told.append((sure, bool(case.relevant), bool(case.relevant & cited)))
            bar.update(1)
    return table(told)


def table(told: Sequence[tuple[float, bool, bool]]) -> list[dict[str, Any]]:
    """Sum up how sure each answer is, whether its question can be answered, and whether the answer is right."""
    can = sum(answerable for _, answerable, _ in told)
    rows = []
    for threshold in THRESHOLDS:
        given = [(answerable, right) for sure, answerable, right in told if sure >= threshold]
        good = [right for answerable, right in given if answerable]
        false = (len(given) - len(good)) / max(1, len(told) - can)
        rows.append(
            {"threshold": threshold, "answered": len(good) / max(1, can), "right": share(good), "false answers": false}
        )
    return rows


def _terms(ontology: Path) -> Iterator[Entity]:
    """Read the terms that an OBO file has not given up; they come before all relations."""
    for item in obo.records(ontology):
        if isinstance(item, Row):
            if not isinstance(item.record, Entity):
                return
            if not item.record.obsolete:
                yield item.record


def _all_names(entity: Entity) -> tuple[str, ...]:
    synonyms = (entity.synonyms, entity.narrow_synonyms, entity.broad_synonyms, entity.related_synonyms)
    return (entity.name, *(name for names in synonyms for name in names))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", name.lower().replace("'", "")).strip()
