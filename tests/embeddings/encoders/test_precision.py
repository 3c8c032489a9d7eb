"""In what models compute follows from the processor's features and one setting, and is the same each time."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.encoders import bert
from medgraph.embeddings.encoders.bert import precision_of, usable_precisions
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.errors import SettingsError
from tests.support.models import EXPECTED, REFERENCE, cosines

PROCESSORS = {
    "unknown, or not x86": ("", ["f32"]),
    "AVX2": ("avx avx2 fma", ["f32"]),
    "AVX2 with VNNI": ("avx avx2 avx_vnni", ["int8", "f32"]),
    "AVX-512 without VNNI": ("avx2 avx512f avx512bw avx512vl avx512dq", ["f32"]),
    "AVX-512 with VNNI": ("avx2 avx512f avx512_vnni", ["int8", "f32"]),
    "AVX-512 with bf16": ("avx2 avx512f avx512_vnni avx512_bf16", ["int8", "bf16", "f32"]),
    "AMX": ("avx2 avx_vnni avx512f avx512_vnni avx512_bf16 amx_bf16 amx_int8", ["bf16", "int8", "f32"]),
}


def has(monkeypatch, features, limit=""):
    monkeypatch.setattr(bert, "_features", lambda: frozenset(features.split()))
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", limit)


@pytest.mark.parametrize("name", PROCESSORS)
def test_what_processors_compute_in(name, settings, monkeypatch):
    features, expected = PROCESSORS[name]
    has(monkeypatch, features)
    assert list(usable_precisions()) == expected
    assert precision_of(replace(settings, precision="auto")) == expected[0]


def test_what_is_asked_for_is_used_or_refused(settings, monkeypatch):
    has(monkeypatch, PROCESSORS["AVX-512 with VNNI"][0])
    assert precision_of(replace(settings, precision="f32")) == "f32"
    with pytest.raises(SettingsError, match=r"MEDGRAPH_PRECISION is 'bf16', which .* set it to auto or int8 or f32"):
        precision_of(replace(settings, precision="bf16"))


@pytest.mark.thorough
@pytest.mark.parametrize("chosen", usable_precisions())
def test_each_load_gives_the_same_vectors(settings, chosen):
    loaded = [load_encoder(replace(settings, precision=chosen)) for _ in range(2)]
    assert [one.precision for one in loaded] == [chosen] * 2
    first, second = (one.encode(REFERENCE["texts"]) for one in loaded)
    np.testing.assert_array_equal(first, second)


@pytest.mark.thorough
@pytest.mark.parametrize("limit", ["AVX2", "AVX2_VNNI", "AVX512_CORE", "AVX512_CORE_VNNI", "AVX512_CORE_BF16"])
def test_models_can_be_built_whatever_the_processor_lacks(settings, limit):
    """With less than the processor has, OpenVINO refuses some models, and computes nothing with others."""
    code = (
        "import json, sys\nfrom medgraph.settings import Settings\n"
        "from medgraph.embeddings.encoders.encoder import load_encoder\n"
        "print(json.dumps(load_encoder(Settings.from_environment()).encode(json.load(sys.stdin)).tolist()))\n"
    )
    environment = os.environ | {"ONEDNN_MAX_CPU_ISA": limit, "MEDGRAPH_PRECISION": "auto"}
    environment |= {"MEDGRAPH_CACHE": str(settings.cache), "MEDGRAPH_HOME": str(settings.home)}
    command = [sys.executable, "-c", code]
    told = json.dumps(REFERENCE["texts"])
    done = subprocess.run(command, env=environment, input=told, capture_output=True, text=True, check=True)
    assert cosines(np.array(json.loads(done.stdout)), EXPECTED).min() >= 0.995
