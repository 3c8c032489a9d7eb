"""The class archive, made before the tests: without it each of their many servers takes twice as long to start."""

import os
import tempfile
import time
from pathlib import Path

from medgraph.server.jars import cached_jars, find_java
from medgraph.server.startup import startup_options
from medgraph.settings import Settings
from tests.support import servers

LONGEST = 180
"""Seconds to wait; a machine that takes longer, or has no room for an archive, is tested without."""


def is_made(own):
    """Tell whether a server with these settings starts from an archive."""
    jars = cached_jars(own.cache)
    return jars is not None and "SharedArchiveFile" in " ".join(
        startup_options(own.cache, find_java(own.java), jars, own.home)
    )


def make():
    """Start a server, which notes its classes, and stop it, which makes the archive; nothing where there is one."""
    os.environ.setdefault("JDK_JAVA_OPTIONS", servers.JAVA)
    usual = Settings.from_environment()
    with tempfile.TemporaryDirectory() as folder:
        own = servers.at(usual, Path(folder), heap="500m", page_cache="64m")
        if is_made(own):
            return
        with servers.started(own):
            pass
        deadline = time.monotonic() + LONGEST
        while not is_made(own) and time.monotonic() < deadline:
            time.sleep(0.5)


if __name__ == "__main__":
    make()
