"""Facts that a question asks for: relations of the thing that it names, or of two, of the one kind that it asks for.

What a question may be to be answered so stands in `facts.tsv`, word for word: facts say nothing of amounts, of who and
when, or of somebody's own case, and of two things together only what a relation between these two says.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..patterns import read_patterns, small, threshold
from ..queries import fusion, lucene
from ..queries.relation_sentences import in_sentence, listed, saying
from ..queries.salience import name_stem
from ..queries.voices import STANDINGS, STATED, PathVoice, Voices, write_relation
from ..schema.vocabulary import CONDITIONS, ENTITY_LABELS
from .answer import NO_EVIDENCE, CitedFact, Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..graph.database import Database, Row
    from ..queries.entities import LinkerOf, Mention
    from ..queries.paths import Path as GraphPath
    from ..queries.paths import PathEnd, PathNode
    from ..queries.question import Question
    from ..queries.voices import Backing, Standing

_TABLE: Final = Path(__file__).with_name("facts.tsv")
_THING, _OTHER, _KIND, _ANY = "THING", "OTHER", "KIND", "any"
_WORDS: Final = " words"  # what the table puts behind a kind where it has the words for it
DRUGS: Final = ("Drug", "Chemical", "DrugClass", "Treatment")
_GENES: Final = ("Gene", "Protein", "Variant")
_TAKEN: Final = tuple(label for label in ENTITY_LABELS if label not in {*_GENES, *CONDITIONS})
_BY_NAME: Final = re.compile(r"\W*(?:which|what) (?:drugs|medicines|medications)\b", re.IGNORECASE)

# Things that an answer to what asks for names lists, at least; one alone is no list. Set by hand.
NAMED: Final = 2
_SURE: Final = threshold("answers.named")
_SURE_SYMBOL: Final = threshold("answers.facts.sure_symbol")
READ: Final = 60  # facts of a kind that are read, at most; set by hand

# Voices that a fact must have, each a source or a section of a text, unless its kind says that one source is enough: of
# facts that one source alone states, or one section tells, too many are wrong; chosen on the half dev, by reading.
VOICES: Final = 2
_TWO: Final = 2  # things between which a model is told relations, and steps of these, at most
_SPECIFIC: Final = threshold("answers.facts.specific")
_MOST_NAMED: Final = 4  # things named in a question of which two may be asked about together, at most


@dataclass(frozen=True, slots=True)
class _FactKind:
    """How a kind of fact is stored."""

    about: tuple[str, ...]  # labels of what has such facts
    out: tuple[str, ...] = ()  # relations that lead from it
    back: tuple[str, ...] = ()  # relations that lead to it
    labels: tuple[str, ...] = tuple(ENTITY_LABELS)  # labels of the other end
    alone: tuple[str, ...] = ()  # those of the relations that one source is enough for
    terms: bool = True  # whether the other end may be a phrase
    by_texts: bool = False  # whether texts alone may tell it
    named: str = ""  # what the name of the other end ends with


_AVOIDED: Final = ("CONTRAINDICATED_IN", "CONTRAINDICATED_WITH")
_OF_GENES: Final = ("CAUSED_BY", "ASSOCIATED_WITH")
_CURED: Final = ("TREATS", "PALLIATES")
_OF_INHERITANCE: Final = ("RELATED_TO", "HAS_SYMPTOM", "ASSOCIATED_WITH")

# What is asked for → how it is stored. Of causes and treatments that no source states too many are wrong (chosen on the
# half dev, by reading), as of symptoms, tests and drugs that one source alone gives; what drugs do, what they do harm
# to, and genes are what curated tables bring, and one is enough.
KINDS: Final = {
    "symptoms": _FactKind(("Disease",), ("HAS_SYMPTOM",), labels=CONDITIONS, by_texts=True),
    "causes": _FactKind(CONDITIONS, ("CAUSED_BY",), labels=(*CONDITIONS, "Gene", "Organism")),
    "genetic changes": _FactKind(CONDITIONS, _OF_GENES, _OF_GENES[1:], _GENES, alone=_OF_GENES, terms=False),
    "conditions of the gene": _FactKind(_GENES, _OF_GENES[1:], _OF_GENES, CONDITIONS, alone=_OF_GENES),
    "inheritance": _FactKind(CONDITIONS, _OF_INHERITANCE, alone=_OF_INHERITANCE, terms=False, named="inheritance"),
    "susceptibility": _FactKind(CONDITIONS, ("HAS_RISK_FACTOR",)),
    "complications": _FactKind(CONDITIONS, ("HAS_COMPLICATION",), labels=CONDITIONS),
    "exams and tests": _FactKind(CONDITIONS, ("DIAGNOSED_BY",), by_texts=True),
    "treatment": _FactKind(CONDITIONS, ("TREATED_BY",), _CURED, DRUGS, alone=_CURED),
    "prevention": _FactKind(CONDITIONS, ("PREVENTED_BY",)),
    "what makes it worse": _FactKind(CONDITIONS, ("WORSENED_BY",), alone=("WORSENED_BY",)),
    "drugs to avoid": _FactKind(CONDITIONS, _AVOIDED[1:], _AVOIDED[:1], alone=_AVOIDED),
    "parts of the body": _FactKind(CONDITIONS, ("LOCATED_IN", "AFFECTS"), labels=("Anatomy",), alone=("AFFECTS",)),
    "indication": _FactKind(DRUGS, _CURED, ("TREATED_BY", "PREVENTED_BY"), CONDITIONS, alone=_CURED),
    "contraindication": _FactKind(DRUGS, _AVOIDED[:1], _AVOIDED[1:], alone=_AVOIDED),
    "side effects": _FactKind(DRUGS, ("HAS_SIDE_EFFECT",), labels=CONDITIONS, alone=("HAS_SIDE_EFFECT",)),
    "drugs with the side effect": _FactKind(
        CONDITIONS, back=("HAS_SIDE_EFFECT",), labels=DRUGS, alone=("HAS_SIDE_EFFECT",)
    ),
    "interactions": _FactKind(
        DRUGS, ("INTERACTS_WITH",), ("INTERACTS_WITH",), labels=_TAKEN, alone=("INTERACTS_WITH",)
    ),
}


@dataclass(frozen=True, slots=True)
class FactQuery:
    """What facts a question asks for: of one of `KINDS`, about a thing, and related to another where there is one."""

    kind: str
    thing: Mention
    other: Mention | None = None

    @property
    def fits(self) -> bool:
        """Whether it is sure what is meant, and such things have such facts."""
        stored = KINDS[self.kind]
        ends = ((self.thing, stored.about), (self.other, stored.labels))
        return all(end is None or (_is_sure(end) and end.label in labels) for end, labels in ends)


def _is_sure(mention: Mention) -> bool:
    return mention.similarity >= (_SURE_SYMBOL if mention.label in _GENES else _SURE)


def fact_queries(question: Question) -> list[FactQuery]:
    """Tell what facts a question may ask for, the likeliest first; nothing where it asks for anything else, or more."""
    if question.is_message:
        return []
    text = small(question.text).replace("\u2019", "'")
    pairs = itertools.permutations(question.mentions[:_MOST_NAMED], 2)
    things = [*((thing, None) for thing in question.mentions), *pairs]
    typed = ((both, _bare(text, *both)) for both in things)
    asked = (FactQuery(kind, *both) for both, bare in typed for kind in KINDS if _asks_for(kind, bare))
    return [one for one in asked if one.fits]


def _bare(text: str, thing: Mention, other: Mention | None) -> str:
    """Put words of the table in the places of what is named; of two names that overlap nothing is asked together."""
    places = [(thing.start, thing.end, _THING), *([(other.start, other.end, _OTHER)] if other else [])]
    for start, end, word in sorted(places, reverse=True):
        text = f"{text[:start]}{word}{text[end:]}"
    return " ".join(text.split()).strip(" .?!")


def _asks_for(kind: str, bare: str) -> bool:
    """Tell whether a question asks for a kind, in the kind's own words or in those of any kind."""
    table = read_patterns(_TABLE)
    own, words = table.get(kind), table.get(f"{kind}{_WORDS}")
    return bool((own and own.fullmatch(bare)) or (words and table[_ANY].fullmatch(words.sub(_KIND, bare, count=1))))


def asks_by_name(question: Question) -> bool:
    """Tell whether a question asks for things by their names: which drugs, and not how something is treated."""
    return bool(_BY_NAME.match(question.text))


def requested_facts(database: Database, question: Question) -> list[CitedFact]:
    """Find the facts that a question asks for, of as many voices as their kind needs, what most sources say first."""
    found = (facts_of(database, asked) for asked in fact_queries(question))
    return without_documents(next(filter(None, found), []), question.left_out)


def without_documents(facts: Sequence[CitedFact], documents: Sequence[str]) -> list[CitedFact]:
    """Leave out what texts of some documents alone tell."""
    if not documents:
        return list(facts)

    def stays(voice: PathVoice) -> bool:
        return not voice.evidence or any(one.partition("#")[0] not in documents for one in voice.evidence)

    kept = (replace(fact, said=tuple(filter(stays, fact.said))) for fact in facts)
    return [fact for fact in kept if fact.said]


def facts_of(database: Database, asked: FactQuery) -> list[CitedFact]:
    """Find facts of a kind about a thing; none where such a thing has none of the kind."""
    if not asked.fits:
        return []
    kind = KINDS[asked.kind]
    rows = database.read(
        catalogue.get("asked_facts"),
        # All that each may be as surely; there are facts only where these mean one thing.
        entities=[meant.entity for meant in asked.thing.level()],
        others=[meant.entity for meant in asked.other.level()] if asked.other else [],
        out=list(kind.out),
        back=list(kind.back),
        labels=list(kind.labels),
        terms=kind.terms and asked.other is None,
        named=kind.named,
        limit=READ,
    )
    voices = Voices.load(database, (source for row in rows for said in row["said"] for source in said["sources"]))
    facts = (cited_fact(row, asked.thing, voices) for row in rows)
    return [fact for fact in facts if _is_enough(fact, kind)]


def _is_enough(fact: CitedFact, kind: _FactKind) -> bool:
    """Tell whether enough voices say a fact: one source where that is enough for its kind, or else two voices."""
    alone = any(voice.method == STATED and voice.relation in kind.alone for voice in fact.said)
    return alone or (voices_of(fact) >= VOICES and (kind.by_texts or bool(fact.backing.stated)))


def voices_of(fact: CitedFact) -> int:
    """Count who says a fact: sources that state it, and sections that tell it, each once."""
    sources = {source for voice in fact.said if voice.method == STATED for source in voice.sources}
    sections = {section for voice in fact.said if voice.method != STATED for section in voice.evidence}
    return len(sources) + len(sections)


def is_named(fact: CitedFact, text: str) -> bool:
    """Tell whether a text names what a fact relates its subject to, or what stands before a bracket in that name."""
    names = {fact.object_name, bare(fact.object_name)}
    return fusion.has_name(text, [[name_stem(word) for word in lucene.all_words(name)] for name in names])


def bare(name: str) -> str:
    """Give what stands before a bracket in a name."""
    return name.partition(" (")[0]


def sureness(fact: CitedFact) -> float:
    """Tell how sure a fact's surest voice is, from 0 to 1; a source that does not say is sure."""
    return max(1.0 if voice.score is None else voice.score for voice in fact.said)


def worded(facts: Sequence[CitedFact], *, also: bool = False, beside: bool = False) -> str:
    """Say facts of one subject and `shape` in one sentence: `also` behind one like it, `beside` quotations."""
    first, form = facts[0], sentence_form(facts[0])
    if beside:
        lead, names = _ALSO_NAMES[first.backing.standing(first.relation)], listed([fact.object_name for fact in facts])
        return f"{lead}, under {form[0]} for {first.subject_name}: {names}."
    others = [(fact.object_name, fact.backing) for fact in facts]
    return write_relation(first.relation, form, first.subject_name, others, also=also)[0]


def shape(fact: CitedFact) -> tuple[str, int, str]:
    """Tell which facts one sentence can say: its form, the place of its standing among `STANDINGS`, and who says so."""
    return sentence_form(fact)[1], STANDINGS.index(fact.backing.standing(fact.relation)), fact.backing.mark


def sentence_form(fact: CitedFact) -> tuple[str, str]:
    """Give the kind of section that tells a fact, and the form of the sentence that does."""
    return saying(fact.relation, "out" if fact.forward else "in", fact.label)


def cited_fact(row: Row, thing: Mention, voices: Voices) -> CitedFact:
    """Make a fact of a row as `requested_facts` has it."""
    said = tuple(_voice(voice) for voice in row["said"])
    other = in_sentence(row["object_name"], row["names"], row["label"])
    often = f" ({row['frequency']})" if row.get("frequency") else ""
    names = in_sentence(thing.name, [], thing.label), f"{other}{often}"
    backing = voices.backing((voice.method, voice.sources, len(voice.evidence)) for voice in said)
    return _fact((row["concept"], row["object"]), names, row["label"], said, backing, forward=row["forward"])


def _voice(said: Row) -> PathVoice:
    sources, licences, evidence = (tuple(said[name]) for name in ("sources", "licences", "evidence"))
    return PathVoice(said["relation"], said["method"], sources, licences, said["score"], evidence)


# How a list of what quotations do not name begins, by what it is worth.
_ALSO_NAMES: Final[dict[Standing, str]] = {
    "corroborated": "The graph also names",
    "single": "One source alone also names",
    "listed": "One uncurated table alone also lists",
}

LISTED: Final = 8  # things that a sentence lists, at most; set by hand


def write_facts(facts: Sequence[CitedFact], most: int, *, beside: bool = False) -> tuple[Sentence, ...]:
    """Write a sentence a kind of relation, `most` at most, the best stated first; `beside` quotations that answer."""
    groups: dict[tuple[str, str, int, str], list[CitedFact]] = {}
    for fact in facts:
        groups.setdefault((fact.subject, *shape(fact)), []).append(fact)
    sentences: list[Sentence] = []
    said: set[tuple[str, str]] = set()
    for subject, form, place, who in sorted(groups, key=lambda group: group[2]):
        several = tuple(groups[subject, form, place, who][:LISTED])
        sources = min(len({source for voice in fact.said for source in voice.sources}) for fact in several)
        text = worded(several, also=(subject, form) in said, beside=beside)
        sentences.append(Sentence(text, (), NO_EVIDENCE, sources=sources, facts=several))
        said.add((subject, form))
    return tuple(sentences[:most])


def requested_paths(database: Database, linker: LinkerOf, question: Question) -> list[tuple[CitedFact, ...]]:
    """Find how the two things that a question asks about are related: the facts of each path, the best first.

    Each step is of one of the two, and nothing stands between them that has much to do with many things: what leads
    over a common symptom or medicine invites readers to see a link where there is none.
    """
    if question.is_message or len(question.about) != _TWO:
        return []
    from ..queries.hits import Evidence

    (pair,) = Evidence((), question, {}, database, linker).paths() or (None,)
    paths = pair.paths if pair else ()
    return [facts_on(path) for path in paths if len(path.hops) <= _TWO and path.score >= _SPECIFIC]


def facts_on(path: GraphPath) -> tuple[CitedFact, ...]:
    """Give the relations on the way of a path, in order."""
    steps = zip(itertools.pairwise(path.nodes), path.hops, strict=True)
    return tuple(
        fact_of(one, other, forward=hop.forward, said=hop.said, backing=hop.backing) for (one, other), hop in steps
    )


def fact_of(
    one: PathNode | PathEnd, other: PathNode, *, forward: bool, said: tuple[PathVoice, ...], backing: Backing
) -> CitedFact:
    """Make a fact that can be cited; the relation leads `forward` from the one to the other, or back."""
    names = in_sentence(one.name, [], one.label), in_sentence(other.name, [], other.label)
    return _fact((one.id, other.id), names, other.label, said, backing, forward=forward)


def _fact(
    ends: tuple[str, str],
    names: tuple[str, str],
    label: str,
    said: tuple[PathVoice, ...],
    backing: Backing,
    *,
    forward: bool,
) -> CitedFact:
    cypher = catalogue.get("fact_graph").filled(first=ends[0], second=ends[1])
    fact = CitedFact(ends[0], names[0], said[0].relation, forward, ends[1], names[1], label, "", said, cypher, backing)
    return replace(fact, text=worded([fact]))
