"""A benchmark that is ended from outside ends, and what it ran ends with it."""

import signal
import subprocess
import sys
import time

import psutil

from tests.support.paths import ROOT

ENDED = """
import signal, sys
sys.path.insert(0, "lab/benchmarks")
signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
import harness
print("begun", flush=True)
harness.run([sys.executable, "-c", "import time; time.sleep(600)"])
"""


def test_ended_from_outside():
    with subprocess.Popen([sys.executable, "-c", ENDED], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        while not (children := psutil.Process(process.pid).children()):
            assert process.poll() is None
        time.sleep(0.5)  # until it waits for what it runs
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(30) == 1
        finally:
            process.kill()
    assert not [child for child in children if child.is_running()]
