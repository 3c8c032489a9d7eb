"""Writes relations as documents, one for each concept and kind, to be searched like any other."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..progress import progress
from ..schema.records import Document, Section
from .filters import DERIVED
from .lucene import all_words
from .salience import stem
from .subgraphs import subgraph_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database, Row
    from ..schema.records import Value
    from .paths import PathEnd
    from .subgraphs import Subgraph, SubgraphRelation, SubgraphSentence

TOKENS: Final = 130  # tokens of a section, at most, but that no sentence is cut: those of Triple2Seq
RELATIONS: Final = 12  # relations of each type that a text tells; set by hand, so that a text has a section or two
PAGE: Final = 500  # concepts that are listed at once
# Relations that a text tells only where a source states them and an independent one says so, too: of the drugs and
# tests that one source alone gives for a condition too many are wrong (chosen by 101 answers that were graded blind).
CORROBORATED: Final = frozenset({"DIAGNOSED_BY", "PALLIATES", "TREATED_BY", "TREATS"})
_LISTS: Final = frozenset({"symptoms", "exams and tests"})  # kinds of which one thing alone is no list
_LEFTOVERS: Final = "other "  # how names begin of what a vocabulary puts together because it has no name


def graph_documents(database: Database, encoder: TextEncoder) -> Iterator[Document]:
    """Write what relations tell of each condition, and of what is given for one: a document for each kind."""
    known = {row["source"]: row["licence"] for row in database.read(catalogue.get("filter_values"))}
    concepts = [row["id"] for page in database.pages(catalogue.get("told_concepts"), PAGE) for row in page]
    with progress("writing subgraphs", "concept", len(concepts)) as bar:
        for concept in concepts:
            yield from documents_of(
                subgraph_of(database, concept, limit=RELATIONS, choose=worth_telling, marked=False), encoder, known
            )
            bar.update(1)


def documents_of(found: Subgraph, encoder: TextEncoder, known: Mapping[str, str]) -> Iterator[Document]:
    """Write a subgraph as documents, one for each kind that relations tell, with sections of whole sentences.

    Properties hold the relations that it rests on, the sources that say so, and their licences.
    """
    for kind, group in groupby(found.sentences, key=lambda sentence: sentence.kind):
        # What a section of a text says is searched where it stands, and pages that are named here tell nothing.
        told = [
            sentence
            for sentence in group
            if (sentence.relations or not found.centre.quoted)
            and not any(found.relations[place].relation == "ABOUT_CONCEPT" for place in sentence.relations)
        ]
        if told:
            yield _document(found, kind, told, encoder, known)


def worth_telling(centre: PathEnd, rows: Sequence[Row]) -> list[Row]:
    """Choose the relations that a text of its own tells, and answers may quote.

    Enough voices say them, and not an uncurated table alone; their thing has a name that says more than the centre's
    own; and of what is listed there are several.

    Args:
        rows: Relations as `disease_subgraph.cypher` gives them, with the `kind` and `backing` of each.
    """
    own = {stem(word) for word in all_words(centre.name)}
    told = [
        row
        for row in rows
        if not row["name"].lower().startswith(_LEFTOVERS)
        and (row["kind"] not in _LISTS or not own.issuperset(map(stem, all_words(row["name"]))))
        and row["backing"].standing(row["relation"]) != "listed"
        and (row["backing"].stated or row["backing"].told)
        and (row["relation"] not in CORROBORATED or (row["backing"].stated and row["backing"].corroborated))
    ]
    counts = Counter(row["kind"] for row in told)
    return [row for row in told if row["kind"] not in _LISTS or counts[row["kind"]] > 1]


def _document(
    found: Subgraph, kind: str, told: Sequence[SubgraphSentence], encoder: TextEncoder, known: Mapping[str, str]
) -> Document:
    name = f"{DERIVED}:{found.centre.id}/{kind.replace(' ', '-')}"
    parts = _parts(told, encoder)
    sections = tuple(
        Section(f"{name}#{number}", " ".join(part), kind, f"{kind[:1].upper()}{kind[1:]}")
        for number, part in enumerate(parts, 1)
    )
    relations = [found.relations[place] for sentence in told for place in sentence.relations]
    properties: dict[str, Value] = {
        "licences": _licences({source for sentence in told for source in sentence.sources}, known),
        "rests_on": tuple(
            sorted({f"{row.head.id} {row.relation} {row.tail.id} ({_sources(row)})" for row in relations})
        ),
        "told_by": tuple(sorted({source for sentence in told for source in sentence.sources})),
    }
    title = f"{found.centre.name[:1].upper()}{found.centre.name[1:]}"
    return Document(
        name, title, sections=sections, properties=tuple((key, value) for key, value in properties.items() if value)
    )


def _parts(told: Sequence[SubgraphSentence], encoder: TextEncoder) -> list[list[str]]:
    """Put sentences together as long as they have no more than `TOKENS`."""
    parts: list[list[str]] = []
    used = 0
    sizes = [len(tokens) for tokens in encoder.token_offsets([sentence.text for sentence in told])]
    for sentence, size in zip(told, sizes, strict=True):
        if not parts or used + size > TOKENS:
            parts.append([])
            used = 0
        parts[-1].append(sentence.text)
        used += size
    return parts


def _licences(sources: Iterable[str], known: Mapping[str, str]) -> str:
    """Name licences, each with the sources that come under it."""
    under: dict[str, list[str]] = {}
    for source in sorted(sources):
        under.setdefault(known.get(source, "") or "no licence stated", []).append(source)
    return ", ".join(f"{licence} ({', '.join(under[licence])})" for licence in sorted(under))


def _sources(row: SubgraphRelation) -> str:
    return ", ".join(sorted({source for voice in row.said for source in voice.sources}))
