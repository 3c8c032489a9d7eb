"""Run a pipeline: its stages in order, those left out replaced, and how the answer came about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...errors import ModelError, SettingsError
from ..answer import NOT_ENOUGH_EVIDENCE
from ..composers.writing import Writing, generation_of
from ..generation import CandidateTrace, Generation, PipelineTrace
from ..model_reading import reads_claims
from ..part_answers import PartAnswer
from ..prompting import prompt
from .ending import given_sections
from .state import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...models.protocol import Model
    from ...progress import Clock
    from ..composers.composer import Tell
    from ..model_reading import ModelReading
    from ..parts import QuestionPart
    from ..verify.reader import ClaimReader
    from .pipeline import Chosen
    from .state import Tools


class Pipelines:
    """Answers by pipelines.

    Args:
        load_model: Gives the language model; raises where none is set or it cannot be opened.
        unsupported: What becomes of sentences that what they cite does not support: `drop` or `flag`.
        reader: Gives what reads claims together with their evidence.
    """

    def __init__(
        self, tools: Tools, load_model: Callable[[], Model], unsupported: str, reader: Callable[[], ClaimReader | None]
    ) -> None:
        self._tools, self._load_model = tools, load_model
        self._unsupported, self._reader = unsupported, reader

    def answer(
        self, chosen: Chosen, part: QuestionPart, whole: str, clock: Clock, tell: Tell, reading: ModelReading
    ) -> tuple[PartAnswer, Generation, PipelineTrace]:
        """Answer what is asked; tell how the model wrote it, and how it came about.

        Args:
            whole: All that was typed, as it was understood.
            tell: Told of each sentence that is settled, and by an empty name that the model goes on.
            reading: Lets the model read whether sections say what words alone do not support.

        Raises:
            RequestsWaitError: In batch mode, replies are not there yet.
        """
        writing = Writing(self._unsupported, self._reader, clock, tell)
        state = State(part, whole, self._tools, chosen.values, None, writing)
        try:
            state.model = self._load_model()
        except (ModelError, SettingsError) as error:
            state.stand_in = str(error)
        model = state.model
        writing.read = reads_claims(reading, model) if model else None
        for stage in chosen.pipeline.stages:
            instead = stage.without if stage.name in chosen.without else None
            state.traced(stage.name, instead or stage.run, left_out=instead is not None)
        given = state.given or PartAnswer(part, NOT_ENOUGH_EVIDENCE, (), (), 0.0)
        return given, self._generation(state, model), _trace(chosen, state)

    def _generation(self, state: State, model: Model | None) -> Generation:
        if model is None:
            return Generation(fallback=state.stand_in)
        files = [prompt(name) for name in dict.fromkeys(state.prompts)]
        return replace(
            generation_of(model, files, [state.writing]),
            evidence=tuple(item.section.section for item in given_sections(state)),
            silent=(state.part.asked,) if state.silent else (),
            fallback=state.stand_in,
        )


def _trace(chosen: Chosen, state: State) -> PipelineTrace:
    return PipelineTrace(
        chosen.pipeline.name,
        chosen.pipeline.paper,
        {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in chosen.values.items()},
        tuple(state.traces),
        tuple(f"{one.name} ({one.id})" for one in state.entities),
        state.hypothesis,
        tuple(state.queries),
        tuple(
            CandidateTrace(
                one.text, one.score, one.section.section.section if one.section else "", place == state.chosen
            )
            for place, one in enumerate(state.candidates)
        ),
        tuple(one.text for one in state.paths),
        state.subgraph,
        state.background,
        state.stand_in,
    )
