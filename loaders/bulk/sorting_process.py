"""A sorter in a process of its own, which writes CSV while this one reads the file on.

Batches go over in files, for a pipe holds less than one and would make each side wait for the other. The pipe tells
that one is there; when it is closed, because the load has ended or was killed, the process ends too.
"""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self

from ...errors import EmbeddedServerError
from .record_lines import pack
from .sorting import Sorted, Sorter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..base import Item
    from ..life.outcome import Counts
    from .record_lines import Listed

AHEAD: Final = 8  # How many batches may wait to be sorted


class SortingProcess:
    """A process that sorts; used in a `with` block, which ends it."""

    def __init__(self, folder: Path, source: str) -> None:
        self._folder = folder
        # In a session of its own, for Ctrl-C is for the process that reads.
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", "-m", __name__, str(folder), source],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._sent = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        with suppress(BrokenPipeError):  # of what could not be sent to it
            self._process.communicate()

    def sort(self, batches: Iterable[Sequence[Item]]) -> Iterator[tuple[Listed, Counts]]:
        """Sort batches, while the next ones are read.

        Yields of each, in their order, what is to be listed, and what became of all items up to its end.
        """
        waiting: deque[int] = deque()
        start = 0
        for batch in batches:
            self._send(pickle.dumps(pack(batch, start), pickle.HIGHEST_PROTOCOL))
            start += len(batch)
            waiting.append(start)
            if len(waiting) > AHEAD:
                waiting.popleft()
                yield self._receive()
        for _ in waiting:
            yield self._receive()

    def finish(self) -> tuple[list[str], Sorted]:
        """Close all files; give what the importer has to be told, and what became of all items."""
        self._send(b"")
        finished: tuple[list[str], Sorted] = self._receive()
        return finished

    def _send(self, packed: bytes) -> None:
        (self._folder / f"{self._sent}.batch").write_bytes(packed)
        self._sent += 1
        with suppress(BrokenPipeError):  # what is received next tells why
            assert self._process.stdin is not None
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()

    def _receive(self) -> Any:
        assert self._process.stdout is not None
        try:
            received = pickle.load(self._process.stdout)  # noqa: S301 - from a process of our own
        except (EOFError, pickle.UnpicklingError) as error:
            said = f"the process that sorts records was ended from outside (status {self._process.wait()})"
            raise EmbeddedServerError(f"{said}; is there too little memory? The graph is as it was") from error
        if isinstance(received, Exception):
            raise received
        return received


def serve(folder: Path, source: str, told: IO[bytes], replies: IO[bytes]) -> None:
    """Sort what is sent, a line `told` for each batch; reply what became of each, and in the end all, or an error."""
    gc.disable()  # for batches hold no cycles
    try:
        with Sorter(folder, source) as sorter:
            for number, _ in enumerate(told):
                file = folder / f"{number}.batch"
                packed = file.read_bytes()
                file.unlink()
                pickle.dump(_reply(sorter, packed), replies, pickle.HIGHEST_PROTOCOL)
                replies.flush()
    except Exception as error:  # noqa: BLE001 - whatever it is, the process that reads raises it
        pickle.dump(error, replies, pickle.HIGHEST_PROTOCOL)


def _reply(sorter: Sorter, packed: bytes) -> tuple[Listed, Counts] | tuple[list[str], Sorted]:
    if not packed:
        return sorter.finish(), sorter.sorted
    return sorter.sort(pickle.loads(packed)), sorter.sorted.counts  # noqa: S301 - from a process of our own


if __name__ == "__main__":
    serve(Path(sys.argv[1]), sys.argv[2], sys.stdin.buffer, sys.stdout.buffer)
