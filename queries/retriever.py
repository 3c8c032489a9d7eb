"""Search: a question and filters in, ranked sections out; each mode is one Cypher file and one round trip."""

from __future__ import annotations

import functools
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError
from ..graph import catalogue
from ..graph.database import as_vector
from ..patterns import threshold
from ..progress import Clock
from ..text import passage_of
from . import fusion, lucene
from .entities import find_mentions
from .filters import DERIVED, Restriction, concept_of, in_full, restrict, sources_within
from .fusion import DEFAULT, PRESETS, STANDARD, Weights, mode_of
from .hits import Evidence, Hit, aged, merged
from .lookups import lookups_of
from .question import Question, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.catalogue import Query
    from ..graph.database import Database, Row
    from ..logistic import Calibration
    from .entities import LinkerOf, Mention
    from .filters import Filters

    Scored = list[tuple[Row, float]]

READ: Final = 10  # candidates that are read, which takes most of a search's time; set by measured times
WEIGHT: Final = threshold("queries.retriever.weight")


def reread(question: Question, scored: Scored) -> tuple[list[int], Scored]:
    """Rank the best candidates anew; all stay as they were where nothing was trained to read.

    Returns:
        The places of the candidates in their new order, and the candidates in it: the first `READ` with `reading`, the
        logit that each answers, and where that was calibrated with `probability`, and `accepted`, whether that is
        enough for the best to answer; after them the others, their scores no higher than those.
    """
    first, others = scored[:READ], scored[READ:]
    logits = question.passage_logits([passage_of(row["title"], row["text"]) for row, _ in first]) if first else None
    if logits is None:
        return list(range(len(scored))), scored
    read = [
        (row | {"reading": float(logit)} | told, score + WEIGHT * float(logit))
        for (row, score), logit, told in zip(first, logits, _verdicts(question.calibration, logits), strict=True)
    ]
    order = sorted(range(len(read)), key=lambda place: (-read[place][1], read[place][0]["section"]))
    lowest = min(score for _, score in read)
    behind = min(0.0, lowest - others[0][1]) if others else 0.0
    rest = [(row, score + behind) for row, score in others]
    return [*order, *range(len(read), len(scored))], [*(read[place] for place in order), *rest]


def looked_up_first(question: Question, scored: Scored) -> tuple[Scored, list[int]]:
    """Put sections that a question looks up first, scores in order; give all, and the places that they had."""
    places = list(range(len(scored)))
    if found := lookups_of(question):

        def rank(place: int) -> tuple[Any, ...]:
            row = scored[place][0]
            # What its own medicine's label says of the other one counts, and not the other way round.
            own = [lookup for lookup in found if lookup.is_named(row)] or found
            ranked = (
                [one for lookup in own if (one := lookup.rank(row))] if row["label"] and row["far"] in {0, 1} else []
            )
            return (not ranked, *min(ranked, default=()), place)

        places.sort(key=rank)
    rows = (scored[place][0] for place in places)
    return list(zip(rows, sorted((score for _, score in scored), reverse=True), strict=True)), places


def one_voice(scored: Scored) -> tuple[Scored, list[int]]:
    """Leave out sections that say the same as another one, which is newer or stands higher; give the places kept."""
    groups: dict[str, list[int]] = {}
    for place, (row, _) in enumerate(scored):
        groups.setdefault(row["voice"] or row["section"], []).append(place)
    kept = [max(group, key=lambda place: (scored[place][0]["published"], -place)) for group in groups.values()]
    best = [scored[group[0]][1] for group in groups.values()]
    return [(scored[place][0], score) for place, score in zip(kept, best, strict=True)], kept


def _verdicts(calibration: Calibration | None, logits: NDArray[np.floating], *, accepts: bool = True) -> Sequence[Row]:
    """Say of each logit how likely it makes an answer, and whether that is enough; nothing where that is not known."""
    if calibration is None:
        return [{}] * len(logits)
    likely = calibration.probabilities(logits).tolist()
    return [{"probability": one, "accepted": one >= calibration.threshold if accepts else None} for one in likely]


SECTION_BOOSTS: Final = {"aliases": 2.0, "question": 2.0, "heading": 1.0, "text": 1.0, "folded": 1.0}
QUESTION_BOOSTS: Final = {"text": 1.0, "folded": 1.0}
MAX_RESULTS: Final = 1000
NOTHING: Final = "text:nothing AND NOT text:nothing"
# How many hits of each branch are fused at least: a short list of approximate neighbours misses near ones.
FETCH: Final = 30
CANDIDATES: Final = 30  # how many sections each branch gives to be ranked by what all say of them
PAGES: Final = 30  # pages about what a question asks about that are looked at, at most
DEPTH: Final = 100_000  # how many full-text matches are looked through for those that filters let pass
SECTIONS: Final = 15  # sections that a document which is left out may have among those that are found, as a rule
TYPE_BOOST: Final = 5.0
QUESTIONS: Final = "questions"  # the statement that finds questions


@dataclass(frozen=True, slots=True)
class SectionText:
    """A whole section, with what its document is about."""

    section: str
    document: str
    title: str
    aliases: Sequence[str]
    url: str
    source: str
    collection: str
    licence: str
    type: str
    heading: str
    question: str
    text: str
    entities: Sequence[str]  # ids of the entities that its document is about
    concepts: Sequence[str]  # ids of the concepts of these, or of the one whose relations it tells
    sentence_model: str = ""  # what the vectors of its sentences were made by; empty where it has none
    sentence_vectors: bytes | None = None  # these, as `candidate_sentences.pack` writes them
    notices: Sequence[str] = ()  # what was made known of the document later
    publisher: str = ""  # the journal, the institute, the maker of a label, or else the source that the document is of
    published: str = ""  # when the document came out; empty where nobody says so
    version: str = ""  # the source's
    kinds: Sequence[str] = ()  # publication types of the document
    label: bool = False  # whether the document is the label of a medicine
    names: Sequence[str] = ()  # what the graph calls the one entity that its document is about
    forms: Sequence[str] = ()  # the dosage forms of the medicine, where the label says so


@dataclass(eq=False)
class Retriever:
    """Searches the graph.

    Example:
        >>> from medgraph.cli.shared import assembly_of
        >>> from medgraph.graph.connect import connect
        >>> from medgraph.settings import Settings
        >>> with connect(settings := Settings.from_environment()) as database:
        ...     assembly_of(settings, database).retriever.search("treatment of gout", mode="lexical")[0].section
        'sample:gout#6'
    """

    database: Database
    encoder: Callable[[], TextEncoder]  # gives the encoder when a mode needs one; it is not asked before
    linker: LinkerOf  # gives what finds names in questions when it is needed

    def question(self, text: str, filters: Filters | None = None, *, as_typed: bool = False) -> Question:
        """Make a question of what a user typed; everything that is done for it takes the same one.

        Args:
            as_typed: Let all words of a message count alike, instead of looking for what it asks.
        """
        linker = functools.cache(self.linker)  # all that is made of a question takes the same one
        return Question(
            text,
            words_of(text),
            restrict(self.database, filters, linker),
            functools.cache(lambda named: self.named(named, filters, linker)),
            self.encoder,
            as_typed,
        )

    def named(self, text: str, filters: Filters | None = None, linker: LinkerOf | None = None) -> list[Mention]:
        """Find the entities that a question names, the longest and surest first, within the scope of its filters."""
        sources = sources_within(self.database, filters.scope) if filters else None
        return find_mentions(self.database, (linker or self.linker)(), text, sources)

    def search(
        self,
        question: str | Question,
        *,
        mode: str = "hybrid",
        top_k: int = 10,
        offset: int = 0,
        filters: Filters | None = None,
        preset: str = STANDARD,
        ranking: fusion.FusionModel | None = None,
    ) -> Evidence:
        """Find the sections that answer a question best, each once.

        Args:
            mode: One of `modes.MODES`.
            offset: How many of the best are left out. How far is looked does not depend on it, so that pages of the
                same size neither overlap nor leave a result out, and come to an end.
            filters: What results may be, for a question that is a text; a `Question` has its own.
            preset: The weights of words, meaning and titles in `lexical` and `hybrid`, a key of `modes.PRESETS`.
            ranking: The weights that `learned` ranks by; those of the package by default.

        Raises:
            InputError: The mode, the preset, a filter or the question cannot be used.
        """
        clock, mode = Clock(), mode_of(mode, preset)
        if not 1 <= top_k <= MAX_RESULTS:
            raise InputError(f"top-k is {top_k}; set it from 1 to {MAX_RESULTS}")
        whole = asked = question if isinstance(question, Question) else self.question(question, filters)
        if mode != DEFAULT and not asked.is_message:
            # A short question is searched for as it was typed, whatever it names.
            asked = replace(asked, linker=lambda _text: ())
        hits: Sequence[Hit] = ()
        end = offset + top_k + 1  # one more tells whether there are more
        if asked.restriction and asked.restriction.language:
            with clock.step("find"):
                hits = self._translated(asked, asked.restriction, end)
        elif not (asked.restriction and asked.restriction.nothing):
            if mode == DEFAULT:
                found = [self._learned(one, top_k, end, clock, ranking or fusion.model()) for one in asked.searches]
            else:
                with clock.step("find"):
                    found = [self._found(one, mode, top_k, PRESETS[preset], end) for one in asked.searches]
            hits = found[0] if len(found) == 1 else merged([one[:top_k] for one in found])
        beyond = end - 1 if end <= min(len(hits), MAX_RESULTS + 1) else None
        return Evidence(hits[offset : end - 1], whole, clock.ended(), self.database, self.linker, next=beyond)

    def similar_questions(self, question: Question, top_k: int) -> list[Hit]:
        """Find questions like this one, that sources ask and pages answer, best first."""
        if question.restriction and question.restriction.nothing:
            return []
        return self._found(question, QUESTIONS, top_k, PRESETS[STANDARD])

    def _found(self, question: Question, mode: str, top_k: int, weights: Weights, end: int = 0) -> list[Hit]:
        words = _words(question, mode, weights.title)
        if not words and mode == "lexical":
            return []
        mode = "semantic" if not words and mode == "hybrid" else mode
        wanted = top_k + SECTIONS * len(question.left_out)
        parameters: dict[str, Any] = {
            "lucene": words or NOTHING,
            "limit": max(wanted, end),
            "lexical": weights.lexical,
            "semantic": weights.semantic,
            **_within(question.restriction, max(FETCH, 3 * wanted)),
        }
        if mode != "lexical":
            # Questions are compared with each other as they are; the trained encoder looks for what answers them.
            parameters["vector"] = as_vector(question.vector if mode == QUESTIONS else question.search_vector)
        query = catalogue.get(mode)
        rows = in_full(self.database, query, _parameters(query, parameters), question.restriction, wanted)
        return [Hit(**(aged(row) if "version" in row else row)) for row in _kept(question, rows)[: end or top_k]]

    def _translated(self, question: Question, restriction: Restriction, top_k: int) -> list[Hit]:
        if restriction.nothing:
            return []
        query = catalogue.get("translated")
        words = lucene.query(question.weights, {"translations": 1.0}) or NOTHING
        given = {"lucene": words, "language": restriction.language, "limit": top_k, **_within(restriction, FETCH)}
        rows = self.database.read(query, **_parameters(query, given))
        return [Hit(**row) for row in _kept(question, rows)]

    def candidates(self, question: Question, fetch: int = CANDIDATES) -> list[Row]:
        """Find what may answer a question, unranked: rows of the statement, `fetch` of each branch at most."""
        if question.restriction and question.restriction.nothing:
            return []
        question.understand("search_vector")
        looked_up = lookups_of(question)
        given = {
            "lucene": _words(question, "hybrid", PRESETS[STANDARD].title) or NOTHING,
            "vector": as_vector(question.search_vector),
            "entities": _meant_by([*question.about, *(one.medicine for one in looked_up)]),
            "intents": list(looked_up[0].kinds if looked_up else question.intents),
            **_within(question.restriction, fetch + SECTIONS * len(question.left_out)),
        }
        return _kept(question, in_full(self.database, catalogue.get("candidates"), given, question.restriction, fetch))

    def ranked(self, question: Question, fetch: int = CANDIDATES) -> list[Row]:
        """Find what may answer a question, ranked by learned weights, the best first."""
        return [row for row, _ in self._scored(question, fetch, Clock(), fusion.model())[0]]

    def _scored(
        self, question: Question, fetch: int, clock: Clock, model: fusion.FusionModel
    ) -> tuple[list[tuple[Row, float]], NDArray[np.float64]]:
        """Give candidates with their scores, best first, and what they are described by, in the same order."""
        with clock.step("understand"):
            question.understand("search_vector")
        with clock.step("find"):
            rows = self.candidates(question, fetch)
        with clock.step("rank"):
            described = fusion.features_of(question, rows, model)
            scores = model.scores(described)
            best = sorted(range(len(rows)), key=lambda place: (-scores[place], rows[place]["section"]))
            scored = [(rows[place], float(scores[place])) for place in best]
        with clock.step("read"):
            order, scored = reread(question, scored)
            scored, places = looked_up_first(question, scored)
            scored, kept = one_voice(scored)
        described = described[best][order][places][kept]
        if question.calibration is None and self.encoder().name == fusion.CALIBRATED_ENCODER:
            accepts = any(part.kind == "asks" for part in question.parts)  # mere words are answered by nothing
            likely = _verdicts(fusion.CALIBRATION, fusion.logits(described), accepts=accepts)
            scored = [(row | told, score) for (row, score), told in zip(scored, likely, strict=True)]
        return scored, described

    def _learned(self, question: Question, top_k: int, end: int, clock: Clock, model: fusion.FusionModel) -> list[Hit]:
        scored, described = self._scored(question, max(CANDIDATES, 2 * top_k), clock, model)
        reasons = model.reasons(described, range(len(scored[:end])))
        return [_hit(row, score, why) for (row, score), why in zip(scored, reasons, strict=False)]

    def kinds(self, question: Question, entities: Sequence[str]) -> list[Row]:
        """Count the sections about some entities by what they are about: rows of `evidence_about`."""
        if question.restriction and question.restriction.nothing:
            return []
        query = catalogue.get("evidence_about")
        return self.database.read(
            query, entities=list(entities), **_parameters(query, _within(question.restriction, 0))
        )

    def pages(self, question: Question, documents: Sequence[str]) -> list[Row]:
        """Find pages of which the graph has the address only, and which answer questions without a section.

        Some that `documents` names, and those about what a question asks about, as `pages_elsewhere` has them.
        """
        if question.restriction and question.restriction.nothing:
            return []
        query = catalogue.get("pages_elsewhere")
        given = _within(question.restriction, 0) | {
            "documents": list(documents),
            "entities": _meant_by(question.about),
            "vector": as_vector(question.vector),
            "search_vector": as_vector(question.search_vector),
            "limit": PAGES,
        }
        return _kept(question, self.database.read(query, **_parameters(query, given)))

    def texts(self, sections: Sequence[str]) -> list[SectionText]:
        """Read whole sections."""
        rows = self.database.read(catalogue.get("section_texts"), sections=list(sections))
        told = [{"concepts": [concept_of(row["document"])]} if row["source"] == DERIVED else {} for row in rows]
        return [SectionText(**row | more) for row, more in zip(rows, told, strict=True)]


def _within(restriction: Restriction | None, fetch: int) -> dict[str, Any]:
    return {
        "filtered": restriction is not None,
        "by_source": restriction is not None and restriction.by_source,
        "depth": fetch if restriction is None or restriction.hidden else DEPTH,
        "fetch": fetch,
        **(restriction or Restriction()).neighbours(fetch),
        **(restriction or Restriction()).parameters(),
    }


def _parameters(query: Query, values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in query.parameters}


def _kept(question: Question, rows: Sequence[Row]) -> list[Row]:
    """Leave out documents that are left out by name, or that notices were made of where the filters say so."""
    unnoticed = bool(question.restriction and question.restriction.unnoticed)
    return [row for row in rows if row["document"] not in question.left_out and not (unnoticed and row.get("notices"))]


def _meant_by(names: Sequence[Mention]) -> list[str]:
    return list(dict.fromkeys(meant.entity for name in names for meant in name.called()))


def _hit(row: Row, score: float, why: dict[str, float]) -> Hit:
    scores = {branch: row[branch] for branch in ("lexical", "semantic", "asked")}
    told = {field.name: row[field.name] for field in fields(Hit) if field.name in row}
    return Hit(**told, score=score, scores=scores, why=why)


def _words(question: Question, mode: str, title: float) -> str:
    phrases = question.restriction.phrases(titled=mode != QUESTIONS) if question.restriction else None
    hidden = question.restriction.hidden if question.restriction else ""
    if mode == QUESTIONS:
        return lucene.query(question.weights, QUESTION_BOOSTS, phrases, hidden=hidden)
    if mode == "semantic":
        return ""
    favoured = [("type", question.intent, TYPE_BOOST)] if question.intent else []
    return lucene.query(question.weights, {"title": title, **SECTION_BOOSTS}, phrases, favoured, hidden)
