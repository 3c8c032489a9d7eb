"""Reads what trainings learn from: vectors and passages of the graph, what sections answer, and pairs of questions.

Questions are made from the graph, asked as people ask. Search is measured on MedQuAD's subjects of one half
(`evaluation.sets.medquad`); whatever is connected to a subject of that half by a concept is left out here, so that
nothing is learned about what is reported.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from defusedxml import ElementTree

from medgraph.embeddings.index import passage
from medgraph.errors import InputError, SourceFileError
from medgraph.files import table_lines
from medgraph.graph import catalogue

from ..evaluation.statistics import part_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from numpy.typing import NDArray

    from medgraph.graph.database import Database, Row

    from ..evaluation.sets.meqsum import Message

PAGE: Final = 2000

GRADES: Final = {1: 0.0, 2: 0.1, 3: 0.8, 4: 1.0}  # how much a graded section answers
SOURCE: Final = "medquad"
WORDINGS: Final = Path(__file__).with_name("wordings.tsv")
MAX_NAMES: Final = 30  # names of a subject that are asked by, at most; a few concepts have hundreds
AS_IN_SOURCE: Final = 0.3  # the share of questions that stay as their source asks them
# The shares of questions with slips of the finger, and in small letters throughout.
MISSPELT: Final = 0.25
SMALL: Final = 0.3
_LEAST_LETTERS: Final = 5


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of texts that answer."""

    values: NDArray[np.float32]  # (texts, dimension) float32
    sections: list[str]  # the section of each row

    def units(self) -> NDArray[np.float32]:
        """Give the vectors, scaled to length one."""
        scaled: NDArray[np.float32] = self.values / np.linalg.norm(self.values, axis=1, keepdims=True)
        return scaled

    def rows(self) -> dict[str, list[int]]:
        """Give the rows of each section."""
        rows: dict[str, list[int]] = defaultdict(list)
        for row, section in enumerate(self.sections):
            rows[section].append(row)
        return dict(rows)


@dataclass(frozen=True, slots=True)
class Passages(Vectors):
    """Vectors of passages, with the title of the document and the text of each row."""

    titles: list[str]
    texts: list[str]

    def first_passages(self) -> dict[str, str]:
        """Give what the first passage of each section says, below its title."""
        rows = zip(self.sections, self.titles, self.texts, strict=True)
        return {section: f"{title}\n{text}" for section, title, text in [*rows][::-1]}


def vectors(database: Database, query: str) -> Vectors:
    """Read vectors by a statement that gives them by pages: `chunk_vectors` or `question_vectors`."""
    values, (sections,) = _columns(database, query, "section")
    return Vectors(values, sections)


def passages(database: Database) -> Passages:
    """Read all chunks that have a vector."""
    values, columns = _columns(database, "chunk_passages", "section", "title", "text")
    return Passages(values, *columns)


def _columns(database: Database, query: str, *names: str) -> tuple[NDArray[np.float32], list[list[str]]]:
    columns: list[list[str]] = [[] for _ in names]
    pages = []
    for page in database.pages(catalogue.get(query), PAGE):
        for name, column in zip(names, columns, strict=True):
            column += [row[name] for row in page]
        pages.append(np.array([row["vector"] for row in page], dtype=np.float32))
    if not pages:
        raise InputError("the graph has no vectors to train on; run: medgraph index")
    return np.concatenate(pages), columns


@dataclass(frozen=True, slots=True)
class QuestionPair:
    """Two questions."""

    asked: str
    short: str
    entails: bool  # whether an answer of the other one answers it, at least in part


def read_pairs(path: Path) -> list[QuestionPair]:
    """Read pairs of RQE (AMIA 2016): XML with `pair` elements of `chq`, `faq` and the attribute `value`."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ValueError, ElementTree.ParseError) as error:  # of forbidden entities, too
        raise SourceFileError(f"cannot be read: {error}; give RQE's training file", path) from error
    found = []
    for element in root.iter("pair") if root is not None else ():
        asked, short = (" ".join((element.findtext(name) or "").split()) for name in ("chq", "faq"))
        if asked and short and asked.lower() != short.lower():
            found.append(QuestionPair(asked, short, element.get("value") == "true"))
    if len({pair.entails for pair in found}) < 2:
        raise SourceFileError("has not pairs of both values, true and false; give RQE's training file", path)
    return found


@dataclass(frozen=True, slots=True)
class Example:
    """A section with what is known to answer the same."""

    section: str
    question: str
    type: str
    collection: str
    names: Sequence[str]
    answers: frozenset[str]  # ids of all sections of its type about its subject; it is one of them
    near: frozenset[str]
    subjects: frozenset[str] = frozenset()  # what it is about, as `Subjects` names it


@dataclass(frozen=True, slots=True)
class Subjects:
    """What MedQuAD's documents are about, joined where a concept connects it."""

    entities: Mapping[str, Row]  # entity → its row of `subject_names`
    of: Mapping[str, str]  # entity → its subject
    reported: frozenset[str]  # subjects of the half that figures are reported of


def read_subjects(database: Database) -> Subjects:
    """Read what MedQuAD's documents are about."""
    entities = {row["id"]: row for row in database.read(catalogue.get("subject_names"), source=SOURCE)}
    of = _subjects(entities)
    reported = frozenset(of[row["id"]] for row in entities.values() if part_of(row["name"].lower()) == "held")
    return Subjects(entities, of, reported)


def examples(database: Database, known: Subjects | None = None) -> list[Example]:
    """Read what can be asked, of the half that one chooses by."""
    sections = database.read(catalogue.get("asking_sections"), source=SOURCE)
    if not sections:
        raise InputError("questions to train on are made from MedQuAD, which the graph lacks; load it, or load all")
    known = known or read_subjects(database)
    entities, subjects = known.entities, known.of
    about: dict[str, set[str]] = defaultdict(set)
    told: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in sections:
        for subject in {subjects[entity] for entity in row["entities"]}:
            about[subject].add(row["id"])
            told[subject, row["type"]].add(row["id"])
    made = []
    for row in sections:
        mine = {subjects[entity] for entity in row["entities"]}
        if mine & known.reported:
            continue
        names = dict.fromkeys(name for entity in row["entities"] for name in entities[entity]["names"])
        made.append(
            Example(
                section=row["id"],
                question=row["question"],
                type=row["type"],
                collection=row["collection"],
                names=tuple(names)[:MAX_NAMES],
                answers=frozenset().union(*(told[subject, row["type"]] for subject in mine)),
                near=frozenset().union(*(about[subject] for subject in mine)),
                subjects=frozenset(mine),
            )
        )
    if not made:
        raise InputError("no section of MedQuAD is left to train on; load all of it")
    return made


def made_pairs(database: Database, known: Subjects) -> list[tuple[str, str]]:
    """Read questions that `medgraph index subgraphs` made of relations, each with the passage that answers."""
    subjects = {concept: known.of[one] for one, row in known.entities.items() for concept in row["concepts"]}
    return [
        (row["asked"], passage(row))
        for rows in database.pages(catalogue.get("made_pairs"), PAGE)
        for row in rows
        if row["text"] and subjects.get(row["concept"], row["concept"]) not in known.reported
    ]


@dataclass(frozen=True, slots=True)
class GradedQuestion:
    """A real question of which sections were graded by reading."""

    texts: Sequence[str]  # ways to ask it: a short question, a message
    grades: Mapping[str, int]  # section → grade


def graded_of(messages: Sequence[Message], grades: Mapping[str, Mapping[str, int]]) -> list[GradedQuestion]:
    """Pair messages of MeQSum with their grades, those that have any."""
    return [GradedQuestion((one.short, one.text), grades[one.id]) for one in messages if one.id in grades]


def _subjects(entities: Mapping[str, Row]) -> dict[str, str]:
    """Give each entity a subject that it shares with whatever is connected to it by concepts."""
    parent = {entity: entity for entity in entities}

    def root(entity: str) -> str:
        while parent[entity] != entity:
            parent[entity] = entity = parent[parent[entity]]
        return entity

    first: dict[str, str] = {}
    for entity, row in entities.items():
        for concept in row["concepts"]:
            parent[root(entity)] = root(first.setdefault(concept, entity))
    return {entity: root(entity) for entity in entities}


@cache
def wordings() -> dict[str, tuple[str, ...]]:
    """Read how people ask: Section type → wordings with `{x}` for what is asked about."""
    read: dict[str, list[str]] = defaultdict(list)
    for _, line in table_lines(WORDINGS):
        kind, wording = line.split("\t")
        read[kind].append(wording)
    return {kind: tuple(texts) for kind, texts in read.items()}


def reworded(example: Example, random: Random) -> str:
    """Ask for what a section tells, as its source does or as people do."""
    chance = random.random()
    if chance < AS_IN_SOURCE or example.type not in wordings():
        return example.question
    name = random.choice(example.names)
    text = random.choice(wordings()[example.type]).replace("{x}", name)
    if chance > 1 - MISSPELT:
        text = text.replace(name, misspelt(name, random))
    return text.lower() if random.random() < SMALL else text


def misspelt(name: str, random: Random) -> str:
    """Let a finger slip in a name, once or twice."""
    for _ in range(random.choice((1, 1, 2))):
        words = [word for word in name.split() if len(word) >= _LEAST_LETTERS]
        if not words:
            break
        word = random.choice(words)
        at = random.randrange(1, len(word) - 2)
        slips = (
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + random.choice("aeioustrnl") + word[at + 1 :],
        )
        name = name.replace(word, random.choice(slips), 1)
    return name
