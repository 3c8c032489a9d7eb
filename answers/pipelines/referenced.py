"""`referenced`: an answer from the ten best documents, a reference after each statement, each checked (VerifAI)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...models.protocol import Decoding
from ...queries.modes import MODES, PRESETS
from . import ending
from .finding import search
from .pipeline import Parameter, Pipeline, Stage

if TYPE_CHECKING:
    from .state import State

PROMPT: Final = "referenced"


def documents(state: State) -> None:
    """Find documents, the best section of each."""
    mode, preset = str(state.values["mode"]), str(state.values["weights"])
    state.evidence = search(state, state.question, state.number("documents"), mode, preset, documents=True)
    if not state.evidence:
        state.note("nothing was found")


def answer(state: State) -> None:
    """Write the answer from the documents alone."""
    decoding = Decoding(repetition_penalty=state.share("repetition_penalty"))
    limits = (state.number("documents"), 0, 0)
    ending.write(state, ending.Ending(PROMPT, state.number("max_tokens"), decoding=decoding, limits=limits))


PIPELINE: Final = Pipeline(
    "referenced",
    "VerifAI: verified generative question answering (Košprdić et al., 2024)",
    "an answer from the ten best documents alone, with a reference after each statement that is then checked",
    (
        Stage("search", "find documents by words and by vectors", documents),
        Stage("answer", "write the answer with references, check each claim against what it refers to", answer),
    ),
    {
        "documents": Parameter(10, "documents that the answer may refer to", 1, 50),
        "mode": Parameter("hybrid", "how documents are searched for", choices=MODES),
        "weights": Parameter("literature", "weights of words, vectors and titles", choices=tuple(PRESETS)),
        "max_tokens": Parameter(1225, "tokens of the answer, at most", 10, 8000),
        "repetition_penalty": Parameter(1.1, "where the model runs in this process", 1, 2),
    },
    (PROMPT,),
)
