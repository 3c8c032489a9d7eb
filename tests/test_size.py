"""The tree does not grow unseen: `docs/size.tsv` has what each figure is at most, and why.

A change that must grow one raises its row by hand, with a reason, and lowers another.
"""

import subprocess
import sys

import pytest

from tests.support.tree import MODULES, ROOT, files, imports, name_of, top

SIZES = ROOT / "docs" / "size.tsv"
ASKED = """
import sys
from medgraph.cli import ask, shared
from medgraph.answers import answerer, assembly
from medgraph.embeddings.encoders import encoder
print(*sorted(module.__file__ for name, module in sys.modules.items() if name.split(".")[0] == "medgraph"), sep="\\n")
"""


def lines(paths):
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def is_lab(path):
    return path.relative_to(ROOT).parts[0] == "lab"


def read(table):
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {name: int(most) for name, most, _ in rows}


@pytest.fixture(scope="module")
def sizes():
    product = [path for path in MODULES if not is_lab(path)]
    rooms = {(top(name_of(path)), top(target)) for path in product if name_of(path) for target, _ in imports(path)}
    listed = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True).stdout
    asked = [path for path in product if str(path) in listed.splitlines()]
    return {
        "lines of the product": lines(product),
        "lines of the lab": lines(path for path in files("*.py") if is_lab(path)),
        "lines of the tests": lines((ROOT / "tests").rglob("*.py")),
        "modules of the product": len(product),
        "modules that ask imports": len(asked),
        "lines that ask imports": lines(asked),
        "arrows between rooms": len({(one, other) for one, other in rooms if one != other}),
    }


def test_nothing_is_larger_than_its_row(sizes):
    most = read(SIZES)
    assert most.keys() == sizes.keys()
    assert {name: f"{size}, at most {most[name]}" for name, size in sizes.items() if size > most[name]} == {}


def test_what_is_counted_is_there(sizes):
    assert all(sizes.values())
    assert sizes["modules that ask imports"] < sizes["modules of the product"]
    assert sizes["lines that ask imports"] < sizes["lines of the product"]
