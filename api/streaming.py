"""An answer as server-sent events, each sent once it is settled; a client that leaves ends what is done for it."""

from __future__ import annotations

import threading
from dataclasses import asdict
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ..answers.answer import Answer
from ..errors import MedgraphError
from .problems import Problem, status_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from flask import Response

    from ..answers.composers.composer import Tell

# Fields of an answer that are known before anything is written.
UNDERSTOOD: Final = (
    "question",
    "understood",
    "entities",
    "intent",
    "intents",
    "urgent",
    "remark",
    "ask_back",
    "within",
)
# Seconds of silence after which a comment is sent, so that it is noticed when a client has left.
PULSE: Final = 1.0
DONE: Final = "done"

Event = tuple[str, Any]


class ClientLeftError(MedgraphError):
    """Nobody waits for the answer any more."""


def events_of(ask: Callable[[Tell], Answer]) -> Generator[Event]:
    """Answer in a thread, and give what becomes of it.

    Args:
        ask: Answers; told of what happens, it must let pass what that raises.

    Yields:
        Names with what is told: `understood`, `sources`, a `sentence` each, `usage` where a language model wrote or
        read, and `done` with the answer, which goes before all that was told; or `error`, with problem details. An
        empty name where nothing happens for a while.

    Raises:
        MedgraphError: There is no answer, and nothing has been given yet.
    """
    happened: SimpleQueue[Event | Answer | MedgraphError | None] = SimpleQueue()
    left = threading.Event()

    def tell(name: str, value: object) -> None:
        if left.is_set():
            raise ClientLeftError
        if name:
            happened.put((name, value))

    def run() -> None:
        try:
            happened.put(ask(tell))
        except MedgraphError as error:
            happened.put(error)
        except BaseException:
            happened.put(None)
            raise

    threading.Thread(target=run, daemon=True).start()
    begun: list[Event] = []
    try:
        yield from _given(happened, begun)
    except MedgraphError as error:
        if not begun:
            raise
        yield "error", Problem.of(*status_of(error))
    finally:
        left.set()


def closing(response: Response, events: Generator[Event]) -> Response:
    """Let the end of a response end its events, be it that nothing of it was sent, as for HEAD or who left at once."""
    response.call_on_close(events.close)
    return response


def written(event: Event) -> bytes:
    """Write an event in the text format of server-sent events; one without a name is a comment."""
    name, value = event
    if name == "understood":
        value = {field: getattr(value, field) for field in UNDERSTOOD}
    return b"event: %s\ndata: %s\n\n" % (name.encode(), ENCODER.encode(value)) if name else b":\n\n"


def _given(happened: SimpleQueue[Any], begun: list[Event]) -> Iterator[Event]:
    while True:
        try:
            told = happened.get(timeout=PULSE)
        except Empty:
            if begun:
                yield "", None
            continue
        if isinstance(told, MedgraphError):
            raise told
        if told is None:
            raise MedgraphError("unforeseen; the log says what")
        for event in _rest(told, begun) if isinstance(told, Answer) else [told]:
            begun.append(event)
            yield event
        if isinstance(told, Answer):
            yield DONE, told
            return


def _rest(answer: Answer, begun: list[Event]) -> Iterator[Event]:
    """Give the events of a whole answer, but for the last, that have not been told before."""
    names = {name for name, _ in begun}
    told = [value for name, value in begun if name == "sentence"]
    if "understood" not in names:
        yield "understood", answer
        yield "sources", answer.evidence
    yield from (("sentence", sentence) for sentence in answer.sentences if sentence not in told)
    if answer.generation or answer.readings:
        yield "usage", {**(asdict(answer.generation) if answer.generation else {}), "readings": answer.readings}


def _plain(value: object) -> float:
    """Write numbers of numpy as what they are."""
    if isinstance(value, float):
        return float(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be written as JSON")


# Fields stand in the order of their names.
ENCODER: Final = msgspec.json.Encoder(enc_hook=_plain, order="sorted")
