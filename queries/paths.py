"""Paths between concepts by relations, with who says so, and the texts near to a part of a question."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

from ..errors import InputError, QueryTimeoutError
from ..graph import catalogue
from ..schema.checks import Count, Share  # noqa: TC001 # the service reads the annotations
from .concepts import concept_named, quoted
from .voices import WORTH, Backing, PathVoice, Standing, Voices, path_voices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from .entities import LinkerOf

WINDOW: Final = 10  # words of a fragment: HyKGE's setting
OVERLAP: Final = 4  # words that a fragment shares with the next one: HyKGE's setting


def fragments(text: str, window: int = WINDOW, overlap: int = OVERLAP) -> list[str]:
    """Cut a text into runs of words that overlap, in order; the last one may be shorter.

    Example:
        >>> fragments("a b c d e", window=3, overlap=1)
        ['a b c', 'c d e']
    """
    words = text.split()
    step = window - overlap
    starts = range(0, max(len(words) - overlap, 1), step)
    return [" ".join(words[start : start + window]) for start in starts if words]


def pruned(parts: Sequence[str], texts: Sequence[str], encoder: TextEncoder, keep: int) -> list[tuple[int, float]]:
    """Keep the texts near to some fragment: number and cosine, the nearest first."""
    if not parts or not texts:
        return []
    likeness = (encoder.encode(texts) @ encoder.encode_questions(parts).T).max(axis=1)
    order = sorted(range(len(texts)), key=lambda number: (-float(likeness[number]), number))
    return [(number, round(float(likeness[number]), 4)) for number in order[:keep]]


MAX_HOPS: Final = 3  # relations that a path takes, at most: HyKGE's k
MAX_NAMES: Final = 5  # things between which paths are looked for at once, at most; as many as a question may name
MAX_PATHS: Final = 50  # paths of a pair, at most: those that are ranked first
SHOWN: Final = 10  # paths of a pair that are given where nobody asks for another number: HyKGE's
# Seconds that a pair may take, set by hand; what takes longer is looked for with fewer hops. Milliseconds suffice, but
# for the first time after the server has started, when it plans the statement.
TIME_LIMIT: Final = 10.0
# Relations of an end that are read, how many of the best of these are followed, and the most relations that something
# on the way may have to be looked through itself; set by hand.
_BOUNDS: Final = {"scan": 5000, "fan_out": 200, "hub": 1000}
_DASH: Final = "\u2013"


@dataclass(frozen=True, slots=True)
class PathNode:
    """What a path goes through."""

    id: str  # id of the concept, or of the term
    name: str  # what it is called
    label: str  # its category, such as `Disease`; `Term` for a phrase that no vocabulary has
    entity: str  # id of the entity that fits the concept best; empty for a term


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a path."""

    forward: bool  # whether its relations lead on; otherwise they lead back to where the step begins
    said: tuple[PathVoice, ...]  # its relations with who says so, the surest first
    backing: Backing = field(default_factory=Backing)  # who states and who tells any of them, and what that is worth

    @property
    def standing(self) -> Standing:
        """How it may be told."""
        return self.backing.standing(*self.relations)

    @property
    def relations(self) -> tuple[str, ...]:
        """The types of its relations, each once."""
        return tuple(dict.fromkeys(voice.relation for voice in self.said))

    @property
    def sources(self) -> tuple[str, ...]:
        """Ids of all sources that say so, each once."""
        return tuple(dict.fromkeys(source for voice in self.said for source in voice.sources))


# One leads to the other, both lead to something, or something leads to both.
Shape = Literal["directed", "co-ancestor", "co-occurrence"]


@dataclass(frozen=True, slots=True)
class Path:
    """How two things go together."""

    nodes: tuple[PathNode, ...]  # what it goes through, both ends included
    hops: tuple[Hop, ...]  # the steps between them
    shape: Shape  # `directed`, `co-ancestor` (both lead to one thing) or `co-occurrence` (one thing leads to both)
    score: Share  # its rank: what its relations are worth, less for what has many of them
    text: str  # the path in a line: entity, relation, entity
    similarity: float | None = None  # how near it comes to a part of the question, as cosine; None without a question


@dataclass(frozen=True, slots=True)
class PathEnd(PathNode):
    """What paths begin or end at."""

    label: str  # its category
    relations: Count  # how many relations it has that paths may take
    description: str  # what it is, in a source's words; empty where none says so
    source: str  # id of the source whose words these are
    origin: str  # id of the entity or section that has them
    licence: str = ""  # the source's licence; empty where it does not say
    quoted: bool = False  # whether the description stands in a section of a text


@dataclass(frozen=True, slots=True)
class PairPaths:
    """The paths between two things."""

    first: PathEnd  # where they begin
    second: PathEnd  # where they end
    paths: tuple[Path, ...]  # the paths, the best first
    hops: int  # how many hops were looked for; fewer than asked for where the time was over
    # whether all that was asked for was looked through: the time sufficed, and neither end has more relations than are
    # read
    complete: bool
    note: str  # what to tell people: that there is no path, or what was left out; empty where there is nothing


def find_paths(
    database: Database,
    linker: LinkerOf,
    names: Sequence[str],
    *,
    question: str = "",
    encoder: Callable[[], TextEncoder] | None = None,
    hops: int = MAX_HOPS,
    limit: int = SHOWN,
) -> list[PairPaths]:
    """Find paths between each two of some things, in the order of their names or ids.

    Args:
        question: What the paths are for; the paths that come nearest to a part of it are kept.
        encoder: Gives what compares paths with the question; without it, or without a question, their rank decides.
        hops: How many relations a path may take, from 1 to `MAX_HOPS`.
        limit: How many paths of each pair at most.

    Raises:
        InputError: A number cannot be used, too few or too many things are named, or two of them are the same.
        NotInGraphError: A name is not known.
    """
    _check(names, hops, limit)
    ids = [concept_named(database, linker, name) for name in names]
    for (one, this), (other, that) in itertools.combinations(zip(names, ids, strict=True), 2):
        if this == that:
            raise InputError(f"{quoted(one)} and {quoted(other)} are the same thing, {this}; name two that differ")
    pairs = paths_between(database, ends_of(database, ids), hops)
    if question.strip() and encoder:
        pairs = [replace(pair, paths=_nearest(pair.paths, question, encoder(), limit)) for pair in pairs]
    return [replace(pair, paths=pair.paths[:limit]) for pair in pairs]


def ends_of(database: Database, concepts: Sequence[str]) -> list[PathEnd]:
    """Read what concepts or terms are, in sources' words; those that the graph has, in the order of their ids."""
    found = {row["id"]: end_of(row) for row in database.read(catalogue.get("path_ends"), ids=list(concepts))}
    return [found[concept] for concept in concepts if concept in found]


def paths_between(database: Database, ends: Sequence[PathEnd], hops: int = MAX_HOPS) -> list[PairPaths]:
    """Find paths between each two of some concepts or terms, as many as are ranked, in their order."""
    return [_between(database, first, second, hops) for first, second in itertools.combinations(ends, 2)]


def _check(names: Sequence[str], hops: int, limit: int) -> None:
    if not 1 <= hops <= MAX_HOPS:
        raise InputError(f"paths take from 1 to {MAX_HOPS} hops, not {hops}")
    if not 1 <= limit <= MAX_PATHS:
        raise InputError(f"a pair has from 1 to {MAX_PATHS} paths, not {limit}")
    if not 2 <= len(names) <= MAX_NAMES:
        raise InputError(f"paths are between two things or more, at most {MAX_NAMES}; {len(names)} named")


def _between(database: Database, first: PathEnd, second: PathEnd, hops: int) -> PairPaths:
    # A pair is looked for in one order, so that both orders have the same paths.
    low, high = sorted((first, second), key=lambda end: (end.relations, end.id))
    limited = database.within(TIME_LIMIT)
    for tried in range(hops, 0, -1):
        try:
            rows = limited.read(
                catalogue.get("paths"), first=low.id, second=high.id, hops=tried, limit=MAX_PATHS, **_BOUNDS
            )
        except QueryTimeoutError:
            continue
        hopped = [voice for row in rows for hop in row["hops"] for voice in hop["said"]]
        voices = Voices.load(database, (source for voice in hopped for source in voice["sources"]))
        paths = tuple(_path(row, voices, flipped=low is not first) for row in rows)
        whole = tried == hops and max(first.relations, second.relations) <= _BOUNDS["scan"]
        return PairPaths(first, second, paths, tried, whole, _note(first, second, paths, tried, hops))
    return PairPaths(first, second, (), 0, False, _note(first, second, (), 0, hops))


def _note(first: PathEnd, second: PathEnd, paths: Sequence[Path], tried: int, hops: int) -> str:
    parts = []
    if not paths:
        what = " and ".join(f"{end.name} ({_relations(end.relations)})" for end in (first, second))
        parts.append(f"no path of at most {tried or hops} hop{'s' * ((tried or hops) > 1)} was found between {what}")
    if tried < hops:
        parts.append(
            f"the time was over before {'anything' if not tried else f'more than {tried}'} could be looked for"
        )
    parts += [
        f"{end.name} has {_relations(end.relations)}, of which {_BOUNDS['scan']:,} were read"
        for end in (first, second)
        if end.relations > _BOUNDS["scan"]
    ]
    return "; ".join(parts)


def _relations(number: int) -> str:
    return f"{number:,} relation{'s' * (number != 1)}"


def _path(row: dict[str, Any], voices: Voices, *, flipped: bool) -> Path:
    nodes = tuple(PathNode(**node) for node in row["nodes"])
    hops = tuple(_hop(hop, voices) for hop in row["hops"])
    if flipped:
        nodes, hops = nodes[::-1], tuple(replace(hop, forward=not hop.forward) for hop in hops[::-1])
    return Path(nodes, hops, _shape(hops), min(row["score"], 1.0), _text(nodes, hops))


def _hop(row: dict[str, Any], voices: Voices) -> Hop:
    said = path_voices(row["said"])
    backing = voices.backing((voice.method, voice.sources, len(voice.evidence)) for voice in said)
    return Hop(row["forward"], said, backing)


def _shape(hops: Sequence[Hop]) -> Shape:
    if len({hop.forward for hop in hops}) == 1:
        return "directed"
    return "co-ancestor" if hops[0].forward else "co-occurrence"


def _text(nodes: Sequence[PathNode], hops: Sequence[Hop]) -> str:
    """Write a path in a line, as entity, relation, entity."""
    listed = f" ({WORTH['listed']})"
    words = [", ".join(hop.relations) + listed * (hop.standing == "listed") for hop in hops]
    return in_a_line([node.name for node in nodes], words, [hop.forward for hop in hops])


def in_a_line(names: Sequence[str], relations: Sequence[str], forward: Sequence[bool]) -> str:
    """Write names with what leads from each to the next, or back from there."""
    line = names[0]
    for name, words, leads_on in zip(names[1:], relations, forward, strict=True):
        line += f" {_DASH} {words} → {name}" if leads_on else f" ← {words} {_DASH} {name}"
    return line


def _nearest(paths: Sequence[Path], question: str, encoder: TextEncoder, limit: int) -> tuple[Path, ...]:
    kept = pruned(fragments(question), [words_of(path) for path in paths], encoder, limit)
    return tuple(replace(paths[number], similarity=similarity) for number, similarity in kept)


def words_of(path: Path) -> str:
    """Write a path in words, which an encoder knows better than types and arrows."""
    facts = []
    for (one, other), hop in zip(itertools.pairwise(path.nodes), path.hops, strict=True):
        head, tail = (one, other) if hop.forward else (other, one)
        facts.append(f"{head.name} {hop.relations[0].lower().replace('_', ' ')} {tail.name}")
    return ". ".join(facts)


def end_of(row: dict[str, Any]) -> PathEnd:
    """Make an end of a row of the statement `path_ends`, with its description in a line."""
    return PathEnd(**row | {"description": " ".join(row["description"].split())})
