"""Stages that pipelines share: finding sections, concepts and relations; writing, citing and checking at the end."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ...errors import InputError, ModelError, NotInGraphError
from ...graph import catalogue
from ...models.protocol import PLAIN, Decoding
from ...queries.concepts import concept_named
from ...queries.find import find_entities
from ...queries.lucene import content_words
from ...queries.subgraphs import find_subgraph
from ...schema.vocabulary import INVERSES, RELATION_TYPES, lists
from ...text import sentences, without_bullet
from ..answer import ANSWERED, NOT_ENOUGH_EVIDENCE, SUPPORTED
from ..facts import fact_of, without_documents
from ..generated import NOTHING, Draft, room_for, schema_of
from ..part_answers import Material, PartAnswer
from ..populations import speaking, with_populations
from ..prompting import LIMITS, NumberedEvidence, instructed, numbered, prompt
from ..scoring import load_sections, score
from ..signs import Signs
from .pipeline import Entity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...models.protocol import Request
    from ...queries.entities import Mention
    from ...queries.find import FoundEntity
    from ...queries.question import Question
    from ..answer import CitedFact, Status
    from ..scoring import ScoredSection
    from .pipeline import State

# Sentences of a section that a model is given first, and that are quoted where none writes; set by hand.
SENTENCES: Final = 4
PHRASES: Final = 8  # phrases that no name was found for, of which vectors look for one, at most; set by hand
CLOSE: Final = 10  # entities with a phrase's words in their names that are compared with it; set by hand
TELLING: Final = 5  # letters of a word that may name a kind of relation, at least; set by hand
MATCH: Final = 85  # of 100, how much of the name of a kind of relation a word must have; set by hand
TOPIC: Final = "Topic"  # the label of what pages are about and no relation tells of, such as `Medicines`
_RUN: Final = re.compile(r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*)*")


def search(
    state: State, question: Question, most: int, mode: str = "hybrid", preset: str = "default", *, documents: bool
) -> list[ScoredSection]:
    """Find sections, `most` at most, the best first, as `weighed` gives them; `documents`: each of another document."""
    fetched = 3 * most if documents else most
    hits = state.tools.retriever.search(question, mode=mode, preset=preset, top_k=fetched)
    near: dict[str, float] = {}
    seen: set[str] = set()
    for hit in hits:
        if hit.section and not (documents and hit.document in seen):
            seen.add(hit.document)
            near[hit.section] = hit.scores.get("semantic") or 0.0
    return weighed(state, list(near)[:most], near)


def weighed(state: State, names: Sequence[str], near: dict[str, float] | None = None) -> list[ScoredSection]:
    """Read sections by id, and weigh what they say of the question, in the same order.

    Such as have no sentence that can be quoted, or speak to a program, are left out.
    """
    read = load_sections(state.tools.retriever, names)
    sections = [
        (one, (near or {}).get(one.section, 0.0)) for one in read if one.document not in state.question.left_out
    ]
    scored = score(Signs(state.question, state.part.clause), sections, state.tools.sentences, SENTENCES, apart=True)
    return [
        item
        for item in speaking(state.question.text, state.part.populations, scored)
        if item.sentences and not instructed(item)
    ]


def reworded(state: State, text: str, called: str) -> Question | None:
    """Make a question of another text; where it cannot be searched for, that is noted of what it is `called`."""
    try:
        return state.question.reworded(text)
    except InputError as error:
        state.note(f"{called} cannot be searched for: {error}")
        return None


def nearest_sentence(item: ScoredSection) -> str:
    """Give the sentence of a section nearest to the question."""
    return max(item.sentences, key=lambda one: one.cosine).candidate.text


def focus_entities(state: State) -> list[Entity]:
    """Find the concepts that the question asks about, or else those that it names."""
    return named(state, state.question.about or state.question.mentions, asked=True)


def named(state: State, mentions: Iterable[Mention], *, asked: bool) -> list[Entity]:
    """Find the concepts of mentions, each once, in their order; `asked` where the question has them."""
    found: dict[str, Entity] = {}
    for mention in mentions:
        concept = "" if mention.label == TOPIC else _concept(state, mention.entity)
        if concept:
            found.setdefault(concept, Entity(concept, mention.name, mention.label, asked))
    return list(found.values())


def nearest(state: State, text: str, mentions: Iterable[Mention], least: float, *, asked: bool) -> list[Entity]:
    """Find concepts with names near in meaning (`least` is HyKGE's δ) to what a text says and no name fits."""
    spans = [(one.start, one.end) for one in mentions]
    close: dict[str, list[FoundEntity]] = {}
    for phrase in _phrases(text, spans)[:PHRASES]:
        by_words = find_entities(state.tools.database, state.tools.linker, phrase, CLOSE)
        if named_so := [one for one in by_words if one.label != TOPIC]:
            close[phrase] = named_so
    if not close:
        return []
    texts = list(dict.fromkeys((*close, *(one.name for several in close.values() for one in several))))
    vectors = dict(zip(texts, state.tools.encoder().encode(texts), strict=True))
    found: dict[str, Entity] = {}
    for phrase, several in close.items():
        likeness = [float(vectors[one.name] @ vectors[phrase]) for one in several]
        best = several[likeness.index(max(likeness))]
        if max(likeness) > least and (concept := _concept(state, best.id)):
            found.setdefault(concept, Entity(concept, best.name, best.label, asked, near=True))
    return list(found.values())


def describe(state: State) -> None:
    """Read the sections that say what the entities are."""
    rows = state.tools.database.read(catalogue.get("described_in"), ids=[one.id for one in state.entities])
    state.evidence = weighed(state, list(dict.fromkeys(row["section"] for row in rows)))


def around(state: State, concept: str, most: int, relations: Iterable[str] = ()) -> list[CitedFact]:
    """Give the relations that begin or end at a concept, by kind, those said best first, `most` of each type."""
    tools = state.tools
    found = find_subgraph(tools.database, tools.linker, concept, relations=tuple(relations), limit=most)
    facts = []
    for one in found.relations:
        if one.hops == 1:
            forward = one.head.id == found.centre.id
            ends_of = (one.head, one.tail) if forward else (one.tail, one.head)
            facts.append(fact_of(*ends_of, forward=forward, said=one.said, backing=one.backing))
    return without_documents(facts, state.question.left_out)


def match_relations(question: Question, least: int = MATCH) -> list[str]:
    """Match words to kinds of relation, exactly or in part (`least` of 100), as they are stored."""
    from rapidfuzz import fuzz

    words = [word for word in question.words if len(word) >= TELLING]

    def is_named(relation: str) -> bool:
        parts = [part for part in relation.lower().split("_") if len(part) >= TELLING]
        return any(fuzz.partial_ratio(word, part) >= least for word in words for part in parts)

    found = list(filter(is_named, RELATION_TYPES))
    found += [relation for kind in question.intents for relation in lists("relation").get(kind, ())]
    return list(dict.fromkeys(INVERSES.get(one, one) for one in found))


def interleaved(groups: Sequence[Sequence[CitedFact]]) -> list[CitedFact]:
    """Take the best of several lists in turn, each relation once."""
    turns = itertools.zip_longest(*groups)
    return list(dict.fromkeys(fact for turn in turns for fact in turn if fact))


def of_kinds(facts: Sequence[CitedFact]) -> list[CitedFact]:
    """Order facts so that each kind of relation has its turn."""
    kinds: dict[str, list[CitedFact]] = {}
    for fact in facts:
        kinds.setdefault(fact.relation, []).append(fact)
    return interleaved(list(kinds.values()))


def merged(entities: Iterable[Entity], most: int) -> list[Entity]:
    """Choose the entities to go by: what is asked about first, then what a name fits; each concept once."""
    chosen: dict[str, Entity] = {}
    for one in sorted(entities, key=lambda one: (not one.asked, one.near)):
        chosen.setdefault(one.id, one)
    return list(chosen.values())[:most]


def _concept(state: State, entity: str) -> str:
    try:
        return concept_named(state.tools.database, state.tools.linker, entity)
    except NotInGraphError:
        return ""


def _phrases(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    rest = list(text)
    for start, end in spans:
        rest[start:end] = "|" * (end - start)
    found: dict[str, None] = {}
    for run in _RUN.findall("".join(rest)):
        words = run.lower().split()
        telling = set(content_words(words))
        for tells, group in itertools.groupby(words, telling.__contains__):
            phrase = " ".join(group)
            if tells and " " in phrase:  # of a word alone, vectors say too little
                found[phrase] = None
    return sorted(found, key=lambda phrase: -len(phrase.split()))


REPLY: Final = 800  # tokens that a model may write, where a paper does not say; set by hand


@dataclass(frozen=True, slots=True)
class Ending:
    """How an answer is written from what was found."""

    prompt: str  # the prompt, with `question`, `whole`, `evidence` and, where it has it, `background`
    reply: int = REPLY  # tokens that the model may write
    decoding: Decoding = PLAIN
    limits: tuple[int, int, int] = LIMITS  # sections, facts and paths that the model is given, at most

    def __call__(self, state: State) -> None:
        """Let the model write from what was found; quote where there is none."""
        model, paths = state.model, {one.facts: one.text for one in state.paths}
        material = Material(state.evidence, state.facts, list(paths))
        if model is None:
            _quote(state, material)
            return
        room = room_for(model, self._request(state, ()))
        items = [
            replace(item, text=paths.get(item.facts, item.text)) if item.id.startswith("P") else item
            for item in numbered(material, model.count_tokens, room, self.limits)
        ]
        if not items:
            state.fail(NOTHING)
            _quote(state, material)
            return
        _shown(state, material, items, state.writing.drafts(model, self._request(state, items)))

    def _request(self, state: State, items: Sequence[NumberedEvidence]) -> Request:
        asked = with_populations(state.question.text, state.part.populations)
        told = {"question": asked, "whole": state.whole, "background": state.background}
        told = {name: text for name, text in told.items() if name in prompt(self.prompt).variables}
        schema = schema_of([item.id for item in items])
        filled = state.filled(self.prompt, items, **told)
        return replace(filled, schema=schema, max_tokens=self.reply, decoding=self.decoding)


def show_candidate(state: State, place: int) -> None:
    """Show one of the candidates, each sentence cited from what it was written from; quote where no model wrote it."""
    candidate = state.candidates[place]
    state.chosen = place
    if state.model is None:  # what a candidate quotes may be of another kind than what is asked
        _quote(state, Material(state.evidence, state.facts))
        return
    material = Material([candidate.section] if candidate.section else [])
    items = [
        NumberedEvidence(f"S{number}", one.section.section.text, one.section)
        for number, one in enumerate(state.candidates, 1)
        if one.section
    ]
    ids = tuple(item.id for item in items if item.section is candidate.section)
    _shown(state, material, items, (Draft(text, ids) for text in sentences_in(candidate.text)))


def _shown(state: State, material: Material, items: Sequence[NumberedEvidence], drafts: Iterable[Draft]) -> None:
    """Cite and check the sentences written of `items`, as they come; quote what was found where none can be shown."""
    try:
        sentences = state.writing.shown(drafts, items, state.question.text)
    except ModelError as error:
        state.fail(str(error))
        _quote(state, Material(state.evidence, state.facts))
        return
    state.silent = not sentences and not state.writing.dropped
    supported = any(one.verdict == SUPPORTED for one in sentences)
    status: Status = ANSWERED if supported else NOT_ENOUGH_EVIDENCE
    found = tuple(item.shown() for item in material.sections)
    sure = max((item.answers for item in material.sections), default=0.0)
    state.given = PartAnswer(state.part, status, sentences, found, sure, material=material)


def _quote(state: State, material: Material) -> None:
    """Quote what was found, and relations of the kinds that are asked for; paths say too little by themselves."""
    types = match_relations(state.question)
    facts = [fact for fact in material.facts if fact.relation in types]
    state.given = state.tools.quote(state.part, Material(material.sections, facts))


def sentences_in(text: str) -> list[str]:
    """Cut what a model wrote into sentences; marks of lists go."""
    lines = [line for line in text.splitlines() if line.strip()]
    cut = (line[without_bullet(line, start) : end].strip() for line in lines for start, end in sentences(line))
    return [sentence for sentence in cut if sentence]
