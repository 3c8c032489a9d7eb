"""Imports without what nothing here needs."""

import subprocess
import sys

import pytest

from medgraph.graph.imports import absent

UNREACHABLE = """
import sys
from medgraph.embeddings.encoders.bert import openvino
from medgraph.errors import DatabaseUnavailableError
from medgraph.graph.connect import connect
from medgraph.settings import Settings

openvino()
try:
    connect(Settings.from_environment({"NEO4J_URI": "bolt://127.0.0.1:1"}))
except DatabaseUnavailableError:
    print(*sorted({"neo4j", "openvino", "pandas", "pyarrow", "openvino.tools.ovc"} & sys.modules.keys()))
"""

TERMS = """
import sys
from medgraph.linking.terms import find_terms

text = "Symptoms include\\n\\n- silvery scales"
found = find_terms({"type": "symptoms", "title": "Psoriasis", "text": text}, [(0, len(text))], ())
print(*(term.name for term in found), *sorted({"nltk", "pandas", "scipy", "sklearn"} & sys.modules.keys()), sep=", ")
"""


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_what_is_absent_cannot_be_imported_meanwhile_and_what_was_imported_stays():
    assert "wave" not in sys.modules
    with absent("wave", "sys"):
        with pytest.raises(ImportError):
            import wave
        assert sys.modules["sys"] is sys
    import wave

    assert wave.open


def test_the_driver_and_openvino_come_without_their_optional_parts():
    assert run(UNREACHABLE) == "neo4j openvino"


def test_terms_are_tagged_without_what_nltk_imports_if_it_can():
    assert run(TERMS) == "silvery scales, nltk"
