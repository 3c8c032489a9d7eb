"""Whose word a relation is: which sources state or tell it, and whether these are independent, or one table alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar, get_args

from ..graph import catalogue
from ..schema.checks import Count  # noqa: TC001 # the service reads the annotations
from ..text import counted
from . import relation_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Self

    from ..graph.database import Database

    Row = Mapping[str, Any]
    Said = tuple[str, Sequence[str], int]

STATED: Final = "stated"  # the method of what sources state
# The method of what sources say to be a prediction (`knowledge_level` of Biolink), by a model or by a rule.
PREDICTED: Final = "predicted"
# Methods of what was read from texts; anything else is stated or predicted.
MODEL: Final = "model"  # the method of what nothing but a language model read in texts
FROM_TEXTS: Final = frozenset({"section", "term", MODEL})
_OTHERS: Final = FROM_TEXTS | {PREDICTED}

# Relations that people may act on: what a table alone lists is no fact there.
ADVICE: Final = frozenset(
    "TREATED_BY TREATS PALLIATES PREVENTED_BY DIAGNOSED_BY WORSENED_BY CONTRAINDICATED_WITH CONTRAINDICATED_IN".split()
)
# Relations by which vocabularies order things; they are said plainly where one alone says so.
_ORDERING: Final = frozenset({"IS_A", "PART_OF", "HAS_PART", "HAS_MEMBER", "ABOUT_CONCEPT"})
# How a relation may be told: as said by independent sources, by one, or as listed by an uncurated table alone.
Standing = Literal["corroborated", "single", "listed"]
STANDINGS: Final[tuple[Standing, ...]] = get_args(Standing)  # all standings, the surest first
# What standings are called, for people.
WORTH: Final[dict[Standing, str]] = {
    "corroborated": "independent sources",
    "single": "one source alone",
    "listed": "listed by one uncurated table alone",
}
_ASIDE: Final = re.compile(r"\s*(?:[:;](?=\s)|\().*", re.DOTALL)  # what follows the name of a source in its title
_LONGEST: Final = 60  # characters of a source's short name, at most; of a longer one, people see the id


class _Standing(Protocol):
    @property
    def standing(self) -> Standing: ...


T = TypeVar("T", bound=_Standing)


@dataclass(frozen=True, slots=True)
class PathVoice:
    """Who says that two things are related, and how."""

    relation: str  # its type
    # `stated`; `predicted`; `section` where texts tell it, `term` where they do in words that no vocabulary has, or
    # `model` where only a language model read it in them
    method: str
    sources: tuple[str, ...]  # ids of the sources that state or predict it, or of the texts that tell it
    licences: tuple[str, ...]  # their licences
    score: float | None  # how sure it is, from 0 to 1; None where the source does not say
    evidence: tuple[str, ...]  # ids of sections, or of publications


def path_voices(rows: Iterable[Row]) -> tuple[PathVoice, ...]:
    """Make voices of what statements give, with sources, licences and evidence in their order."""
    lists = ("sources", "licences", "evidence")
    return tuple(PathVoice(**{**row, **{name: tuple(sorted(set(row[name]))) for name in lists}}) for row in rows)


@dataclass(frozen=True, slots=True)
class RelationSource:
    """A source of relations that sentences rest on."""

    source: str  # its id
    title: str  # what it is called
    url: str  # its home page
    licence: str  # its licence
    dated: str = ""  # of when its release is, in words; empty where nobody says so
    retired: str = ""  # what became of the site that `url` leads to, where that is retired; empty otherwise


@dataclass(frozen=True, slots=True)
class Backing:
    """Who backs a relation."""

    stated: tuple[str, ...] = ()  # ids of the sources that state it
    told: tuple[str, ...] = ()  # ids of the sources whose texts tell it
    sections: Count = 0  # how many sections of these are known to tell it
    # whether two or more independent sources state or tell it. Parts of one source, and sources with one home page, are
    # one voice
    corroborated: bool = False
    # whether nothing but one uncurated table gives it. Such a table is loaded as one, and no curator has ranked it 1 to
    # 5
    uncurated: bool = False
    who: str = ""  # what its sources are called, for people
    text: str = ""  # who says it and how, for people: `stated by MeSH; told in 3 sections (MedQuAD)`
    predicted: tuple[str, ...] = ()  # ids of the sources that predict it, whose word backs nothing

    @property
    def mark(self) -> str:
        """Who says it and how in brief, as it stands in brackets: `MeSH, MedQuAD; stated and told`."""
        how = ["stated"] * bool(self.stated) + ["told"] * bool(self.told) or ["predicted"]
        return f"{self.who}; {' and '.join(how)}"

    def standing(self, *relations: str) -> Standing:
        """Tell how a relation of some types may be told; `listed` what people may act on, and one table alone gives."""
        if self.corroborated:
            return "corroborated"
        return "listed" if self.uncurated and ADVICE.issuperset(relations) else "single"


class BackedRelation:
    """A relation of one type, with who backs it."""

    __slots__ = ()
    relation: str
    backing: Backing

    @property
    def standing(self) -> Standing:
        """How it may be told."""
        return self.backing.standing(self.relation)


class Voices:
    """What is known of some sources, to tell who backs what."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._known = {row["id"]: row for row in rows}

    @classmethod
    def load(cls, database: Database, sources: Iterable[str]) -> Self:
        """Look sources up."""
        return cls(database.read(catalogue.get("source_voices"), ids=sorted(set(sources))))

    def backing(self, said: Iterable[Said]) -> Backing:
        """Tell who states and who tells a relation, and its worth, by each voice's method, sources and sections."""
        several = list(said)
        stated = sorted({source for method, sources, _ in several for source in sources if method not in _OTHERS})
        predicted = sorted({source for method, sources, _ in several for source in sources if method == PREDICTED})
        told = sorted({source for method, sources, _ in several for source in sources if method in FROM_TEXTS})
        sections = sum(count for method, _, count in several if method in FROM_TEXTS)
        ids = dict.fromkeys((*stated, *told))
        voices = {self._known[source]["voice"] if source in self._known else source for source in ids}
        bare = len(voices) == 1 and all(source in self._known and self._known[source]["uncurated"] for source in ids)
        read = all(method == MODEL for method, *_ in several if method in FROM_TEXTS)
        texts = in_sections(sections, self._names(told), by_model=read)
        words = [f"{how} by {self._names(by)}" for how, by in ((STATED, stated), (PREDICTED, predicted)) if by]
        text = "; ".join([*words, *[texts] * bool(told)])
        who = self._names(ids or predicted)
        return Backing(tuple(stated), tuple(told), sections, len(voices) > 1, bare, who, text, tuple(predicted))

    def name(self, source: str) -> str:
        """Name a source for people by the head of its title; by its id where that is too long, or nothing is known."""
        short = _ASIDE.sub("", self._known[source]["title"]) if source in self._known else ""
        return short if 0 < len(short) <= _LONGEST else source

    def _names(self, sources: Iterable[str]) -> str:
        return ", ".join(dict.fromkeys(map(self.name, sources)))


def in_sections(sections: int, who: str, *, by_model: bool) -> str:
    """Say in how many sections whose texts tell something, and whether nothing but a language model read it there."""
    return f"told in {counted(sections, 'section')} ({who}){', as a language model read' * by_model}"


def write_relation(
    relation: str,
    form: tuple[str, str],
    name: str,
    others: Sequence[tuple[str, Backing]],
    *,
    also: bool = False,
    marked: bool = True,
    named: bool = True,
) -> tuple[str, str]:
    """Say in one sentence what is equally backed, and as what it is; and who says so where the sentence does not tell.

    What one source alone says is its word, unless it is how a vocabulary orders things; of what an uncurated table
    lists, it is said that the table does.

    Args:
        form: The kind of section that tells such things, and the form of the sentence.
        others: What that is related to, as it is written within a sentence, with who says so. All have one standing,
            and what is not corroborated is of one source.
        also: Whether a sentence of the same form stands before.
        marked: Whether brackets say who says what, where that differs.
        named: Whether what an uncurated table alone lists is named; otherwise it is counted.
    """
    kind, sentence = form
    names, first = [other for other, _ in others], others[0][1]
    standing = first.standing(relation)
    if standing == "listed":
        told = relation_sentences.tabled(kind, name, names)
        return told if named else relation_sentences.unnamed(first.who, kind, name, len(names)), ""
    plain = standing == "corroborated" or (relation in _ORDERING and bool(first.stated or first.told))
    of = "" if first.stated else "texts of " if first.told else "a prediction of "
    lead = "" if plain else f"According to {of}{first.who} alone, "
    marks = [backing.mark for _, backing in others]
    differ = marked and plain and len(set(marks)) > 1
    text = relation_sentences.write_sentence(sentence, name, names, also=also, lead=lead, marks=marks if differ else ())
    return text, "" if differ or lead else first.mark


def apart(rows: Iterable[T]) -> list[tuple[Standing, list[T]]]:
    """Put relations apart by how they may be told; not those of which there are none."""
    several = list(rows)
    groups = ((standing, [row for row in several if row.standing == standing]) for standing in STANDINGS)
    return [(standing, group) for standing, group in groups if group]


def backed(database: Database, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tell who backs what an answer names, in rows of `answer_facts`; what one table alone lists is left out."""
    several = list(rows)
    voices = Voices.load(database, (s for row in several for voice in row["said"] for s in voice["sources"]))
    return [row | {"said": plain(row["said"], voices)} for row in several]


def plain(said: Sequence[Row], voices: Voices) -> list[Row]:
    """Tell who backs what is said of a thing, as `backed` does."""
    ends: dict[tuple[str, bool], list[Row]] = {}
    for voice in said:
        ends.setdefault((voice["about"], voice["forward"]), []).append(voice)
    found: list[Row] = []
    for several in ends.values():
        backing = voices.backing((voice["method"], voice["sources"], 0) for voice in several)
        if backing.standing(*(voice["relation"] for voice in several)) != "listed":
            found += [{**voice, "backing": backing} for voice in several]
    return found
