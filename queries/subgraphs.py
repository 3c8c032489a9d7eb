"""Gathers a concept's relations by kind, with the sources that state them, and puts them into words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal

from ..errors import InputError, NotInGraphError
from ..graph import catalogue
from ..progress import progress
from ..schema.checks import Count  # noqa: TC001 # the service reads the annotations
from ..schema.records import Document, Section
from ..schema.vocabulary import INVERSES, RELATION_TYPES
from ..text import did_you_mean
from . import relation_sentences
from .concepts import concept_named
from .filters import DERIVED
from .lucene import all_words
from .paths import PathEnd, PathNode, end_of
from .salience import stem
from .voices import STANDINGS, STATED, BackedRelation, Backing, PathVoice, Standing, Voices, path_voices, write_relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database, Row
    from ..schema.records import Value
    from .entities import LinkerOf

SHOWN: Final = 25  # relations of each type that are given where nobody asks for another number
MAX_RELATIONS: Final = 200  # relations of each type, at most
ABOVE: Final = 1  # how many things each target is said to be a kind of
IN_A_SENTENCE: Final = 6  # things that a sentence names, at most; set by hand
# Names of what says nothing where something is a kind of it.
_STANDS_FOR_ALL: Final = frozenset(
    {"disease", "symptom", "syndrome", "drug", "chemical", "disorder", "general symptom"}
)
# Labels of what vocabularies sort by parts of the body alone.
_UNINFORMATIVE: Final = ("Symptom", "Phenotype", "SideEffect", "Gene")


@dataclass(frozen=True, slots=True)
class SubgraphRelation(BackedRelation):
    """A relation of the subgraph."""

    kind: str  # the kind of section that tells such things, such as `treatment`
    head: PathNode  # what it starts at
    relation: str  # its type
    tail: PathNode  # what it points to
    said: tuple[PathVoice, ...]  # who says so and how, the surest first
    hops: Count  # 1 where it begins or ends at what the subgraph is of; 2 where it says what such a thing is a kind of
    backing: Backing = field(default_factory=Backing)  # who states it, who tells it, and what that is worth


@dataclass(frozen=True, slots=True)
class SubgraphSentence:
    """A sentence, with what it rests on."""

    text: str  # the sentence
    kind: str  # the kind of section that tells such things
    # places of the relations that it rests on, from 0; none where a source's own words are quoted
    relations: tuple[Count, ...]
    sources: tuple[str, ...]  # ids of the sources that say so, or whose texts do
    licences: tuple[str, ...]  # their licences
    # what all of its relations have in common: independent sources say each (`corroborated`), one source says them
    # (`single`), or an uncurated table alone lists them (`listed`); `quoted` for a source's own words
    standing: Literal["corroborated", "single", "listed", "quoted"]
    who: str  # who says so, for people, where that is the same for all that it names; the text has it otherwise


@dataclass(frozen=True, slots=True)
class Subgraph:
    """What goes with a concept."""

    centre: PathEnd  # the concept, with what it is
    relations: tuple[SubgraphRelation, ...]  # its relations by kind, the best said of each first
    sentences: tuple[SubgraphSentence, ...]  # the same in words
    text: str  # the sentences in a row
    note: str  # what to tell people: that nothing is told, or what was left out; empty where there is nothing


def find_subgraph(
    database: Database,
    linker: LinkerOf,
    name: str,
    *,
    types: Sequence[str] = (),
    relations: Sequence[str] = (),
    limit: int = SHOWN,
) -> Subgraph:
    """Find what goes with a concept, of all kinds (`treatment`) and relations (`TREATED_BY`) or of some.

    Raises:
        InputError: The number cannot be used.
        NotInGraphError: Nothing is called so, or a kind or type is not known.
    """
    if not 1 <= limit <= MAX_RELATIONS:
        raise InputError(f"a subgraph has from 1 to {MAX_RELATIONS} relations of each type, not {limit}")
    wanted = {relation_sentences.kind_named(word) for word in types}
    asked = {relation_named(word) for word in relations}
    return subgraph_of(database, concept_named(database, linker, name), wanted, asked, limit)


def relation_named(word: str) -> str:
    """Find a type of relation by its name: of two inverses the one that is stored; NotInGraphError for no such name."""
    kind = word.strip().upper().replace(" ", "_")
    if kind not in RELATION_TYPES:
        raise NotInGraphError(f"there is no relation {word!r}{did_you_mean(kind, RELATION_TYPES)}")
    return INVERSES.get(kind, kind)


def subgraph_of(
    database: Database,
    concept: str,
    kinds: Iterable[str] = (),
    relations: Iterable[str] = (),
    limit: int = SHOWN,
    choose: Callable[[PathEnd, Sequence[Row]], Sequence[Row]] = lambda _, rows: rows,
    *,
    marked: bool = True,
) -> Subgraph:
    """Give what goes with a concept or a term, of all kinds and relations or of some.

    Args:
        choose: Chooses what is told from the concept and rows of the statement, with the `kind` and `backing` of each.
        marked: Whether a sentence has in brackets who says what, where that differs within it.
    """
    wanted, types = set(kinds), set(relations)
    if wanted:
        told = {
            relation for kind, several in relation_sentences.kinds().items() if kind in wanted for relation in several
        }
        types = told & types if types else told
    (end,) = database.read(catalogue.get("path_ends"), ids=[concept])
    query = catalogue.get("disease_subgraph")
    rows: list[Row] = []
    if types or not wanted:
        rows = database.read(query, concept=concept, types=sorted(types), limit=limit, kinds=ABOVE)
    rows = [row for row in rows if (row["relation"], row["name"].lower() in _STANDS_FOR_ALL) != ("IS_A", True)]
    rows = [
        row | {"kind": relation_sentences.saying(row["relation"], row["direction"], row["label"])[0]} for row in rows
    ]
    order = list(relation_sentences.kinds())
    rows = sorted((r for r in rows if not wanted or r["kind"] in wanted), key=lambda row: order.index(row["kind"]))
    spoken = (source for row in rows for voice in (*row["said"], *row["above"]) for source in voice["sources"])
    centre, voices = end_of(end), Voices.load(database, [*spoken, end["source"]])
    for row in rows:
        said = row["said"]
        row["backing"] = voices.backing((voice["method"], voice["sources"], len(voice["evidence"])) for voice in said)
    text = _Text(centre, choose(centre, rows), voices, marked=marked)
    return text.subgraph(defined=not wanted or "information" in wanted)


class _Text:
    """A subgraph while it is put in words."""

    def __init__(self, centre: PathEnd, rows: Sequence[Row], voices: Voices, *, marked: bool) -> None:
        self._centre = centre
        self._rows = rows
        self._voices = voices
        self._marked = marked
        name = relation_sentences.in_sentence(centre.name, (), centre.label)
        self._name = relation_sentences.with_article(name) if centre.label == "Test" else name
        self._relations: list[SubgraphRelation] = []
        self._sentences: list[SubgraphSentence] = []
        self._placed: set[str] = set()  # what was said to be a kind of something is not said to be so again

    def subgraph(self, *, defined: bool) -> Subgraph:
        """Write it."""
        if defined and self._centre.description:
            origin, licence = self._centre.source, self._centre.licence
            told = relation_sentences.definition(self._name, self._centre.description)
            given = (origin,), (licence,) if licence else ()
            self._sentences.append(
                SubgraphSentence(told, "information", (), *given, "quoted", self._voices.name(origin))
            )
        said: set[str] = set()
        for (kind, relation, direction), rows in groupby(
            self._rows, key=lambda row: (row["kind"], row["relation"], row["direction"])
        ):
            for sentence, standing, part in self._by_sentence(relation, rows):
                self._add_relations((kind, relation, direction), sentence, standing, part, also=sentence in said)
                said.add(sentence)
        found = tuple(self._sentences)
        text = " ".join(one.text for one in found)
        return Subgraph(self._centre, tuple(self._relations), found, text, self._note())

    def _by_sentence(self, relation: str, rows: Iterable[Row]) -> Iterator[tuple[str, Standing, list[Row]]]:
        """Put rows together that one sentence says: in the same way, as surely, and of the same sources as a rule."""
        groups: dict[tuple[str, int, bool, str], list[Row]] = {}
        several = list(rows)
        marks = Counter(row["backing"].mark for row in several)
        for row in several:
            backing = row["backing"]
            standing = backing.standing(relation)
            own = standing != "corroborated" or (self._marked and marks[backing.mark] > 1)
            who = backing.mark if own else ""
            form = relation_sentences.saying(relation, row["direction"], row["label"])[1]
            groups.setdefault((form, STANDINGS.index(standing), backing.uncurated, who), []).append(row)
        for (form, place, *_), group in sorted(groups.items(), key=lambda one: one[0][1:3]):
            most = len(group) if STANDINGS[place] == "listed" else IN_A_SENTENCE
            for start in range(0, len(group), most):
                yield form, STANDINGS[place], group[start : start + most]

    def _add_relations(
        self, place: tuple[str, str, str], sentence: str, standing: Standing, rows: Sequence[Row], *, also: bool
    ) -> None:
        kind, relation, direction = place
        first = len(self._relations)
        for row in rows:
            other = PathNode(row["concept"], row["name"], row["label"], row["entity"])
            ends = (self._node, other) if direction == "out" else (other, self._node)
            said = path_voices(row["said"])
            self._relations.append(SubgraphRelation(kind, ends[0], relation, ends[1], said, 1, row["backing"]))
        others = [(_written(row), row["backing"]) for row in rows]
        form = kind, sentence
        told = write_relation(relation, form, self._name, others, also=also, marked=self._marked, named=False)
        self._add(kind, told, range(first, len(self._relations)), standing)
        if relation != "IS_A" and direction == "out" and standing != "listed":
            self._add_kinds(kind, rows)

    def _add_kinds(self, kind: str, rows: Sequence[Row]) -> None:
        """Say what things are kinds of, each once; a tree of kinds would be told step by step."""
        above: dict[tuple[str, Standing], list[tuple[Row, Row]]] = {}
        for row in rows:
            new = row["label"] not in _UNINFORMATIVE and row["concept"] not in self._placed
            for parent in row["above"] if new else ():
                if parent["name"].lower() not in _STANDS_FOR_ALL and parent["label"] not in _UNINFORMATIVE:
                    standing = self._stating(parent).standing("IS_A")
                    above.setdefault((parent["id"], standing), []).append((row, parent))
            self._placed.add(row["concept"])
        for (_, standing), pairs in above.items():
            self._add_parents(kind, standing, pairs)

    def _stating(self, parent: Row) -> Backing:
        return self._voices.backing([(STATED, parent["sources"], 0)])

    def _add_parents(self, kind: str, standing: Standing, pairs: Sequence[tuple[Row, Row]]) -> None:
        first, parent = len(self._relations), pairs[0][1]
        tail = PathNode(parent["id"], parent["name"], parent["label"], parent["entity"])
        for row, up in pairs:
            head = PathNode(row["concept"], row["name"], row["label"], row["entity"])
            voice = PathVoice("IS_A", STATED, tuple(sorted(up["sources"])), tuple(sorted(up["licences"])), None, ())
            self._relations.append(SubgraphRelation(kind, head, "IS_A", tail, (voice,), 2, self._stating(up)))
        _, saying = relation_sentences.saying(relation_sentences.ABOVE, "out", relation_sentences.ANY)
        text = relation_sentences.write_sentence(saying, [_written(row) for row, _ in pairs], [_written(parent)])
        told = text, self._relations[first].backing.mark
        self._add(kind, told, range(first, len(self._relations)), standing)

    def _add(self, kind: str, told: tuple[str, str], places: range, standing: Standing) -> None:
        voices = [voice for place in places for voice in self._relations[place].said]
        sources = tuple(dict.fromkeys(source for voice in voices for source in voice.sources))
        licences = tuple(dict.fromkeys(licence for voice in voices for licence in voice.licences))
        text, who = told
        self._sentences.append(SubgraphSentence(text, kind, tuple(places), sources, licences, standing, who))

    @property
    def _node(self) -> PathNode:
        return PathNode(self._centre.id, self._centre.name, self._centre.label, self._centre.entity)

    def _note(self) -> str:
        if not self._rows:
            return f"nothing of what was asked for is told of {self._centre.name}, by no source and no section"
        shown: dict[tuple[str, str], list[int]] = {}
        for row in self._rows:
            shown.setdefault((row["relation"], row["direction"]), []).append(row["count"])
        cut = [
            f"{len(counts):,} of {counts[0]:,} {'' if direction == 'out' else 'to it '}{relation}"
            for (relation, direction), counts in shown.items()
            if len(counts) < counts[0]
        ]
        return f"of its relations, these are a part: {'; '.join(cut)}" if cut else ""


def _written(row: Row) -> str:
    return relation_sentences.in_sentence(row["name"], row["names"], row["label"])


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
    under: dict[str, list[str]] = {}
    for source in sorted(sources):
        under.setdefault(known.get(source, "") or "no licence stated", []).append(source)
    return ", ".join(f"{licence} ({', '.join(under[licence])})" for licence in sorted(under))


def _sources(row: SubgraphRelation) -> str:
    return ", ".join(sorted({source for voice in row.said for source in voice.sources}))
