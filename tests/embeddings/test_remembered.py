"""The memory of the tests' models gives what the model gives, and asks it only for what is new."""

from types import SimpleNamespace

import numpy as np

from tests.support.remembered import Memory, Remembered

TEXTS = ["Gout hurts.", "Ice helps.", "Gout hurts.", "\ud800 broken", ""]
SILENT = SimpleNamespace(encode=None, encode_questions=None, describe=None)


def test_what_is_remembered_is_what_the_model_gives(encoder, sentence_reader, tmp_path):
    for name, model, calls in (
        ("encoder", encoder, ("encode", "encode_questions")),
        ("reader", sentence_reader, ("describe",)),
    ):
        for call in calls:
            given = ("How is gout treated?",) if call == "describe" else ()
            first = getattr(Remembered(model, name, Memory(tmp_path)), call)(*given, TEXTS)
            again = getattr(Remembered(SILENT, name, Memory(tmp_path)), call)
            np.testing.assert_allclose(first, getattr(model, call)(*given, TEXTS), atol=1e-5)
            np.testing.assert_array_equal(again(*given, TEXTS[::-1]), first[::-1])


def test_each_model_question_and_code_has_a_memory_of_its_own(encoder, counting, tmp_path, monkeypatch):
    memory = Memory(tmp_path)
    for name in ("one", "other", "one"):
        Remembered(counting, name, memory).encode(TEXTS[:1])
    assert counting.texts == TEXTS[:1] * 2
    assert len(list(tmp_path.glob("*.vectors"))) == 1
    monkeypatch.setattr("tests.support.remembered.version", lambda name: "another")
    Memory(tmp_path)
    assert len(list(tmp_path.glob("*.vectors"))) == 2
