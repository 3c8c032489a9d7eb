"""Lets a language model read a section for relations of given types, each with the words of the section that say it.

Quotations are looked for in the section; blanks and capitals apart, they stand there letter by letter.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec

from ..errors import InputError
from ..files import table_cells
from ..models.protocol import Request
from ..queries.relation_sentences import saying, write_sentence
from ..schema.vocabulary import RELATION_TYPES
from ..text import sentences
from .answer import NO_EVIDENCE
from .prompting import escaped, instructs, prompt
from .verify.verifier import judge_claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..graph.database import Row
    from ..models.protocol import Model
    from .answer import Verdict

TYPES: Final = Path(__file__).with_name("relation_types.tsv")
PROMPT: Final = "tell_relations"
BARRED: Final = ("CONTRAINDICATED_IN", "CONTRAINDICATED_WITH")
OTHER: Final = "RELATED_TO"  # what a type is stored as that the graph does not have, as its predicate
PART: Final = 4000  # characters of a section that a request has, at most, unless a sentence is longer; set by hand
REPLY: Final = 3000  # tokens that the model may write; set by hand
_TYPE: Final = re.compile(r"[A-Z][A-Z0-9_]*")


class ToldRelation(msgspec.Struct, frozen=True):
    """What the model tells: relations of one head by the same words."""

    head: str
    relation: str
    tails: list[str]
    quote: str
    polarity: Literal["affirmed", "hedged", "denied"]


@dataclass(slots=True)
class SectionReading:
    """What came of a section: rows (head, relation, predicate, tails, start, end, polarity), and what was refused."""

    told: list[Row] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    cost: float | None = None


def load_types(path: Path = TYPES) -> dict[str, str]:
    """Read a table of types of relations, with what each means; InputError for a line that is none."""
    types = {}
    for number, (name, meaning) in table_cells(path, 2, "TYPE and what it means"):
        if not _TYPE.fullmatch(name):
            raise InputError(f"{path}:{number}: {name!r} is no type of relations; write it like HAS_SYMPTOM")
        types[name] = meaning
    if not types:
        raise InputError(f"{path} names no type of relations")
    return types


@dataclass(frozen=True)
class RelationReader:
    """Asks a model, which is opened when it is first needed, for relations of some types."""

    load: Callable[[], Model]
    types: dict[str, str]

    @cached_property
    def prompt(self) -> str:
        """SHA-256 of what the model is told, but for the section, in hex."""
        said = [prompt(PROMPT).text, *(f"{name}\t{meaning}" for name, meaning in self.types.items())]
        return hashlib.sha256("\n".join(said).encode()).hexdigest()

    @cached_property
    def model(self) -> str:
        """The model's name."""
        return self._model.name

    @cached_property
    def _model(self) -> Model:
        return self.load()

    def read(self, section: Row) -> SectionReading:
        """Read a section (`title`, `heading`, `text`); RequestsWaitError, ModelError where a reply is not to be had."""
        reading = SectionReading()
        if any(instructs(section[name]) for name in ("title", "heading", "text")):
            reading.refused["the section instructs its reader"] += 1
            return reading
        for place, text in _parts(section["text"]):
            types = "\n".join(f"- {name}: {meaning}" for name, meaning in self.types.items())
            filled = {"page": section["title"], "heading": section["heading"], "text": text}
            messages = prompt(PROMPT).fill(types=types, **{name: escaped(said) for name, said in filled.items()})
            reply = self._model.complete(Request(messages, self._schema, max_tokens=REPLY))
            reading.tokens += reply.usage.prompt_tokens + reply.usage.reply_tokens
            if reply.usage.cost is not None:
                reading.cost = (reading.cost or 0.0) + reply.usage.cost
            for one in reply.value.relations:
                self._take(one, place, text, reading)
        return reading

    @staticmethod
    def judge(relation: str, head: str, tail: str, label: str, said: str) -> Verdict:
        """Judge whether words say a relation to a thing with a label; NO_EVIDENCE also where they cannot tell.

        Of what is barred they cannot: that it should be avoided, and is contraindicated, differ in direction.
        """
        if relation in {OTHER, *BARRED}:
            return NO_EVIDENCE
        claim = write_sentence(saying(relation, "out", label)[1], head, [tail])
        return judge_claim(claim, said)[0]

    def _take(self, one: ToldRelation, place: int, text: str, reading: SectionReading) -> None:
        found = place_of(html.unescape(one.quote), text)
        if one.relation not in self.types:
            reading.refused["a type that was not asked for"] += len(one.tails)
        elif found is None or instructs(one.quote):
            reading.refused["words that the section does not have"] += len(one.tails)
        else:
            known = one.relation in RELATION_TYPES
            row: Row = {"head": html.unescape(one.head), "polarity": one.polarity}
            row |= {"relation": one.relation if known else OTHER, "predicate": "" if known else one.relation}
            row |= {"tails": [*map(html.unescape, one.tails)], "start": place + found[0], "end": place + found[1]}
            reading.told.append(row)

    @cached_property
    def _schema(self) -> Any:
        name = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(self.types)})]
        one = msgspec.defstruct("Relation", [("relation", name)], bases=(ToldRelation,), frozen=True, kw_only=True)
        return msgspec.defstruct("Relations", [("relations", list[one])])  # type: ignore[valid-type]


def place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Find where a text has words, whatever blanks and capitals it has them with."""
    words = quote.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE) if words else None
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
