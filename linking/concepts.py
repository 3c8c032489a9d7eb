"""The step that joins entities of different sources at concepts: `medgraph index concepts`.

Everything is decided anew from what the graph holds, which takes seconds, and only what differs is written: an entity
`MEANS` one concept, with the pair of entities by which it came to it. A concept without a CUI of the UMLS has the id of
its best entity. Pairs that are not sure are kept as `:Review` nodes for curators, whose decisions outlive reloads.
What was committed before a DatabaseError stays, and a second call goes on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..patterns import threshold
from ..progress import progress
from ..schema.concept_relations import fold_all
from ..schema.prefixes import is_list
from .joining import JoinedGroups, RefusedPair, join
from .nearest import METHOD, UnknownPairs, nearest, still_near
from .pairing import EntityPair, Member, name_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..graph.database import Database, Row
    from .nearest import Vectors

PAGE: Final = 2000  # entities a page
BATCH: Final = 2000  # rows a transaction
MOST_NAMES: Final = 100  # names that a concept keeps, the best first
# Prefixes whose terms name a concept, the best first.
_BEST: Final = ("DOID", "MONDO", "MESH", "HP", "SYMP", "OMIM", "Orphanet", "DRUGBANK", "CHEBI", "UBERON", "NCBIGene")
# Prefixes of vocabularies whose terms have ids elsewhere, or are such ids.
_WITH_IDS: Final = frozenset(_BEST) - {"HP", "SYMP"}
_ALIKE: Final = threshold("linking.concepts.alike")


@dataclass(frozen=True, slots=True)
class Joining:
    """What was joined."""

    entities: int
    concepts: int
    shared: int  # concepts that several entities stand for
    changed: int
    proposed: int  # pairs that wait for a curator
    refused: int  # pairs that would have joined two terms of one vocabulary, or what a curator keeps apart
    near: int = 0  # how many of those that wait do so by their names' vectors alone

    def summary(self) -> str:
        """Say it in a sentence."""
        near = f" ({self.near:,} by embedding)" if self.near else ""
        return (
            f"{self.entities:,} entities stand for {self.concepts:,} concepts, {self.shared:,} of them shared "
            f"({self.changed:,} changed); {self.proposed:,} equivalences proposed{near}, {self.refused:,} refused"
        )


def index_concepts(database: Database, vectors: Vectors | None = None) -> Joining:
    """Join the graph's entities at concepts; without names' vectors, what these once found alike waits on."""
    members = list(load_members(database))
    by_id = {member.id: member for member in members}
    decisions = {
        (row["one"], row["other"]): row["status"] == "accepted" for row in database.read(catalogue.get("decisions"))
    }
    joined = join(members, decisions)
    concepts = list(concepts_of(joined, by_id))
    wanted = {row["entity"]: row for row in _meanings(joined, concepts)}
    stored = {row["entity"]: row for row in database.stream(catalogue.get("stored_meanings"))}
    changed = [row for key, row in wanted.items() if stored.get(key) != row]
    known = {row["cui"]: row for row in database.stream(catalogue.get("stored_joined_concepts"))}
    renamed = [concept for concept, _ in concepts if known.get(concept["cui"]) != concept]
    _write(database, "write_concepts_joined", renamed)
    _write(database, "write_meanings", changed)
    database.write(catalogue.get("clear_meanings"), ids=sorted(stored.keys() - wanted.keys()))
    database.write(catalogue.get("drop_derived_concepts"))
    database.write(catalogue.get("clear_concepts_joined"))
    fold_all(database)
    untold = UnknownPairs(by_id, joined, decisions)
    if vectors is not None:
        near = nearest(by_id, untold, vectors)
    else:
        near = still_near(by_id, untold, database.read(catalogue.get("noted_nearest"), method=METHOD))
    _write_reviews(database, [*joined.proposals, *near], joined.refused)
    shared = sum(len(group) > 1 for group in joined.groups)
    return Joining(
        len(wanted),
        len(concepts),
        shared,
        len(changed),
        len(joined.proposals) + len(near),
        len(joined.refused),
        len(near),
    )


def load_members(database: Database) -> Iterator[Member]:
    """Read what is known of the entities of a graph, in the order of their ids."""
    with progress("reading entities", "entity", None) as bar:
        for page in database.pages(catalogue.get("joinable_entities"), PAGE):
            bar.update(len(page))
            for row in page:
                yield Member(
                    row["id"],
                    row["label"] or "Topic",
                    row["name"],
                    tuple(row["synonyms"]),
                    tuple(row["xrefs"]),
                    tuple(row["cuis"]),
                    tuple(row["replaced_by"]) if row["obsolete"] else (),
                    tuple(row["matches"]),
                    row["obsolete"],
                )


def concepts_of(joined: JoinedGroups, members: Mapping[str, Member]) -> Iterator[tuple[Row, list[str]]]:
    """Name the concepts at which entities were joined, with the term that is meant (`near`), and their entities."""
    near = _near(joined, members)
    taken: set[str] = set()
    for group in sorted(joined.groups, key=lambda group: (-len(group), group)):
        here = [members[key] for key in group]
        best = min(here, key=_standing)
        cuis = Counter(
            cui for member in here for cui in member.cuis if (len(member.cuis) == 1 or not is_list(member.vocabulary))
        )
        cui = next(
            (cui for cui, _ in sorted(cuis.items(), key=lambda item: (-item[1], item[0])) if cui not in taken), None
        )
        key = cui or best.id
        taken.add(key)
        ids = {*group, *(f"UMLS:{cui}" for cui in cuis), *(xref for member in here for xref in member.xrefs)}
        row = {
            "cui": key,
            "name": _name_of(here, best),
            "label": best.label,
            "names": _names_of(here, best),
            "ids": sorted(ids),
            "near": near.get(group[0]),
        }
        yield row, group


def _names_of(members: Sequence[Member], best: Member) -> list[str]:
    """List what a concept is called, in small letters: what its best entities are called first, then synonyms."""
    ordered = sorted(members, key=_standing)
    names = [_name_of(members, best), *(member.name for member in ordered)]
    names += [synonym for member in ordered for synonym in member.synonyms]
    return list(dict.fromkeys(name.lower() for name in names))[:MOST_NAMES]


def _name_of(members: Sequence[Member], best: Member) -> str:
    """Name a concept by its best term, or as most other vocabularies do where nothing else calls it what that does."""
    called: dict[frozenset[str], list[Member]] = defaultdict(list)
    for member in sorted(members, key=_standing):
        called[name_words(member.name)].append(member)
    vocabularies = {words: {member.vocabulary for member in alike} for words, alike in called.items()}
    most = max(called, key=lambda words: len(vocabularies[words]))
    if len(vocabularies[name_words(best.name)]) > 1 or len(vocabularies[most]) == 1:
        return best.name
    spelt = Counter(member.name.lower() for member in called[most])
    return max(called[most], key=lambda member: spelt[member.name.lower()]).name


def _standing(member: Member) -> tuple[int, bool, str]:
    known = _BEST.index(member.vocabulary) if member.vocabulary in _BEST else len(_BEST) + is_list(member.vocabulary)
    return known, bool(member.replaced_by), member.id


def _near(joined: JoinedGroups, members: Mapping[str, Member]) -> dict[str, str]:
    """Find the term of a vocabulary that is meant where only lists have a name, by what is proposed and alike."""
    group_of = {key: group for group in joined.groups for key in group}
    found: dict[str, tuple[float, str]] = defaultdict(lambda: (0.0, ""))
    known = [(pair, _WITH_IDS) for pair in joined.alike]
    known += [(pair, frozenset(_BEST)) for pair in _kept_out(joined, members, group_of)]
    for pair, vocabularies in known:
        for one, other in ((pair.one, pair.other), (pair.other, pair.one)):
            if members[one].label == "Topic" or any(members[k].vocabulary in _BEST for k in group_of[one]):
                continue
            terms = [key for key in group_of[other] if members[key].vocabulary in vocabularies]
            alike = _likeness(members[one], members[other])
            if terms and alike >= _ALIKE:
                first = group_of[one][0]
                found[first] = max(found[first], (alike + pair.score, terms[0]))
    return {key: term for key, (_, term) in found.items()}


def _kept_out(
    joined: JoinedGroups, members: Mapping[str, Member], group_of: Mapping[str, Sequence[str]]
) -> Iterator[EntityPair]:
    """Give the pairs that were refused for a side effect that is alone: labels have several words for one thing."""
    for refused in joined.refused:
        ids = (refused.pair.one, refused.pair.other)
        if any(len(group_of[key]) == 1 and members[key].label == "SideEffect" for key in ids):
            yield refused.pair


def _likeness(one: Member, other: Member) -> float:
    mine = name_words(one.name)
    theirs = [name_words(name) for name in (other.name, *other.synonyms)]
    return max((len(mine & words) / len(mine | words) for words in theirs if mine | words), default=0.0)


def _meanings(joined: JoinedGroups, concepts: Iterable[tuple[Row, list[str]]]) -> Iterator[Row]:
    for concept, group in concepts:
        for key in group:
            reason = joined.reasons.get(key)
            yield {
                "entity": key,
                "concept": concept["cui"],
                "method": reason.method if reason else "itself",
                "score": reason.score if reason else 1.0,
                "evidence": [reason.other if reason.one == key else reason.one, reason.evidence] if reason else [],
            }


def _write(database: Database, query: str, rows: Sequence[Row], **parameters: Any) -> None:
    with progress("writing concepts", "row", len(rows)) as bar:
        for start in range(0, len(rows), BATCH):
            part = rows[start : start + BATCH]
            database.write(catalogue.get(query), rows=part, **parameters)
            bar.update(len(part))


def _write_reviews(database: Database, proposed: Iterable[EntityPair], kept_out: Iterable[RefusedPair]) -> None:
    rows = [_review(pair, "proposed", ()) for pair in proposed]
    rows += [_review(refused.pair, "refused", refused.chain) for refused in kept_out]
    run = (database.read(catalogue.get("last_review_run"))[0]["run"] or 0) + 1
    _write(database, "write_reviews", rows, run=run)
    database.write(catalogue.get("drop_reviews"), run=run)


def _review(pair: EntityPair, status: str, chain: Sequence[EntityPair]) -> Row:
    return {
        "id": f"{pair.one}|{pair.other}",
        "one": pair.one,
        "other": pair.other,
        "method": pair.method,
        "evidence": pair.evidence,
        "score": pair.score,
        "status": status,
        "chain": [f"{step.one} = {step.other} ({step.method}: {step.evidence})" for step in chain],
    }
