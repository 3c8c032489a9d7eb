"""What is kept from one run of the tests to the next, so that servers start sooner and do less (`archive` makes it)."""

import hashlib
import os
import re
import shutil

from medgraph.server.jars import cached_jars, find_java
from medgraph.server.process import JAVA_OPTIONS
from medgraph.settings import Settings
from tests.support.paths import ROOT
from tests.support.schemas import ENCODER

JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options by which Java compiles once and collects its garbage without threads."""


def use():
    """Let servers use the cache if there is one, and compile and collect their garbage as servers of tests do."""
    os.environ.setdefault("JDK_JAVA_OPTIONS", " ".join([JAVA, *options()]))


def options():
    """Options by which Java uses the cache; none where it is missing."""
    file = place("aot")
    return [f"-XX:AOTCache={file}", "-Xlog:aot*=off", "-Xlog:cds*=off"] if file and file.exists() else []


def furnish(own):
    """Put the home into a server's folder that is not there yet."""
    made = place("home")
    if made and made.exists() and not own.home.joinpath("neo4j").exists():
        own.home.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, own.home / "neo4j")


def place(kind):
    """The cache or the home for these jars, this Java and this schema; None where the jars are not there yet."""
    settings = Settings.from_environment()
    if (jars := cached_jars(settings.cache)) is None:
        return None
    parts = [release(), JAVA, *JAVA_OPTIONS, *map(str, jars), *ENCODER]
    parts += [file.read_text(encoding="utf-8") for file in sorted((ROOT / "schema").glob("V*.cypher"))]
    return settings.cache / f"tests-{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}.{kind}"


def can_record():
    """Tell whether Java makes such a cache, as it does from 25 on."""
    found = re.search(r'JAVA_VERSION="(\d+)', release())
    return found is not None and int(found[1]) >= 25


def release():
    """What Java says of itself."""
    file = find_java(Settings.from_environment().java).resolve().parent.parent / "release"
    return file.read_text(encoding="utf-8") if file.exists() else ""
