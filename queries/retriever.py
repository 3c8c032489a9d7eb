"""Search: a question and filters in, ranked sections out; each mode is one Cypher file and one round trip."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from ..graph import catalogue
from ..graph.database import as_vector
from . import lucene
from .entities import Mention, find_mentions
from .filters import Restriction, restrict
from .intent import find_intent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from .filters import Filters

MODES: Final = ("lexical", "semantic", "questions", "hybrid", "linked")
PRESETS: Final[dict[str, tuple[float, float]]] = {"default": (0.6, 0.4), "literature": (0.7, 0.3)}
"""Name → weights of the lexical and the semantic branch. `literature` is VerifAI's, for PubMed."""

SECTION_BOOSTS: Final = {"title": 3.0, "aliases": 2.0, "question": 2.0, "heading": 1.0, "text": 1.0}
QUESTION_BOOSTS: Final = {"text": 1.0}
MAX_QUESTION: Final = 10_000
MAX_RESULTS: Final = 1000
ABOUT: Final = 20
NOTHING: Final = "text:nothing AND NOT text:nothing"
FETCH: Final = 30
"""How many hits of each branch are fused at least: a short list of approximate neighbours misses near ones."""

DEPTH: Final = 100_000
"""How many full-text matches are looked through for those that filters let pass."""

TYPE_BOOST: Final = 5.0
NAME_BOOST: Final = 3.0


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a question was understood to say.

    Attributes:
        intent: The section type it asks for; empty when it does not say.
        mentions: The entities it names.
    """

    intent: str = ""
    mentions: tuple[Mention, ...] = ()

    def favoured(self) -> list[tuple[str, str, float]]:
        """Give what Lucene should favour.

        Returns:
            Field, phrase and boost: the section type, and every name that was recognised.
        """
        names = dict.fromkeys(name for m in self.mentions for name in (m.name, m.matched))
        typed = [("type", self.intent, TYPE_BOOST)] if self.intent else []
        return typed + [(field, name, NAME_BOOST) for name in names for field in ("title", "aliases")]


@dataclass(frozen=True, slots=True)
class Hit:
    """One result.

    Attributes:
        section: The section's id; None for a question whose answer stands on the document's page only.
        document: The document's id.
        title: The document's title.
        url: Where people read it.
        source: The source's id.
        collection: The part of the source.
        type: What the section is about.
        question: The question it answers.
        text: Its best passage.
        start: Offset of the passage in the section's text.
        end: Offset behind it.
        score: What results are ranked by.
        scores: The raw score of each branch that found it.
        licence: The source's licence.
    """

    section: str | None
    document: str
    title: str
    url: str
    source: str
    collection: str
    type: str
    question: str
    text: str
    start: int
    end: int
    score: float
    scores: dict[str, float | None] = field(default_factory=dict)
    licence: str = ""


class Retriever:
    """Searches the graph.

    Args:
        database: The graph.
        encoder: Gives the encoder when a mode needs one; it is not asked before.
    """

    def __init__(self, database: Database, encoder: Callable[[], TextEncoder]) -> None:
        self._database = database
        self._encoder = encoder

    def search(
        self,
        question: str,
        *,
        mode: str = "hybrid",
        top_k: int = 10,
        filters: Filters | None = None,
        weights: tuple[float, float] = PRESETS["default"],
        by_rank: bool = False,
        vector: NDArray[np.float32] | None = None,
        understood: Understanding | None = None,
    ) -> list[Hit]:
        """Find the sections that answer a question best.

        Args:
            question: What a user typed; any characters.
            mode: One of `MODES`.
            top_k: How many results at most.
            filters: What results may be.
            weights: Of the lexical and the semantic branch, where a mode has both.
            by_rank: Fuse the branches by reciprocal rank instead of scaled scores.
            vector: The question's vector where it is known; encoded here otherwise.
            understood: What the question says where it is known, for the mode `linked`.

        Returns:
            The results, best first; each section once.

        Raises:
            InputError: The mode, a filter or the question cannot be used.
            DatabaseError: The database refused or went away.
        """
        check_question(question)
        if mode not in MODES:
            raise InputError(f"there is no mode {mode!r}; known are {', '.join(MODES)}")
        if not 1 <= top_k <= MAX_RESULTS:
            raise InputError(f"top-k is {top_k}; set it from 1 to {MAX_RESULTS}")
        restriction = restrict(self._database, filters)
        if restriction and restriction.nothing:
            return []
        if mode == "linked":
            understood = understood or self.understand(question)
            mode = "hybrid"
        words = _words(question, mode, understood, restriction)
        if not words and mode == "lexical":
            return []
        if not words and mode == "hybrid":
            mode = "semantic"
        parameters: dict[str, Any] = {
            "lucene": words or NOTHING,
            "filtered": restriction is not None,
            "depth": max(FETCH, 3 * top_k) if restriction is None else DEPTH,
            "fetch": max(FETCH, 3 * top_k),
            "limit": top_k,
            "lexical": weights[0],
            "semantic": weights[1],
            "by_rank": by_rank,
            **(restriction or Restriction()).parameters(),
        }
        if mode != "lexical":
            parameters["vector"] = as_vector(self._encoder().encode([question])[0] if vector is None else vector)
        query = catalogue.get(mode)
        rows = self._database.read(query, **{name: parameters[name] for name in query.parameters})
        return [Hit(**row) for row in rows]

    def understand(self, question: str) -> Understanding:
        """Find what a question asks for and which entities it names.

        Args:
            question: What a user typed.

        Returns:
            Both.

        Raises:
            DatabaseError: The database refused or went away.
        """
        return Understanding(find_intent(question), tuple(find_mentions(self._database, question)))

    def about(self, entities: Sequence[str], kind: str, filters: Filters | None = None) -> list[dict[str, Any]]:
        """Find the sections of documents about some entities or their synonyms in other sources.

        Args:
            entities: Ids of entities.
            kind: The section type wanted; empty for any.
            filters: What results may be.

        Returns:
            Rows of `section` and `entity`, those of the entity itself first.

        Raises:
            InputError: A filter cannot be used.
            DatabaseError: The database refused or went away.
        """
        restriction = restrict(self._database, filters)
        if restriction and restriction.nothing:
            return []
        return self._database.read(
            catalogue.get("sections_about"),
            entities=list(entities),
            type=kind,
            filtered=restriction is not None,
            limit=ABOUT,
            **(restriction or Restriction()).parameters(),
        )


def check_question(question: str) -> None:
    """Make sure that a question can be searched for.

    Args:
        question: What a user typed.

    Raises:
        InputError: It has no word in it, or is too long.
    """
    if len(question) > MAX_QUESTION:
        raise InputError(f"the question has {len(question):,} characters; {MAX_QUESTION:,} are the most")
    if not lucene.words(question):
        raise InputError("the question has no word in it; ask in words, such as: What are the symptoms of asthma?")


def _words(question: str, mode: str, understood: Understanding | None, restriction: Restriction | None) -> str:
    phrases = restriction.phrases() if restriction else None
    if mode == "questions":
        return lucene.query(question, QUESTION_BOOSTS, phrases)
    favoured = (understood or Understanding(find_intent(question))).favoured()
    return lucene.query(question, SECTION_BOOSTS, phrases, favoured)


def weights_of(preset: str, weights: str | None = None) -> tuple[float, float]:
    """Look up the weights of the lexical and the semantic branch.

    Args:
        preset: A key of `PRESETS`.
        weights: Two numbers with a comma between them, instead of a preset.

    Returns:
        The two weights.

    Raises:
        InputError: There is no such preset, or these are not two numbers from 0 up, not both 0.
    """
    if weights is None:
        if preset not in PRESETS:
            raise InputError(f"there is no preset {preset!r}; known are {', '.join(PRESETS)}")
        return PRESETS[preset]
    try:
        lexical, semantic = (float(part) for part in weights.split(","))
    except ValueError:
        lexical = semantic = 0.0
    if not (0 <= lexical < float("inf") and 0 <= semantic < float("inf") and lexical + semantic > 0):
        raise InputError(f"the weights {weights!r} are not two numbers such as 0.7,0.3")
    return lexical, semantic
