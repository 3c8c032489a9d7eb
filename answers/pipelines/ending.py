"""Last stages of pipelines: write or choose an answer, then cite and check each sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ...errors import ModelError
from ...models.protocol import PLAIN, Decoding, Request
from ..answer import ANSWERED, NOT_ENOUGH_EVIDENCE, SUPPORTED
from ..composers.composer import Material
from ..composers.generated import NOTHING, SEED, UNSUPPORTED, room_for
from ..composers.numbered import LIMITS, NumberedEvidence, fenced, numbered
from ..composers.writing import Draft, schema_of
from ..part_answers import PartAnswer
from ..populations import asked_with
from ..prompting import escaped, prompt
from .finding import relations_asked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..answer import Sentence, Status
    from ..scoring import ScoredSection
    from .state import State

REPLY: Final = 800  # tokens that a model may write, where a paper does not say; set by hand


@dataclass(frozen=True, slots=True)
class Ending:
    """How an answer is written from what was found.

    Attributes:
        prompt: The prompt, with `question`, `whole`, `evidence` and, where it has it, `background`.
        reply: Tokens that the model may write.
        limits: Sections, facts and paths that the model is given, at most.
    """

    prompt: str
    reply: int = REPLY
    decoding: Decoding = PLAIN
    limits: tuple[int, int, int] = LIMITS

    def __call__(self, state: State) -> None:
        """Write the answer."""
        write(state, self)


def write(state: State, ending: Ending) -> None:
    """Let the model write from what was found; quote where there is none."""
    model, paths = state.model, {one.facts: one.text for one in state.paths}
    material = Material(state.evidence, state.facts, list(paths))
    if model is None:
        _quote(state, material)
        return
    room = room_for(model, _request(state, ending, ()))
    items = [
        replace(item, text=paths.get(item.facts, item.text)) if item.id.startswith("P") else item
        for item in numbered(material, model.count_tokens, room, ending.limits)
    ]
    if not items:
        state.fail(NOTHING)
        _quote(state, material)
        return
    _shown(state, material, items, state.writing.drafts(model, _request(state, ending, items)))


def choose(state: State, place: int) -> None:
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
    """Cite and check the sentences written of `items`, as they come; quote `material` where none can be shown."""
    sentences: tuple[Sentence, ...] = ()
    try:
        sentences = state.writing.shown(drafts, items, state.question.text)
    except ModelError as error:
        state.fail(str(error))
    supported = any(one.verdict == SUPPORTED for one in sentences)
    state.silent = not sentences and not state.writing.dropped and state.model is not None
    if state.model is not None and not state.silent and not supported and items:
        state.fail(UNSUPPORTED)
    if state.model is None:
        _quote(state, Material(state.evidence, state.facts))
        return
    status: Status = ANSWERED if supported else NOT_ENOUGH_EVIDENCE
    found = tuple(item.shown() for item in material.sections)
    sure = max((item.answers for item in material.sections), default=0.0)
    state.given = PartAnswer(state.part, status, sentences, found, sure, material=material)


def _quote(state: State, material: Material) -> None:
    """Quote what was found, and relations of the kinds that are asked for; paths say too little by themselves."""
    types = relations_asked(state.question)
    facts = [fact for fact in material.facts if fact.relation in types]
    state.given = state.tools.quote(state.part, Material(material.sections, facts))


def sentences_in(text: str) -> list[str]:
    """Cut what a model wrote into sentences; marks of lists go."""
    from ...text import sentences, without_bullet

    lines = [line for line in text.splitlines() if line.strip()]
    cut = (line[without_bullet(line, start) : end].strip() for line in lines for start, end in sentences(line))
    return [sentence for sentence in cut if sentence]


def given_sections(state: State) -> list[ScoredSection]:
    """Give the sections that an answer may rest on, each once."""
    candidates = [one.section for one in state.candidates if one.section]
    return list({item.section.section: item for item in (*state.evidence, *candidates)}.values())


def _request(state: State, ending: Ending, items: Sequence[NumberedEvidence]) -> Request:
    file = prompt(ending.prompt)
    state.prompts.append(file.name)
    asked = asked_with(state.question.text, state.part.populations)
    told = {"question": asked, "whole": state.whole, "background": state.background}
    told = {name: escaped(text) for name, text in told.items() if name in file.variables}
    return Request(
        file.fill(**told, evidence=fenced(items)),
        schema_of([item.id for item in items]),
        max_tokens=ending.reply,
        seed=SEED,
        decoding=ending.decoding,
    )
