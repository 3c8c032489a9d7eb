"""Relations as answers: which a question asks for, which conditions have a symptom, and what they add to quotations.

Who asks why fingers are numb asks of no disease, and a sentence of one disease's page would read as the cause: causes
of a symptom are told from pages on it, or by a list of conditions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..patterns import read_patterns, read_words
from ..queries.hits import dated, retired
from ..queries.lookups import stems_of
from ..queries.lucene import all_words, content_words
from ..queries.salience import name_stem
from ..queries.voices import RelationSource, Voices, write_relation
from .answer import NO_EVIDENCE, Sentence
from .facts import (
    LISTED,
    asks_by_name,
    cited_fact,
    is_named,
    requested_facts,
    sentence_form,
    without_documents,
    write_facts,
)
from .outline import quoted_in, relating
from .signs import CONTEXT_LABELS, SYMPTOMS, Signs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..graph.database import Database, Row
    from ..queries.entities import Mention
    from ..queries.question import Question
    from ..queries.retriever import SectionText
    from .answer import Answer, CitedFact
    from .scoring import Retrieved

_CAUSES: Final = "causes"

# Conditions that a list of possibilities has, at least: one or two would read as the cause. Set by hand.
FEWEST: Final = 3
READ: Final = 24  # conditions that are read, at most; set by hand
_RULES: Final = read_patterns(Path(__file__).with_name("graph_facts.tsv"))


# What the title of a page may say beyond what is asked about.
_WIDER: Final = frozenset(map(name_stem, read_words(Path(__file__).with_name("word_lists.tsv"))["wider"]))


def asks_of_symptom(question: Question) -> bool:
    """Tell whether a question asks where a symptom comes from, or only tells of one, and of no disease or drug."""
    if asks_by_name(question):  # `Which drugs cause nausea?`
        return False
    tells = all(part.kind != "asks" for part in question.parts)
    wonders = _RULES["wonders"].search(question.text) is not None and question.intents in {(), ("information",)}
    if question.intents[:1] != (_CAUSES,) and not wonders and (question.intents or not tells):
        return False
    labels = {mention.label for mention in question.about}
    if not labels <= SYMPTOMS | CONTEXT_LABELS:
        return False
    return bool(labels & SYMPTOMS) or (not tells and bool(_RULES["complains"].search(question.text)))


def on_symptom(signs: Signs, found: Sequence[Retrieved]) -> tuple[list[Retrieved], list[SectionText]]:
    """Part sections whose page is on what is asked about, by its entities or all words of its title, from the others.

    Who says that the feet burn asks of no page `Burns`, and of one `Foot Injuries and Disorders`.
    """
    question = signs.question
    names = {word for mention in question.about for stems in stems_of(mention)[mention.reworded :] for word in stems}
    said = {name_stem(word) for mention in question.about if mention.reworded for word in all_words(mention.surface)}
    words = {name_stem(word) for word in question.words}

    def is_on(part: set[str]) -> bool:
        return part <= words | names | _WIDER and bool(part & (names | _WIDER) or part <= words - said)

    on: list[Retrieved] = []
    others: list[SectionText] = []
    for section, near in found:
        if signs.about(section) or any(map(is_on, _parts(section.title))):
            on.append((section, near))
        else:
            others.append(section)
    return on, others


def _parts(title: str) -> list[set[str]]:
    """Give the words of each part of a title that tells something: `Dizziness and Vertigo` has two.

    Of `Cold and Cough Medicines` no part stands by itself, and `Disorders` says more of what stands before it.
    """
    parts = [{name_stem(word) for word in content_words(all_words(part))} for part in _RULES["apart"].split(title)]
    wider = set().union(*parts) & _WIDER
    telling = [part | wider for part in parts if part - _WIDER]
    return [set().union(*telling)] if telling and len(telling[-1] - _WIDER) > 1 else telling


def _has_more_detail(question: Question) -> bool:
    """Tell whether more is said than which symptom: what comes with it, or when, tells most of a list to be wrong."""
    named = {word for mention in question.about for word in all_words(mention.surface)}
    return question.is_message or any(word not in named for word in question.particular)


def _conditions(database: Database, symptom: Mention) -> list[CitedFact]:
    """Find conditions that have a symptom, or cause it, common ones first; none where they are few."""
    entities = [meant.entity for meant in symptom.level()]
    rows = database.read(catalogue.get("causes_of_symptom"), entities=entities, limit=READ)
    voices = Voices.load(database, (source for row in rows for said in row["said"] for source in said["sources"]))
    facts = [fact for row in rows if (fact := cited_fact(row, symptom, voices)).backing.corroborated]
    return facts if len(facts) >= FEWEST else []


def write_requested(question: Question, facts: Sequence[CitedFact], most: int) -> tuple[Sentence, ...]:
    """Write what facts say of a question, in `most` sentences at most.

    Conditions behind a symptom are possibilities: in one sentence those that have it, in one those that cause it.
    """
    if not asks_of_symptom(question):
        return write_facts(facts, most)
    groups: dict[bool, list[CitedFact]] = {}
    for fact in facts[:LISTED]:
        groups.setdefault(fact.forward, []).append(fact)
    return tuple(_listed(group) for group in groups.values())


def _listed(facts: Sequence[CitedFact]) -> Sentence:
    first = facts[0]
    others = [(fact.object_name, fact.backing) for fact in facts]
    text, _ = write_relation(first.relation, sentence_form(first), first.subject_name, others, marked=False)
    return Sentence(text, (), NO_EVIDENCE, sources=2, facts=tuple(facts))


@dataclass(frozen=True, slots=True)
class GraphFacts:
    """Relations of one graph, for answers."""

    database: Database

    def requested(self, question: Question) -> list[CitedFact]:
        """Find the facts that a question asks for: of a symptom's causes only what independent sources say."""
        if not asks_of_symptom(question):
            return requested_facts(self.database, question)
        mentions = [mention for mention in question.about if mention.label in SYMPTOMS]
        if len(mentions) != 1 or not question.intents or _has_more_detail(question):
            return []
        return without_documents(_conditions(self.database, mentions[0]), question.left_out)

    def besides(self, facts: Sequence[CitedFact], quoted: Sequence[Sentence]) -> tuple[Sentence, ...]:
        """Write what facts name that quotations do not, by any name; not what texts of one source alone tell."""
        text = " ".join(sentence.text for sentence in quoted).lower()
        spans = [
            {"section": c.section, "start": c.start, "end": c.end} for sentence in quoted for c in sentence.citations
        ]
        firm = (fact for fact in facts if fact.backing.corroborated or fact.backing.stated)
        left = [fact for fact in firm if not is_named(fact, text)]
        rows = self.database.read(catalogue.get("quoted_things"), passages=spans) if left else ()
        named = {row["thing"] for row in rows}
        return write_facts([fact for fact in left if fact.object not in named], 1, beside=True)

    def with_sources(self, answer: Answer) -> Answer:
        """Add to an answer the sources of the relations that it rests on."""
        ids = list(dict.fromkeys(source for sentence in quoted_in(answer) for source in relating(sentence)))
        rows = self.database.read(catalogue.get("relation_sources"), ids=ids) if ids else ()
        return replace(answer, relation_sources=tuple(map(_source, rows)))


def _source(row: Row) -> RelationSource:
    told = dated("", row["version"]), retired(row["url"])
    return RelationSource(row["source"], row["title"], row["url"], row["licence"], *told)
