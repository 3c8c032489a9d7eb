"""Diseases and other entities named in a question, misspellings included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..linking.words import eponym
from . import lucene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..graph.database import Database

    _Windows = dict[tuple[int, tuple[str, ...]], list[str]]

CANDIDATES: Final = 60
MIN_SIMILARITY: Final = 86.0
MIN_WORD: Final = 66.0
MIN_JOINED: Final = 94.0
MAX_MENTIONS: Final = 5
MAX_TOKENS: Final = 200
MAX_NAME: Final = 9
_COMMON: Final = frozenset(
    "disease diseases disorder disorders syndrome syndromes condition conditions infection infections symptom symptoms "
    "treatment treatments cause causes causing caused test tests diagnosis prevention risk cure drug drugs medicine "
    "people person child children adult adults health doctor doctors pain type types sign signs outlook therapy "
    "complications complication common normal high low blood body heart effects side".split()
)


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity that a question names.

    Attributes:
        entity: Its id.
        label: Its category, such as `Disease`.
        name: Its preferred name.
        matched: Which of its names was recognised.
        surface: What the question says.
        similarity: How alike the two are, from 0 to 1.
        concepts: CUIs of the concepts it stands for.
        documents: How many documents are about it.
    """

    entity: str
    label: str
    name: str
    matched: str
    surface: str
    similarity: float
    concepts: tuple[str, ...]
    documents: int


def find_mentions(database: Database, words: Sequence[str]) -> list[Mention]:
    """Find the entities that the words of a question name.

    Names near the question's words come from the full-text index, so that the graph need not fit in memory; each is
    then compared with every run of words of about its length by normalised edit distance.

    Args:
        database: The graph.
        words: The question's words in lower case, in order, repeated ones too.

    Returns:
        The mentions, longest match first; of overlapping ones the better is kept, unless they are the same words.

    Raises:
        DatabaseError: The database refused or went away.
    """
    wanted = [word for word in lucene.content_words(words) if len(word) > 1]
    if not wanted:
        return []
    windows = _windows(_plain(words))
    forms = dict.fromkeys(form for word in wanted for form in (word, word.removesuffix("s")) if len(form) > 1)
    exact = " ".join(f'"{form}"' for form in forms)
    found = _candidates(database, exact, windows)
    near = lucene.misspellings(wanted)
    if near and not any(m.similarity == 1 and len(m.surface) >= lucene.MIN_FUZZY_LENGTH for m in found):
        # Only now: looking for names within a letter or two costs four times as much.
        found = _candidates(database, " ".join([f"({exact})^4", *near]), windows)
    found.sort(key=lambda m: (-len(m.surface) * m.similarity**4, m.matched != m.name, -m.documents, m.entity))
    kept: list[Mention] = []
    for mention in found:
        if all(_compatible(mention, better) for better in kept):
            kept.append(mention)
    return kept[:MAX_MENTIONS]


def _candidates(database: Database, terms: str, windows: _Windows) -> list[Mention]:
    query = f"name:({terms})^1.5 synonyms:({terms})"
    rows = database.read(catalogue.get("named_entities"), lucene=query, limit=CANDIDATES)
    return [mention for row in rows if (mention := _best(row, windows))]


def _windows(tokens: Sequence[str]) -> _Windows:
    """Group the runs of words of a question by length, and by those of their words that must agree to the letter."""
    windows: _Windows = {}
    for size in range(1, MAX_NAME + 2):
        for start in range(len(tokens) - size + 1):
            run = tokens[start : start + size]
            windows.setdefault((size, _exact(run)), []).append(" ".join(run))
    return windows


def _best(row: dict[str, Any], windows: _Windows) -> Mention | None:
    best: tuple[float, int, str, str] | None = None
    names = [row["name"], *row["synonyms"]]
    for name in [*names, *(short for name in names if (short := eponym(name)))]:
        words = _plain(lucene.all_words(name))
        plain = " ".join(words)
        if plain in _COMMON or len(plain) < 2:
            continue
        exact = _exact(words)
        near = [run for size in (-1, 0, 1) for run in windows.get((len(words) + size, exact), ())]
        found = _nearest(plain, near)
        if found and found[0] not in _COMMON and _same_words(words, found[0].split()):
            candidate = (found[1], len(plain), name, found[0])
            best = max(best, candidate) if best else candidate
    if best is None:
        return None
    similarity, _, matched, surface = best
    return Mention(
        entity=row["id"],
        label=row["label"],
        name=row["name"],
        matched=matched,
        surface=surface,
        similarity=similarity / 100,
        concepts=tuple(row["concepts"]),
        documents=row["documents"],
    )


def _nearest(name: str, runs: Sequence[str]) -> tuple[str, float] | None:
    """Find the run of words most like a name, with their likeness from 0 to 100."""
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import OSA

    if found := process.extractOne(name, runs, scorer=fuzz.ratio, score_cutoff=_cutoff(name)):
        return found[0], found[1]
    # Two letters that changed places, as in siezure, are one slip and not two.
    slip = process.extractOne(name, runs, scorer=OSA.distance, score_cutoff=1)
    if slip and len(name) >= lucene.MIN_FUZZY_LENGTH and sorted(slip[0]) == sorted(name):
        return slip[0], 100 * (1 - 1 / (2 * len(name)))
    return None


def _plain(words: Sequence[str]) -> list[str]:
    """Leave out apostrophes: Parkinsons is Parkinson's."""
    return [word.replace("'", "").replace("\u2019", "") for word in words[:MAX_TOKENS]]


def _exact(words: Sequence[str]) -> tuple[str, ...]:
    """Pick the words that must agree to the letter: type 1 is not type 2, vitamin C is not vitamin K."""
    return tuple(sorted(word for word in words if len(word) == 1 or not word.isalpha()))


def _same_words(name: Sequence[str], surface: Sequence[str]) -> bool:
    """Tell whether each word stands for one of the other: iron deficiency anemia is not just any deficiency anemia."""
    from rapidfuzz import fuzz

    if len(name) != len(surface):
        return fuzz.ratio("".join(name), "".join(surface)) >= MIN_JOINED
    return all(fuzz.ratio(a, b) >= MIN_WORD for a, b in zip(name, surface, strict=True))


def _cutoff(name: str) -> float:
    """Short names must be spelt exactly: one letter makes another word of them."""
    return MIN_SIMILARITY if len(name) >= lucene.MIN_FUZZY_LENGTH else 100.0


def _compatible(mention: Mention, better: Mention) -> bool:
    """Two names of the same words may stand side by side when they fit equally well; others must not share words."""
    if mention.surface == better.surface:
        return mention.similarity == better.similarity
    return not set(mention.surface.split()) & set(better.surface.split())
