"""Facts that a question asks for: relations of the one thing that it names, of the one kind that it asks for.

What a question may be to be answered so stands in `facts.tsv`, word for word: facts say nothing of two things together,
of amounts, of who and when, or of somebody's own case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..patterns import read_patterns, small
from ..queries.paths import PathVoice
from ..queries.sentences import in_sentence, saying
from ..queries.voices import STANDINGS, STATED, Voices, tell
from ..schema.vocabulary import CONDITIONS, ENTITY_LABELS
from .answer import CitedFact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..graph.database import Database, Row
    from ..queries.entities import Mention
    from ..queries.question import Question

_TABLE: Final = Path(__file__).with_name("facts.tsv")
_THING: Final = "thing"

DRUGS: Final = ("Drug", "Chemical", "DrugClass", "Treatment")
_GENES: Final = ("Gene", "Protein", "Variant")

_BY_NAME: Final = re.compile(r"\W*(?:which|what) (?:drugs|medicines|medications)\b", re.IGNORECASE)

NAMED: Final = 2
"""Things that an answer to what asks for names lists, at least; one alone is no list. Set by hand."""

_SURE: Final = 0.9
"""How sure it must be what a question names; set by hand."""

READ: Final = 60
"""Facts of a kind that are read, at most; set by hand."""

VOICES: Final = 2
"""Voices that a fact must have, each a source or a section of a text: of facts that one source alone states, or one
section tells, too many are wrong; chosen on the half dev, by reading."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a kind of fact is stored."""

    about: tuple[str, ...]
    out: tuple[str, ...]
    back: tuple[str, ...] = ()
    labels: tuple[str, ...] = tuple(ENTITY_LABELS)
    terms: bool = True
    by_texts: bool = False


KINDS: Final = {
    "symptoms": _Kind(("Disease",), ("HAS_SYMPTOM",), labels=CONDITIONS, by_texts=True),
    "causes": _Kind(CONDITIONS, ("CAUSED_BY",), labels=(*CONDITIONS, "Gene", "Organism")),
    "genetic changes": _Kind(CONDITIONS, ("CAUSED_BY", "ASSOCIATED_WITH"), ("ASSOCIATED_WITH",), _GENES, terms=False),
    "susceptibility": _Kind(CONDITIONS, ("HAS_RISK_FACTOR",)),
    "complications": _Kind(CONDITIONS, ("HAS_COMPLICATION",), labels=CONDITIONS),
    "exams and tests": _Kind(CONDITIONS, ("DIAGNOSED_BY",), by_texts=True),
    "treatment": _Kind(CONDITIONS, ("TREATED_BY",), ("TREATS", "PALLIATES"), DRUGS),
    "prevention": _Kind(CONDITIONS, ("PREVENTED_BY",)),
    "side effects": _Kind(DRUGS, ("HAS_SIDE_EFFECT",), labels=CONDITIONS),
}
"""Section type → what has such facts, relations out of it and to it that are such facts, and whether these may be
phrases and may be told by texts alone: of causes and treatments that no source states too many are wrong (chosen on the
half dev, by reading)."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What facts a question asks for.

    Attributes:
        kind: One of `KINDS`.
        thing: What they should be about.
    """

    kind: str
    thing: Mention

    @property
    def entities(self) -> list[str]:
        """All that it may be as surely; there are facts only where these mean one thing."""
        return [meant.entity for meant in self.thing.level()]


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return read_patterns(_TABLE)


def wanted(question: Question) -> Wanted | None:
    """Tell what facts a question asks for.

    Args:
        question: The question.

    Returns:
        The kind and the thing; None where it asks for anything else, or for more.
    """
    if question.is_message:
        return None
    text = small(question.text).replace("\u2019", "'")
    for mention in question.mentions:
        bare = " ".join(f"{text[: mention.start]}{_THING}{text[mention.end :]}".split()).strip(" .?!")
        kind = next((kind for kind, pattern in _patterns().items() if pattern.fullmatch(bare)), "")
        if kind and mention.similarity >= _SURE and mention.label in KINDS[kind].about:
            return Wanted(kind, mention)
    return None


def asks_by_name(question: Question) -> bool:
    """Tell whether a question asks for things by their names, which facts list and texts describe.

    Args:
        question: The question.

    Returns:
        Whether it does: which drugs, and not how something is treated.
    """
    return bool(_BY_NAME.match(question.text))


def asked_facts(database: Database, question: Question) -> list[CitedFact]:
    """Find the facts that a question asks for.

    Args:
        database: The graph.
        question: The question.

    Returns:
        The facts, of two voices at least, those that most sources say first; none where it asks for no such thing.

    Raises:
        DatabaseError: The database refused or went away.
    """
    asked = wanted(question)
    return facts_of(database, asked) if asked else []


def facts_of(database: Database, asked: Wanted) -> list[CitedFact]:
    """Find facts of a kind about a thing.

    Args:
        database: The graph.
        asked: The kind and the thing.

    Returns:
        The facts, as `asked_facts` gives them; none where such a thing has none of the kind.

    Raises:
        DatabaseError: The database refused or went away.
    """
    if asked.thing.similarity < _SURE or asked.thing.label not in KINDS[asked.kind].about:
        return []
    kind = KINDS[asked.kind]
    rows = database.read(
        catalogue.get("asked_facts"),
        entities=asked.entities,
        out=list(kind.out),
        back=list(kind.back),
        labels=list(kind.labels),
        terms=kind.terms,
        limit=READ,
    )
    voices = Voices.read(database, (source for row in rows for said in row["said"] for source in said["sources"]))
    facts = (_fact(row, kind, asked.thing, voices) for row in rows)
    return [fact for fact in facts if voices_of(fact) >= VOICES and (kind.by_texts or is_stated(fact))]


def voices_of(fact: CitedFact) -> int:
    """Count who says a fact.

    Args:
        fact: The fact.

    Returns:
        How many sources state it and how many sections, each of which counts once, tell it.
    """
    sources = {source for voice in fact.said if voice.method == STATED for source in voice.sources}
    sections = {section for voice in fact.said if voice.method != STATED for section in voice.evidence}
    return len(sources) + len(sections)


def is_stated(fact: CitedFact) -> bool:
    """Tell whether a source states a fact, or it was only read from texts.

    Args:
        fact: The fact.

    Returns:
        Whether one does.
    """
    return any(voice.method == STATED for voice in fact.said)


def sureness(fact: CitedFact) -> float:
    """Tell how sure a fact is.

    Args:
        fact: The fact.

    Returns:
        What its surest voice is, from 0 to 1; a source that does not say is sure.
    """
    return max(1.0 if voice.score is None else voice.score for voice in fact.said)


def worded(facts: Sequence[CitedFact], *, also: bool = False) -> str:
    """Say facts that are alike in one sentence.

    Args:
        facts: Facts of one subject and `shape`, one at least.
        also: Whether a sentence like it stands before.

    Returns:
        The sentence, with who says what: what one source alone says is said to be its word.
    """
    first = facts[0]
    others = [(fact.object_name, fact.backing) for fact in facts]
    text, who = tell(first.relation, _form(first), first.subject_name, others, also=also)
    return f"{text.removesuffix('.')} ({who})." if who else text


def shape(fact: CitedFact) -> tuple[str, int, str]:
    """Tell which facts one sentence can say.

    Args:
        fact: The fact.

    Returns:
        The form of its sentence, the place of its standing among `STANDINGS`, and who says so.
    """
    return _form(fact)[1], STANDINGS.index(fact.backing.standing(fact.relation)), fact.backing.mark


def _form(fact: CitedFact) -> tuple[str, str]:
    return saying(fact.relation, "out" if fact.forward else "in", fact.label)


def _fact(row: Row, kind: _Kind, thing: Mention, voices: Voices) -> CitedFact:
    said = tuple(_voice(voice) for voice in row["said"])
    relation = said[0].relation
    fact = CitedFact(
        subject=row["concept"],
        subject_name=in_sentence(thing.name, [], thing.label),
        relation=relation,
        forward=relation not in kind.back or relation in kind.out,
        object=row["object"],
        object_name=in_sentence(row["object_name"], row["names"], row["label"]),
        label=row["label"],
        text="",
        said=said,
        cypher=catalogue.get("fact_graph").filled(first=row["concept"], second=row["object"]),
        backing=voices.backing((voice.method, voice.sources, len(voice.evidence)) for voice in said),
    )
    return replace(fact, text=worded([fact]))


def _voice(said: Row) -> PathVoice:
    sources, licences, evidence = (tuple(said[name]) for name in ("sources", "licences", "evidence"))
    return PathVoice(said["relation"], said["method"], sources, licences, said["score"], evidence)
