"""What is fastest is measured, kept, and something that works, whatever the processor lacks."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from medgraph.embeddings.encoders import precision
from medgraph.embeddings.encoders.precision import KEPT, Measured, fastest
from medgraph.settings import Settings
from tests.support.models import EXPECTED, REFERENCE, cosines


@pytest.fixture(scope="module")
def cache(folder, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache") / "new"
    fastest(folder, cache)
    return cache


def test_it_is_measured_once(folder, cache):
    found = fastest(folder, cache)
    assert found.precision in found.milliseconds
    assert "f32" in found.milliseconds, "every processor has it"
    assert min(found.milliseconds.values()) > 0
    assert found.milliseconds[found.precision] <= found.milliseconds["f32"]
    rows = json.loads((cache / KEPT).read_text())
    (key,) = rows
    rows[key]["milliseconds"]["f32"] = 12345.0
    (cache / KEPT).write_text(json.dumps(rows))
    assert "f32 12345.0" in fastest(folder, cache).summary()


@pytest.mark.parametrize("text", ["", "[]", '{"KEY": 3}', '{"KEY": {"precision": "f8", "milliseconds": {"f8": 1}}}'])
def test_what_cannot_be_read_is_measured_anew(folder, tmp_path, monkeypatch, text):
    found = Measured("f32", {"f32": 1.0})
    monkeypatch.setattr(precision, "measure", lambda folder: found)
    (tmp_path / KEPT).write_text(text.replace("KEY", precision._key(folder)))
    assert fastest(folder, tmp_path) == found
    assert json.loads((tmp_path / KEPT).read_text())[precision._key(folder)]["precision"] == "f32"


def test_a_cache_that_cannot_be_written_is_no_error(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(precision, "measure", lambda folder: Measured("f32", {"f32": 1.0}))
    (tmp_path / "file").touch()
    assert fastest(folder, tmp_path / "file").precision == "f32"


def test_where_the_processor_has_avx2_alone(tmp_path):
    """Models of less precision could not be built there, and nothing was encoded."""
    code = (
        "import json, sys\nfrom medgraph.settings import Settings\n"
        "from medgraph.embeddings.encoders.encoder import load_encoder\n"
        "print(json.dumps(load_encoder(Settings.from_environment()).encode(json.load(sys.stdin)).tolist()))\n"
    )
    environment = os.environ | {
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MEDGRAPH_CACHE": str(Settings.from_environment().cache),
        "MEDGRAPH_HOME": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        input=json.dumps(REFERENCE["texts"]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert cosines(np.array(json.loads(done.stdout)), EXPECTED).min() >= 0.995
