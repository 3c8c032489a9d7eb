"""Files on this machine: locks between processes, and room on the disk."""

from __future__ import annotations

import fcntl
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .errors import NoSpaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@contextmanager
def locked(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold an exclusive lock on a file for the length of a `with` block.

    The system frees the lock when the process that holds it dies.

    Args:
        path: The lock file; it is made, with its folder, and never deleted.
        waiting: Called once when another process holds the lock, before waiting for it.

    Yields:
        Nothing; the lock is held inside the block.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Python's files are not inherited: a server started inside the block does not keep the lock.
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def require_space(folder: Path, needed: int, setting: str | None = None) -> None:
    """Refuse to go on when the disk has too little room.

    Args:
        folder: A folder on that disk; it exists.
        needed: Bytes.
        setting: The environment variable that moves the folder, where there is one.

    Raises:
        NoSpaceError: There is less room than needed.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        elsewhere = f", or set {setting} to a folder on another disk" if setting else ""
        raise NoSpaceError(
            f"{folder} needs {needed / 1e6:,.0f} MB, and its disk has {free / 1e6:,.0f} MB left; make room{elsewhere}"
        )
