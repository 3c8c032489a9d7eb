"""Sources by name: ours, and those of other packages beside them."""

import json
import subprocess
import sys

import pytest

from medgraph.errors import UnknownSourceError
from medgraph.loaders import registry
from medgraph.loaders.base import Source
from tests.support.plugins import GOOD


def test_a_source_of_another_package_is_found(installed):
    installed("reg-good", {"reg-good": "reg_good:SOURCE"}, GOOD.format(id="reg-good"))
    assert isinstance(registry.get("reg-good"), Source)
    assert registry.sources().keys() == {*registry.SOURCES, "reg-good"}
    assert "reg-good" not in registry.SOURCES
    assert registry.faults() == []
    with pytest.raises(UnknownSourceError, match=r"no source 'bogus'; known are .*medquad, .*reg-good, .*FILE\.yaml"):
        registry.get("bogus")


def test_the_registry_imports_nothing_heavy():
    heavy = ["yaml", "rapidfuzz", "pyarrow", "curies", "lxml", "rdflib", "numpy", "neo4j", "pandas", "defusedxml"]
    code = f"import sys, json, medgraph.loaders.registry; print(json.dumps([m for m in {heavy} if m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
