"""A class archive that lets the server start in less time.

Java spends most of a start on reading and verifying some 30,000 classes. While there is no archive, the server
notes which classes it uses; once it has stopped, a process in the background, at the lowest priority, makes the
archive from that list. Later starts map it. Java itself ignores an archive that does not fit.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

from .conf import JAVA_OPTIONS, class_path_argument
from .jars import cached_jars, find_java
from .process import clean_environment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_BYTES = 400 << 20
# A server that came up notes 3 MB; one that did not would make a poor archive for all later ones.
_LEAST_NOTES = 2 << 20
_OTHER_ARCHIVE = re.compile(r"-XX:(?:AOT|SharedArchiveFile)")
_MAKE = (
    'list=$1 archive=$2; shift 2; "$@" -XX:SharedArchiveFile="$archive.making" && mv "$archive.making" "$archive"; '
    'rm -f "$archive.making" "$list"'
)


def startup_options(cache: Path, java: Path, jars: Sequence[Path], home: Path) -> list[str]:
    """Choose the options that make this start, or a later one, fast.

    Args:
        cache: The cache folder; the archive is kept there.
        java: The `java` program.

    Returns:
        Options for `java`; none where its user has told it of an archive, as Java refuses to take two.
    """
    if _OTHER_ARCHIVE.search(os.environ.get("JDK_JAVA_OPTIONS", "")):
        return []
    archive, classes = _archive(cache, java, jars), _classes(home)
    if archive.exists():
        return [f"-XX:SharedArchiveFile={archive}"]
    if _is_noted(classes):
        make_archive(cache, java, jars, home)
        return []
    return [f"-XX:DumpLoadedClassList={classes}"]


def use_notes(cache: Path, java: Path | None, home: Path) -> None:
    """Make the archive of a server that was stopped, unless its jars are gone.

    Args:
        java: The Java of the settings; None for the packaged one.

    Raises:
        EmbeddedServerError: There is no Java.
    """
    jars = cached_jars(cache)
    if jars is not None:
        make_archive(cache, find_java(java), jars, home)


def make_archive(cache: Path, java: Path, jars: Sequence[Path], home: Path) -> None:
    """Make the archive in the background, if a server has noted its classes and there is none yet.

    Args:
        java: The `java` program.
        home: The folder of a server that has run.
    """
    archive, classes = _archive(cache, java, jars), _classes(home)
    if archive.exists() or not _is_noted(classes) or shutil.disk_usage(cache).free < _BYTES:
        return
    with archive.with_suffix(".lock").open("a", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        class_path = class_path_argument(jars, archive.with_suffix(".class-path"))
        java_command: list[str | Path] = [
            java,
            "-Xshare:dump",
            f"-XX:SharedClassListFile={classes}",
            *JAVA_OPTIONS,
            class_path,
        ]
        # The child inherits the lock, and holds it until it ends.
        maker = subprocess.Popen(  # noqa: S603
            ["/bin/sh", "-c", _MAKE, "sh", classes, archive, "nice", "-n", "19", *java_command],
            env=clean_environment(),
            cwd=cache,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(lock.fileno(),),
        )
    maker.returncode = 0  # it is meant to run on


def _classes(home: Path) -> Path:
    return home / "run" / "classes"


def _is_noted(classes: Path) -> bool:
    return classes.exists() and classes.stat().st_size >= _LEAST_NOTES


def _archive(cache: Path, java: Path, jars: Sequence[Path]) -> Path:
    release = java.resolve().parent.parent / "release"
    parts = [str(java), release.read_text(encoding="utf-8") if release.exists() else "", *JAVA_OPTIONS]
    parts += [f"{jar} {jar.stat().st_size} {jar.stat().st_mtime_ns}" for jar in jars]
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return cache / f"neo4j-startup-{key}.jsa"
