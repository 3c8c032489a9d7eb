"""How much memory a process of its own comes to take, or a step of a test."""

import subprocess
import sys
import tracemalloc
from contextlib import contextmanager

PEAK = """
import re, resource, sys
from pathlib import Path

def peak():
    status = Path("/proc/self/status")
    if status.exists():  # what Linux tells of the usage counts in that of the process which started this one
        return int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""


def growth(before, work, *files):
    """Run code, then an expression; give the expression's value, and by how many bytes it raised the peak."""
    code = f"{PEAK}\nfiles = [*map(Path, sys.argv[1:])]\n{before}\nbegin = peak()\nprint({work}, peak() - begin)"
    done = subprocess.run([sys.executable, "-c", code, *files], check=True, capture_output=True, text=True)
    return tuple(map(int, done.stdout.split()))


@contextmanager
def at_most(size):
    """See to it that what Python holds at once meanwhile stays below some bytes."""
    tracemalloc.start()
    try:
        yield
        held = tracemalloc.get_traced_memory()[1]
        assert held < size, held
    finally:
        tracemalloc.stop()
