"""The step that has a language model read sections for relations, and checks what it tells: `index relations`.

Both ends have to be named where the model says and to link to entities of kinds that the relation joins. What is
denied is noted as that; what is hedged, or what the rules of sentences object to, waits for a curator.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, Protocol

from ..errors import ModelReplyError, RequestsWaitError
from ..graph import catalogue
from ..patterns import threshold
from ..progress import note, progress
from ..schema.vocabulary import INVERSES, KIN, RELATION_ENDS
from ..text import counted, sentences
from .context import OWN
from .mentions import VAGUE
from .statements import misread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..graph.database import Database, Row
    from .linker import Linker

PAGE: Final = 100  # sections that are looked up at once
SURE: Final = threshold("linking.mentions.role")
GENE: Final = threshold("linking.mentions.likely")  # no symbol is surer
TOLD: Final = threshold("linking.read_relations.told")


class Reading(Protocol):
    """What came of a section: rows (head, relation, predicate, tails, start, end, polarity), and what was refused."""

    told: list[Row]
    refused: Counter[str]
    tokens: int
    cost: float | None


class Reader(Protocol):
    """Has a model read sections."""

    @property
    def model(self) -> str:
        """Its name."""

    @property
    def prompt(self) -> str:
        """Hash of what it is told."""

    def read(self, section: Row) -> Reading:
        """Read a section; RequestsWaitError, ModelError where a reply is not to be had."""

    def judge(self, relation: str, head: str, tail: str, label: str, said: str) -> str:
        """Judge whether words say a relation, or contradict it."""


@dataclass(slots=True)
class ReadRelations:
    """What came of reading."""

    sections: int = 0  # that were read
    stored: Counter[str] = field(default_factory=Counter)  # relations by status: told, proposed, denied
    refused: Counter[str] = field(default_factory=Counter)  # relations by what is wrong with them
    waiting: int = 0  # sections whose requests wait for replies of a batch
    failed: int = 0  # sections for which a reply was of no use; they are read again the next time
    tokens: int = 0
    cost: float | None = None

    def summary(self) -> str:
        """Say it in a sentence, and what was refused in another."""
        stored = f"{counted(self.stored['told'], 'relation')} told, {self.stored['proposed']:,} for review,"
        spent = f"{self.tokens:,} tokens" + ("" if self.cost is None else f", cost {self.cost:.2f}")
        rest = (("wait for replies", self.waiting), ("failed", self.failed))
        left = "".join(f"; {count:,} {how}" for how, count in rest if count)
        refused = "; ".join(f"{why}: {count:,}" for why, count in self.refused.most_common())
        read = f"{counted(self.sections, 'section')} read, {stored} {self.stored['denied']:,} denied, {spent}{left}"
        return read + f"\nrefused: {refused}" * bool(refused)


def read_relations(
    database: Database, linker: Linker, reader: Reader, source: str = "", most: int | None = None
) -> ReadRelations:
    """Have sections read that this model has not read by this prompt, of a source or all, and store what they tell."""
    done, by = ReadRelations(), f"{reader.model}@{reader.prompt[:12]}"
    query, given = catalogue.get("write_told"), {"by": by, "model": reader.model, "prompt": reader.prompt}
    pages = database.pages(catalogue.get("unread_sections"), PAGE, by=by, source=source)
    with progress("reading", "section", most) as bar:
        for section in islice(chain.from_iterable(pages), most):
            bar.update(1)
            if (row := _read(section, linker, reader, done)) is not None:
                database.write(query, rows=[row], **given)
    return done


def forget(database: Database, model: str) -> int:
    """Forget what a model told, but for what a curator decided, and count the sections that it had read."""
    return int(database.write(catalogue.get("forget_told"), model=model)[0]["sections"])


def _read(section: Row, linker: Linker, reader: Reader, done: ReadRelations) -> Row | None:
    try:
        reading = reader.read(section)
    except RequestsWaitError:
        done.waiting += 1
        return None
    except ModelReplyError as error:
        done.failed += 1
        note(f"{section['id']}: {error}")
        return None
    checked = _checked(section, linker, reader, reading)
    told = {(row["head"], row["relation"], row["tail"]): row for row in checked}.values()
    done.sections += 1
    done.tokens += reading.tokens
    done.cost = done.cost if reading.cost is None else (done.cost or 0.0) + reading.cost
    done.refused += reading.refused
    done.stored.update(row["status"] for row in told)
    spent = {"tokens": reading.tokens, "cost": reading.cost, "score": TOLD}
    return {"section": section["id"], "told": [row | spent for row in told]}


@dataclass(frozen=True, slots=True)
class End:
    """An end of a relation: an entity, where the section names it, if it does, and whether the page is about it."""

    entity: str
    concept: str
    label: str
    place: tuple[int, int] | None
    is_subject: bool


def _checked(section: Row, linker: Linker, reader: Reader, reading: Reading) -> Iterator[Row]:
    """Give what holds of what a model tells, with its status; count what does not in `refused`."""
    names = _Names(linker, section)
    for said in reading.told:
        head = names.find(said["head"], said)
        for name in said["tails"]:
            tail = names.find(name, said)
            if head is None or tail is None:
                reading.refused["a name that the section or the graph does not have"] += 1
            elif why := _misfit(said, head, tail, name):
                reading.refused[why] += 1
            else:
                status, why = _status(section, reader, said, (head, tail), name)
                ends = (tail, head) if said["relation"] in INVERSES else (head, tail)
                yield {
                    "head": ends[0].entity,
                    "relation": INVERSES.get(said["relation"], said["relation"]),
                    "predicate": said["predicate"],
                    "tail": ends[1].entity,
                    "start": said["start"],
                    "end": said["end"],
                    "surface": name,
                    "status": status,
                    "why": why,
                }


def _misfit(said: Row, head: End, tail: End, name: str) -> str:
    if head.concept == tail.concept or name.lower() in VAGUE:
        return "one thing at both ends, or one that tells nothing"
    if not all(end.is_subject or (end.place and said["start"] <= end.place[0] < said["end"]) for end in (head, tail)):
        return "words that do not name both ends"
    allowed = RELATION_ENDS.get(said["relation"], ((), ()))
    if not all(_is_of(end.label, labels) for end, labels in zip((head, tail), allowed, strict=True)):
        return "an end of a kind that the relation does not join"
    return ""


def _is_of(label: str, allowed: tuple[str, ...]) -> bool:
    """Tell whether a label, or one that is akin to it, is among some; all are where there are none."""
    akin = next((group for group in KIN if label in group), (label,))
    return not allowed or not set(akin).isdisjoint(allowed)


def _status(section: Row, reader: Reader, said: Row, ends: tuple[End, End], name: str) -> tuple[str, str]:
    """Tell whether a relation is told, denied or proposed for review, and why."""
    if said["polarity"] != "affirmed":
        return ("denied", "") if said["polarity"] == "denied" else ("proposed", "hedged")
    text, spans, relation = section["text"], sentences(section["text"]), said["relation"]
    contexts = [how for end in ends if end.place for _, how in OWN.contexts(text, spans, [end.place])]
    if any(how.negated or how.family for how in contexts):
        return "proposed", "negated"
    words = text[said["start"] : said["end"]]
    if why := misread(INVERSES.get(relation, relation), words, f"{section['heading']} {section['type']}"):
        return "proposed", why
    contradicted = reader.judge(relation, said["head"], name, ends[1].label, words) == "contradicted"
    return ("proposed", "contradicted") if contradicted else ("told", "")


class _Names:
    """Finds what names of a section stand for."""

    def __init__(self, linker: Linker, section: Row) -> None:
        self._linker, self._section = linker, section
        found = linker.text(section["text"], section["focus"], OWN)
        self._mentions = {(linked.start, linked.end): linked for linked in found}
        self._subjects = {name.lower(): one for one in section["about"] for name in one["names"]}
        if len(section["about"]) == 1:
            self._subjects[section["title"].lower()] = section["about"][0]

    def find(self, name: str, said: Row) -> End | None:
        """Find an end by its name, in the words quoted before the rest of the section."""
        places = self._places(name, said)
        linked = next((self._mentions[place] for place in places if place in self._mentions), None)
        place = next((place for place in places if place in self._mentions), places[0] if places else None)
        if linked is None and (one := self._subjects.get(name.lower())):
            return End(one["entity"], one["concept"], one["label"], place, is_subject=True)
        if linked is None and (place or self._in(name, self._section["title"])):
            linked = next(iter(self._linker.name(name)), None)
        held = self._linker.holdings
        if linked is None or linked.score < (GENE if held.is_gene(linked.entity) else SURE):
            return None
        concept = held.concept_id(linked.entity)
        is_subject = concept in self._section["focus"] or bool(self._in(name, self._section["title"]))
        return End(held.id(linked.entity), concept, held.label(linked.entity), place, is_subject)

    def _places(self, name: str, said: Row) -> list[tuple[int, int]]:
        found = self._in(name, self._section["text"])
        return sorted(found, key=lambda place: not said["start"] <= place[0] < said["end"])

    def _in(self, name: str, text: str) -> list[tuple[int, int]]:
        words = r"\s+".join(map(re.escape, name.split()))
        return [found.span() for found in re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)] if words else []
