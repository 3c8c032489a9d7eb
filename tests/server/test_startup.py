"""The class archive for faster starts: when it is noted, made and used. A stand-in for Java keeps this short."""

import time

import pytest

from medgraph.server import lifecycle

ENOUGH = b"x" * (3 << 20)


@pytest.fixture
def java(tmp_path):
    """A program that takes a moment, counts its runs, and writes the archive that it is asked for."""
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\n"
        f"echo run >> '{tmp_path}/runs'\n"
        "sleep 0.3\n"
        'for option; do case $option in -XX:SharedArchiveFile=*) echo archive > "${option#*=}";; esac; done\n'
    )
    program.chmod(0o755)
    return program


@pytest.fixture
def jars(tmp_path):
    jar = tmp_path / "one.jar"
    jar.write_bytes(b"jar")
    return [jar]


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home" / "run").mkdir(parents=True)
    return tmp_path / "home"


def wait_until_made(tmp_path, home):
    while (home / "run" / "classes").exists():
        time.sleep(0.02)
    return list(tmp_path.glob("*.jsa"))


def test_archive_is_noted_made_once_and_used_from_then_on(tmp_path, java, jars, home):
    given = (tmp_path, java, jars, home)
    notes = home / "run" / "classes"
    assert lifecycle.startup_options(*given) == [f"-XX:DumpLoadedClassList={notes}"]
    notes.write_bytes(ENOUGH)
    lifecycle.make_archive(*given)
    assert lifecycle.startup_options(*given) == [], "two processes make one archive"
    (archive,) = wait_until_made(tmp_path, home)
    assert lifecycle.startup_options(*given) == [f"-XX:SharedArchiveFile={archive}"]
    assert (tmp_path / "runs").read_text() == "run\n"
    assert not list(tmp_path.glob("*.making"))


@pytest.fixture(autouse=True)
def options(monkeypatch):
    """Java's options as users have them."""
    monkeypatch.delenv("JDK_JAVA_OPTIONS", raising=False)
