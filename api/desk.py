"""Desk of curators: one piece of work at a time, such as a load, in a thread, with what is told of it meanwhile.

Its work is what the commands do, with a connection of its own: the service's ends statements that take long.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import threading
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError, MedgraphError
from ..graph.connect import connect
from ..progress import heard_by
from .problems import TakenError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from ..graph.database import Database
    from ..loaders.commands import LoadOptions, Where
    from ..settings import Settings

PULSE: Final = 1.0  # seconds between two looks at how far the work is
MAPPING: Final = "mapping.yaml"  # the name of an uploaded mapping in its order's folder
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be loaded, as an upload or an address and a form say."""

    name: str  # that no other has
    folder: Path  # of what was uploaded
    source: str
    where: Where
    wish: LoadOptions

    @property
    def of(self) -> str:
        """What people know it by."""
        uploaded = self.where.name if isinstance(self.where, Path) else ""
        return self.wish.name or (uploaded if self.source == MAPPING else self.source)


@dataclass(slots=True)
class Work:
    """Something that is done or was done last."""

    kind: str  # `dry-run`, `load`, `undo`, `audit` or `index`
    of: str  # the source or file; empty where it is the graph
    order: Order | None = None
    begun: datetime = field(default_factory=lambda: datetime.now().astimezone())
    told: list[str] = field(default_factory=list)  # of lines on how far one step is, the last
    result: Any = None  # what the command's function gives
    problem: str = ""
    ended: threading.Event = field(default_factory=threading.Event)

    def tell(self, line: str) -> None:
        """Note a line."""
        if self.told and self.told[-1].partition(":")[0] == line.partition(":")[0]:
            self.told.pop()
        self.told.append(line)

    def watch(self) -> Generator[str]:
        """Give the newest line when there is another one, and an empty text while nothing happens, until it ends."""
        before = ""
        while not self.ended.wait(PULSE):
            now = (self.told or [""])[-1]
            yield now if now != before else ""
            before = now

    def plain(self, text: str) -> str:
        """Leave out of a text where uploads are kept."""
        return text.replace(f"{self.order.folder}/", "").replace("files/", "") if self.order else text


class Desk:
    """Where curators work.

    Args:
        settings: The graph's, and where uploads are kept until they are loaded.
        index: Makes what was loaded ready to be searched, and says what was done.
    """

    def __init__(self, settings: Settings, index: Callable[[Database], Iterator[str]]) -> None:
        self.settings, self._index = settings, index
        self.token = secrets.token_urlsafe()  # what forms of this service's pages hold, and no page of others can know
        self.work: Work | None = None
        self._folder = settings.home / "desk"
        self._lock = threading.Lock()

    def room(self) -> Path:
        """Make a folder for an upload; TakenError while there is other work."""
        self._require_free()
        folder = self._folder / secrets.token_hex(8)
        (folder / "files").mkdir(parents=True)
        return folder

    def try_out(self, order: Order) -> None:
        """Begin to say what a load would do; what was uploaded before goes."""
        try:
            self._begin(Work("dry-run", order.of, order), partial(self._load, order, dry_run=True))
        except TakenError:
            shutil.rmtree(order.folder, ignore_errors=True)
            raise
        for other in self._folder.iterdir():
            if other != order.folder:
                shutil.rmtree(other, ignore_errors=True)

    def load(self, name: str) -> None:
        """Begin to load what was tried out last, if it has this name."""
        order = self.work.order if self.work else None
        if order is None or order.name != name:
            raise InputError("what was tried out here is gone, as something else was tried out since; upload it again")
        self._begin(Work("load", order.of, order), partial(self._load, order))

    def undo(self, source: str, *, whole: bool) -> None:
        """Begin to take the last load of a source back; `whole` also where the source goes with it."""
        self._begin(Work("undo", source), partial(self._undo, source, whole=whole))

    def audit(self, source: str) -> None:
        """Begin an audit of a source, or of the graph."""
        from ..audit.run import audit

        self._begin(Work("audit", source), partial(audit, source=source))

    def index(self) -> None:
        """Begin to make what was loaded ready to be searched."""
        self._begin(Work("index", ""), lambda database: list(self._index(database)))

    def _load(self, order: Order, database: Database, *, dry_run: bool = False) -> Any:
        from ..loaders.commands import load_named

        source = str(order.folder / MAPPING) if order.source == MAPPING else order.source
        report = load_named(database, self.settings, source, order.where, order.wish, dry_run=dry_run)
        if not dry_run:
            shutil.rmtree(order.folder, ignore_errors=True)
        return report

    def _undo(self, source: str, database: Database, *, whole: bool) -> Any:
        from ..loaders.commands import undo_named
        from ..loaders.life.withdraw import is_last_left

        if not whole and is_last_left(database, source):
            raise InputError(f"only the first load of {source} is left: say that the whole source may go")
        return undo_named(database, self.settings, source)

    def _require_free(self) -> None:
        if self.work and not self.work.ended.is_set():
            said = f"{self.work.kind} {self.work.of}".strip()
            raise TakenError(f"other work is under way since {self.work.begun:%H:%M} ({said}): one thing at a time")

    def _begin(self, work: Work, act: Callable[[Database], Any]) -> None:
        with self._lock:
            self._require_free()
            self.work = work
        threading.Thread(target=self._run, args=(work, act), daemon=True).start()

    def _run(self, work: Work, act: Callable[[Database], Any]) -> None:
        try:
            with heard_by(work.tell), connect(self.settings) as database:
                work.result = act(database)
        except MedgraphError as error:
            work.problem = work.plain(str(error))
        except Exception:  # noqa: BLE001 # of a reader, say; whoever looks on is told
            _log.exception("unforeseen")
            work.problem = "it failed; the service's log says why"
        finally:
            work.ended.set()
