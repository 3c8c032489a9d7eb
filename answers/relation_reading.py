"""A language model reads sections for relations of given types, and what it tells is checked: `index relations`.

The words that it quotes have to stand in the section, blanks and capitals apart, and to name both ends, or the page's
subject; these have to be entities of kinds that the relation joins. What is denied is noted as that; what is hedged,
and what rules or the checker of claims object to, waits for a curator.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec

from ..errors import InputError, ModelReplyError, RequestsWaitError
from ..files import table_cells
from ..graph import catalogue
from ..linking.context import OWN
from ..linking.mentions import LIKELY, SURE_MENTION, VAGUE
from ..linking.statements import misread
from ..models.protocol import Request
from ..patterns import threshold
from ..progress import note, progress
from ..queries.relation_sentences import saying, write_sentence
from ..schema.vocabulary import INVERSES, KIN, RELATION_ENDS, RELATION_TYPES
from ..text import counted, sentences, spaced
from .answer import CONTRADICTED
from .prompting import escaped, instructs, prompt
from .verify.verifier import judge_claim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..graph.database import Database, Row
    from ..linking.linker import Linker
    from ..models.protocol import Model

TYPES: Final = Path(__file__).with_name("relation_types.tsv")
PROMPT: Final = "tell_relations"
OTHER: Final = "RELATED_TO"  # what a type is stored as that the graph does not have, as its predicate
# The checker takes "should be avoided" and "is contraindicated" for opposites.
_NOT_JUDGED: Final = (OTHER, "CONTRAINDICATED_IN", "CONTRAINDICATED_WITH")
PAGE: Final = 100  # sections that are looked up at once
PART: Final = 4000  # characters of a section that a request has, at most, unless a sentence is longer; set by hand
REPLY: Final = 3000  # tokens that the model may write; set by hand
SCORE: Final = threshold("answers.relation_reading.score")
_TYPE: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_UNKNOWN: Final = "a name that the section or the graph does not have"


class ReplyRelation(msgspec.Struct, frozen=True):
    """Relations of one head by the same words, as the model gives them."""

    head: str
    relation: str
    tails: list[str]
    quote: str
    polarity: Literal["affirmed", "hedged", "denied"]


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
        done = f"{counted(self.sections, 'section')} read, {stored} {self.stored['denied']:,} denied, {spent}{left}"
        return done + f"\nrefused: {refused}" * bool(refused)


def load_types(path: Path = TYPES) -> dict[str, str]:
    """Read a table of types of relations, with what each means; InputError for a line that is none."""
    types = {}
    for number, (name, meaning) in table_cells(path, 2, "TYPE and what it means"):
        if not _TYPE.fullmatch(name):
            raise InputError(f"{path}:{number}: {name!r} is no type of relations; write it like HAS_SYMPTOM")
        types[name] = meaning
    return types


@dataclass(frozen=True)
class RelationReader:
    """Asks a model for relations of some types."""

    model: Model
    types: dict[str, str]
    linker: Linker

    @cached_property
    def prompt(self) -> str:
        """SHA-256 of what the model is told, but for the section, in hex."""
        parts = [prompt(PROMPT).text, *(f"{name}\t{meaning}" for name, meaning in self.types.items())]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def index(self, database: Database, source: str = "", most: int | None = None) -> ReadRelations:
        """Have sections read that this model has not read by this prompt, of a source or all; store relations."""
        done, by = ReadRelations(), f"{self.model.name}@{self.prompt[:12]}"
        query, given = catalogue.get("write_told"), {"by": by, "model": self.model.name, "prompt": self.prompt}
        pages = database.pages(catalogue.get("unread_sections"), PAGE, by=by, source=source)
        with progress("reading", "section", most) as bar:
            for section in islice(chain.from_iterable(pages), most):
                bar.update(1)
                try:
                    rows = self.relations_of(section, done)
                except RequestsWaitError:
                    done.waiting += 1
                except ModelReplyError as error:
                    done.failed += 1
                    note(f"{section['id']}: {error}")
                else:
                    database.write(query, rows=[{"section": section["id"], "told": rows}], **given)
        return done

    def relations_of(self, section: Row, done: ReadRelations) -> list[Row]:
        """Give the relations of a section that are to be stored; RequestsWaitError, ModelError without a reply."""
        tokens, cost, replies = 0, None, list[tuple[int, str, ReplyRelation]]()
        if any(instructs(section[name]) for name in ("title", "heading", "text")):
            done.refused["the section instructs its reader"] += 1
        else:
            for place, text in _parts(section["text"]):
                reply = self.model.complete(self._request(section, text))
                tokens += reply.usage.prompt_tokens + reply.usage.reply_tokens
                cost = cost if reply.usage.cost is None else (cost or 0.0) + reply.usage.cost
                replies += [(place, text, one) for one in reply.value.relations]
        names = SectionNames(self.linker, section)
        found: dict[tuple[str, str, str], Row] = {}
        for place, text, one in replies:
            for row in self._checked(section, names, one, (place, text), done):
                found[row["head"], row["relation"], row["tail"]] = row
        done.sections += 1
        done.tokens += tokens
        done.cost = done.cost if cost is None else (done.cost or 0.0) + cost
        done.stored.update(row["status"] for row in found.values())
        return [row | {"tokens": tokens, "cost": cost, "score": SCORE} for row in found.values()]

    def _request(self, section: Row, text: str) -> Request:
        filled = {"page": section["title"], "heading": section["heading"], "text": text}
        types = "\n".join(f"- {name}: {meaning}" for name, meaning in self.types.items())
        messages = prompt(PROMPT).fill(types=types, **{name: escaped(value) for name, value in filled.items()})
        return Request(messages, self._schema, max_tokens=REPLY)

    @cached_property
    def _schema(self) -> Any:
        name = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(self.types)})]
        one = msgspec.defstruct("Relation", [("relation", name)], bases=(ReplyRelation,), frozen=True, kw_only=True)
        return msgspec.defstruct("Relations", [("relations", list[one])])  # type: ignore[valid-type]

    def _checked(
        self, section: Row, names: SectionNames, one: ReplyRelation, part: tuple[int, str], done: ReadRelations
    ) -> Iterator[Row]:
        """Give what holds of a reply's relations, with its status; count what does not in `refused`."""
        found = place_of(html.unescape(one.quote), part[1])
        if one.relation not in self.types or found is None or instructs(one.quote):
            known = one.relation in self.types
            why = "words that the section does not have" if known else "a type that was not asked for"
            done.refused[why] += len(one.tails)
            return
        place = part[0] + found[0], part[0] + found[1]
        known = one.relation in RELATION_TYPES
        relation, predicate = (one.relation, "") if known else (OTHER, one.relation)
        head = names.find(html.unescape(one.head), place)
        for name in map(html.unescape, one.tails):
            tail = names.find(name, place)
            why = _misfit(relation, head, tail, name) if head and tail else _UNKNOWN
            if why or head is None or tail is None:
                done.refused[why] += 1
                continue
            status, why = _status(section, one, relation, (head, tail), place)
            ends = (tail, head) if relation in INVERSES else (head, tail)
            row = {"head": ends[0].entity, "relation": INVERSES.get(relation, relation), "tail": ends[1].entity}
            row |= {"predicate": predicate, "surface": name, "status": status, "why": why}
            yield {**row, "start": place[0], "end": place[1]}


def forget(database: Database, model: str) -> int:
    """Forget what a model read, but for what a curator decided, and count its sections."""
    return int(database.run(catalogue.get("forget_told"), model=model)[0]["sections"])


def place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Find where a text has words, whatever blanks and capitals it has them with."""
    found = re.search(spaced(quote), text, re.IGNORECASE) if quote.strip() else None
    return found.span() if found else None


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Cut a text into parts of whole sentences, with where each begins."""
    begin, end = 0, 0
    for start, stop in sentences(text):
        if stop - begin > PART and end > begin:
            yield begin, text[begin:end]
            begin = start
        end = stop
    if end > begin:
        yield begin, text[begin:end]


@dataclass(frozen=True, slots=True)
class End:
    """An end of a relation: an entity, and where the section names it, if it does."""

    name: str
    entity: str
    concept: str
    label: str
    place: tuple[int, int] | None
    named: bool  # whether it is named in the words quoted, or what the page is about


class SectionNames:
    """Finds what names of a section stand for."""

    def __init__(self, linker: Linker, section: Row) -> None:
        self._linker, self._section = linker, section
        found = linker.text(section["text"], section["focus"], OWN)
        self._mentions = {(linked.start, linked.end): linked for linked in found}
        self._subjects = {name.lower(): one for one in section["about"] for name in one["names"]}
        if len(section["about"]) == 1:
            self._subjects[section["title"].lower()] = section["about"][0]

    def find(self, name: str, quoted: tuple[int, int]) -> End | None:
        """Find an end by its name, in the words quoted before the rest of the section."""
        places = sorted(self._in(name, self._section["text"]), key=lambda at: not quoted[0] <= at[0] < quoted[1])
        place = next((place for place in places if place in self._mentions), places[0] if places else None)
        linked = self._mentions.get(place) if place else None
        if linked is None and (one := self._subjects.get(name.lower())):
            return End(name, one["entity"], one["concept"], one["label"], place, named=True)
        titled = bool(self._in(name, self._section["title"]))
        if linked is None and (place or titled):
            linked = next(iter(self._linker.name(name)), None)
        held = self._linker.holdings
        # No symbol of a gene is surer than likely.
        if linked is None or linked.score < (LIKELY if held.is_gene(linked.entity) else SURE_MENTION):
            return None
        concept = held.concept_id(linked.entity)
        inside = place is not None and quoted[0] <= place[0] < quoted[1]
        named = inside or titled or concept in self._section["focus"]
        return End(name, held.id(linked.entity), concept, held.label(linked.entity), place, named)

    def _in(self, name: str, text: str) -> list[tuple[int, int]]:
        words = spaced(name)
        return [found.span() for found in re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)] if words else []


def _misfit(relation: str, head: End, tail: End, name: str) -> str:
    if head.concept == tail.concept or name.lower() in VAGUE:
        return "one thing at both ends, or one that tells nothing"
    if not (head.named and tail.named):
        return "words that do not name both ends"
    pairs = zip((head, tail), RELATION_ENDS.get(relation, ((), ())), strict=True)
    fits = all(_is_of(end.label, labels) for end, labels in pairs)
    return "" if fits else "an end of a kind that the relation does not join"


def _is_of(label: str, allowed: tuple[str, ...]) -> bool:
    """Tell whether a label, or one that is akin to it, is among some; all are where there are none."""
    akin = next((group for group in KIN if label in group), (label,))
    return not allowed or not set(akin).isdisjoint(allowed)


def _status(
    section: Row, one: ReplyRelation, relation: str, ends: tuple[End, End], quoted: tuple[int, int]
) -> tuple[str, str]:
    """Tell whether a relation is told, denied or proposed for review, and why."""
    if one.polarity != "affirmed":
        return ("denied", "") if one.polarity == "denied" else ("proposed", "hedged")
    text, spans = section["text"], sentences(section["text"])
    contexts = [how for end in ends if end.place for _, how in OWN.contexts(text, spans, [end.place])]
    if any(how.negated or how.family for how in contexts):
        return "proposed", "negated"
    words, (head, tail) = text[slice(*quoted)], ends
    if why := misread(INVERSES.get(relation, relation), words, f"{section['heading']} {section['type']}"):
        return "proposed", why
    if relation not in _NOT_JUDGED:
        claim = write_sentence(saying(relation, "out", tail.label)[1], head.name, [tail.name])
        if judge_claim(claim, words)[0] == CONTRADICTED:
            return "proposed", CONTRADICTED
    return "told", ""
