"""Tools for agents: short results, with ids by which more is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence  # the server reads the annotations
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote

from pydantic import Field

from ...answers.outline import CitedRelations, pages_of, quoted_in, relations_of, unanswered_of
from ...errors import NotInGraphError
from ...graph.foreign import ROWS, Table, without_vectors
from ...queries.enrichment import REASONS
from ...queries.filters import Filters
from ...queries.paths import MAX_HOPS
from ...queries.retriever import MAX_RESULTS
from ...queries.voices import WORTH
from ...schema.vocabulary import SECTION_TYPES, STUDIES

if TYPE_CHECKING:
    from ..service import Service

PASSAGE: Final = 700  # characters of a passage that `search` gives
# Names, relations of a type, or evidence that a result lists.
NAMES: Final = 8
VOICES: Final = 4  # by how many methods a relation may be known, each of which is a fact
Question = Annotated[str, Field(description="A question in English, whole by itself", max_length=10_000)]
Names = Annotated[Sequence[str], Field(description="Only these sources or collections; empty for all")]
Limit = Annotated[int, Field(ge=1, le=20)]
Types = Annotated[Sequence[str], Field(description=f"Only these section types: {', '.join(SECTION_TYPES)}")]
Offset = Annotated[
    int, Field(ge=0, le=MAX_RESULTS, description="How many of the best to leave out: `next` of a result")
]
Name = Annotated[str, Field(description="A name, an id or a CUI", max_length=1_000)]


@dataclass(frozen=True)
class AnswerSource:
    """What a sentence of an answer rests on: its number in the text, and the resource that has the whole section.

    Where it is relations, there is no resource, and `quote` says them.
    `dated` says how old it is, `retired` that its address is of a site that is gone, and `study` what kind of study
    it is: pass them on.
    """

    number: int
    resource: str
    title: str
    type: str
    publisher: str
    published: str
    dated: str
    study: str
    url: str
    retired: str
    source: str
    licence: str
    quote: str


# What is told of a source as its citation has it.
_CITED: Final = tuple(field.name for field in fields(AnswerSource))[2:]


@dataclass(frozen=True)
class Answered:
    """An answer.

    `status` is `answered`; `related`, where nothing answers and the text is only about the same; or
    `not_enough_evidence`. `urgent` comes before anything else. `doubtful` lists sentences that their sources do not
    support or that other documents contradict.
    """

    status: str
    text: str
    sources: list[AnswerSource]
    confidence: float
    urgent: str
    unanswered: list[str]
    doubtful: list[str]
    ask_back: str
    answered_elsewhere: list[str]
    follow_ups: list[str]
    understood: str
    notice: str


@dataclass(frozen=True)
class Passage:
    """A passage that search found; its resource has the whole section."""

    resource: str
    title: str
    type: str
    question: str
    text: str
    dated: str
    study: str
    url: str
    retired: str
    source: str
    licence: str
    score: float


_FOUND: Final = tuple({field.name for field in fields(Passage)} - {"resource", "text", "score"})


@dataclass(frozen=True)
class Passages:
    """Passages that search found, and `offset` of the next ones; null at the end."""

    passages: list[Passage]
    next: int | None


@dataclass(frozen=True)
class GraphEntity:
    """An entity: what it is, its names, and how many relations of each type it has, with examples."""

    id: str
    name: str
    label: str
    definition: str
    synonyms: list[str]
    concepts: list[str]
    relations: dict[str, list[str]]
    documents: list[str]


@dataclass(frozen=True)
class GraphEntities:
    """The best entity of a name, and others that it may mean."""

    entity: GraphEntity | None
    others: list[dict[str, str]]


@dataclass(frozen=True)
class StatedRelation:
    """A statement of the graph, with its sources and what they are worth together."""

    text: str
    sources: list[str]
    worth: str
    evidence: list[str]


@dataclass(frozen=True)
class SharedBy:
    """A concept that has given ones: how many, how likely by chance once corrected, some of them, and who says so."""

    concept: str
    name: str
    relation: str
    counts: str
    q: float
    members: list[str]
    sources: list[str]


@dataclass(frozen=True)
class Shared:
    """What given concepts have in common, the least likely by chance first, and names that were not used, with why."""

    results: list[SharedBy]
    left_out: dict[str, str]


class Tools:
    """The tools, over one service; each method is a tool, and its documentation is what an agent reads."""

    def __init__(self, service: Service, seconds: float) -> None:
        """Take the service, and how many seconds a statement of an agent may take."""
        self._service, self._seconds = service, seconds

    def ask(
        self,
        question: Question,
        previous: Annotated[Sequence[str], Field(description="Earlier questions of the dialogue, oldest first")] = (),
        sources: Names = (),
    ) -> Answered:
        """Answer a question about health or biomedicine from the texts and relations that are loaded.

        Each sentence is quoted or checked against its source and has numbers of `sources`. If the status is not
        `answered`, nothing loaded answers: say so. Show `urgent` first, and keep the numbers with the sentences.
        """
        answer = self._service.answer(question, Filters(tuple(sources)), tuple(previous))
        cited = {c.section: c for sentence in reversed(quoted_in(answer)) for c in sentence.citations}
        sections = [
            AnswerSource(n, address_of(s), **{name: getattr(cited[s], name) for name in _CITED})
            for n, s in enumerate(answer.cited, 1)
            if s in cited
        ]
        return Answered(
            answer.status,
            answer.text,
            [*sections, *map(_relations, relations_of(answer))],
            round(answer.confidence, 3),
            "\n".join(f"{one.title}: {one.text} ({one.url})" for one in answer.urgent),
            list(unanswered_of(answer)),
            [s.text for s in quoted_in(answer) if s.verdict != "supported" or s.contradicting],
            answer.ask_back.question if answer.ask_back else "",
            [page.answered_at for page in pages_of(answer)],
            list(answer.follow_ups),
            answer.understood or answer.question,
            " ".join(filter(None, (answer.remark, answer.caution, answer.notice))),
        )

    def search(
        self,
        query: Question,
        limit: Limit = 5,
        offset: Offset = 0,
        sources: Names = (),
        types: Types = (),
        since: Annotated[str, Field(description="Earliest date of publication: a year, month or day")] = "",
        until: Annotated[str, Field(description="Latest date of publication")] = "",
        studies: Annotated[Sequence[str], Field(description=f"Only these kinds of study: {', '.join(STUDIES)}")] = (),
    ) -> Passages:
        """Search for passages by words and meaning, best first; `resource` opens the whole section."""
        filters = Filters(tuple(sources), tuple(types), since, until, studies=tuple(studies))
        found = self._service.search(query, filters, as_typed=False, top_k=limit, offset=offset)
        passages = [
            Passage(
                resource=address_of(hit.section) if hit.section else hit.url,
                text=_short(hit.text, PASSAGE),
                score=round(hit.score, 4),
                **{name: getattr(hit, name) for name in _FOUND},
            )
            for hit in found
        ]
        return Passages(passages, found.next)

    def entity(self, name: Name) -> GraphEntities:
        """Look up a disease, drug, gene, symptom or other thing: definition, names and relations."""
        found = self._service.entities(name, NAMES)
        card = self._service.entity(name) or (self._service.entity(found[0].id) if found else None)
        if card is None:
            raise NotInGraphError(f"nothing is called {name!r}{self._service.called_nearly(name)}")
        meaning = card.meaning
        relations: dict[str, list[str]] = {}
        for kind, direction, other, its_id in (
            [(one.relation, one.direction, one.name, one.entity) for one in meaning.relations]
            if meaning
            else [(one.relation, one.direction, one.name, one.id) for one in card.relations]
        ):
            relations.setdefault(kind if direction == "out" else f"{kind}, from the other", []).append(
                f"{other} ({its_id})"
            )
        names = [one.name for one in meaning.names] if meaning else card.synonyms
        thing = GraphEntity(
            card.id,
            card.name,
            card.label or "",
            card.definition or (card.description.words if card.description else ""),
            [name for name in names if name != card.name][:NAMES],
            [f"{concept.cui} {concept.name}" for concept in card.concepts],
            {kind: list(dict.fromkeys(named))[:NAMES] for kind, named in relations.items()},
            [f"{document.title} ({document.id})" for document in card.documents][:NAMES],
        )
        others = [{"id": one.id, "name": one.name} for one in found if one.id != card.id]
        return GraphEntities(thing, others)

    def paths(
        self,
        names: Annotated[Sequence[str], Field(min_length=2, max_length=5, description="Names, ids or CUIs")],
        hops: Annotated[int, Field(ge=1, le=MAX_HOPS)] = 2,
        limit: Limit = 5,
    ) -> list[StatedRelation]:
        """Find how things hang together: paths of relations between each two of them, the best first."""
        return [
            StatedRelation(
                path.text,
                list(dict.fromkeys(s for hop in path.hops for s in hop.sources)),
                _worth(*(hop.standing for hop in path.hops)),
                [],
            )
            for pair in self._service.paths(names, hops=hops, limit=limit)
            for path in pair.paths
        ]

    def subgraph(
        self,
        name: Name,
        types: Annotated[Sequence[str], Field(description="Only kinds such as symptoms, treatment, causes")] = (),
        limit: Limit = 8,
    ) -> list[StatedRelation]:
        """Tell in sentences what goes with something, by kinds, with who says so."""
        found = self._service.subgraph(name, types=tuple(types), relations=(), limit=limit)
        return [StatedRelation(one.text, list(one.sources), _worth(one.standing), []) for one in found.sentences]

    def facts(
        self,
        head: Name,
        relation: Annotated[str, Field(description="A relation type such as TREATED_BY, or ? for any")] = "?",
        tail: Annotated[str, Field(description="A name, an id, or ? for anything")] = "?",
        limit: Limit = 10,
    ) -> list[StatedRelation]:
        """List relations of the graph by head, relation and tail, of which one or two may be `?`."""
        told: dict[tuple[str, str, str], StatedRelation] = {}
        for fact in self._service.facts(head, relation, tail, limit * VOICES):
            backing, text = fact.backing, f"{fact.head_name} {fact.relation} {fact.tail_name}"
            sources = list(dict.fromkeys((*backing.stated, *backing.told, *backing.predicted)))
            one = StatedRelation(text, sources, _worth(fact.standing), [])
            ends = fact.head, fact.relation, fact.tail
            evidence = told.setdefault(ends, one).evidence
            evidence += [name for name in fact.evidence if name not in evidence][: NAMES - len(evidence)]
        return list(told.values())[:limit]

    def enrich(
        self,
        names: Annotated[Sequence[str], Field(min_length=2, max_length=200, description="Names, ids or CUIs")],
        relations: Annotated[Sequence[str], Field(description="Only these relation types; empty for all")] = (),
        limit: Limit = 8,
    ) -> Shared:
        """Find what phenotypes, drugs or genes have in common more often than by chance (Fisher's exact test).

        `q` is corrected for the number of tests. Say which names of `left_out` were not used.
        """
        found = self._service.enrich(names, relations=tuple(relations), limit=limit)
        rows = [
            SharedBy(
                one.concept,
                one.name,
                one.relation,
                f"{one.hits} of {one.given}; {one.having} of {one.background} in all",
                one.q,
                [hit.name for hit in one.members][:NAMES],
                list(dict.fromkeys(source for hit in one.members for source in hit.sources)),
            )
            for one in found.results
        ]
        return Shared(rows, {one.given: REASONS[one.reason] for one in found.left_out})

    def query(
        self,
        name: Annotated[str, Field(description="A saved query; `medgraph://queries` lists them")],
        parameters: Annotated[Mapping[str, Any] | None, Field(description="Values for its parameters")] = None,
    ) -> Table:
        """Run a saved query with parameters; those that are left out have the values of the list."""
        rows = self._service.saved(name, parameters or {})
        shown = json.loads(listed([[without_vectors(value) for value in row.values()] for row in rows[:ROWS]]))
        return Table(list(rows[0]) if rows else [], shown, len(rows) > ROWS)

    def cypher(
        self,
        statement: Annotated[str, Field(description="One Cypher statement that only reads", max_length=50_000)],
        parameters: Annotated[Mapping[str, Any] | None, Field(description="Values for its $names")] = None,
    ) -> Table:
        """Run a Cypher statement that reads the graph; `medgraph://schema` tells labels, relations and properties."""
        return self._service.foreign(statement, parameters or {}, self._seconds)


def _relations(cited: CitedRelations) -> AnswerSource:
    one = cited.source
    quote = " ".join(fact.text for fact in cited.facts)
    where = one.dated, "", one.url, one.retired, one.source, one.licence
    return AnswerSource(cited.number, "", one.title, "relations", one.title, "", *where, quote)


def address_of(section: str) -> str:
    """Give the address of a section's resource."""
    return f"medgraph://section/{quote(section, safe='')}"


def listed(value: Any) -> str:
    """Write a resource."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _worth(*standings: str) -> str:
    words = {str(standing): text for standing, text in WORTH.items()}
    return "; ".join(dict.fromkeys(words.get(standing, standing) for standing in standings))


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length].rsplit(' ', 1)[0]} …"
