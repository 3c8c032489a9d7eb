"""How patients ask, learned from pages and messages: patterns of several pages, and no sentence of a message."""

import pytest

from medgraph.errors import InputError
from medgraph.evaluation.messages import Message
from medgraph.linking.names import names_in_use
from medgraph.queries import patients as model
from medgraph.queries.frames import read_frames
from medgraph.training import patients

ASKED = [
    Message(
        f"m{place}", f"Hello. I have had pain for {place} years. Is there any new pill for Mirkwood palsy? Thanks.", "x"
    )
    for place in range(30)
] + [Message("alone", "Would an entirely private remark be written down by you?", "x")]


def test_wordings_are_those_of_several_pages_of_one_half_with_verbs_by_number():
    rows = [
        {"text": f"What is (are) {name} ?", "type": "information", "label": "Disease", "names": [name]}
        for name in (f"Disease {place}" for place in range(100))
    ]
    rows += [{"text": "Is Gout bad ?", "type": "information", "label": "Disease", "names": ["Gout"]}]
    (frame,) = [one for one in patients._frames(patients._posed(rows)) if one.origin == "medquad"]
    assert (frame.kind, frame.about, frame.text) == ("information", "condition", "What <is|are> {x}?")
    assert 20 <= frame.times <= 80


def test_what_is_learned_is_written_as_it_is_read_and_holds_no_sentence(medquad_graph, settings, tmp_path):
    linker, _ = names_in_use(settings, medquad_graph)
    card = patients.write_files(medquad_graph, lambda: linker, ASKED, tmp_path / "learned")
    assert (card["messages"], card["questions of messages"]) == (31, 31)
    assert {frame.origin for frame in read_frames(tmp_path / "learned" / "frames.tsv")} >= {"everyday"}
    text = (tmp_path / "learned" / "patients.tsv").read_text(encoding="utf-8")
    assert "private" not in text
    learned = model.read(tmp_path / "learned" / "patients.tsv")
    assert learned.seen["wording"]["is there"][0] == 30


def test_too_little_is_refused(medquad_graph, settings):
    linker, _ = names_in_use(settings, medquad_graph)
    with pytest.raises(InputError, match="1 questions of messages are too few to learn from"):
        patients.learn(medquad_graph, lambda: linker, ASKED[:1])
