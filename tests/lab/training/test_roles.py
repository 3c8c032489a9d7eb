"""Training the model of roles: what is learned from labelled mentions and pairs, and tables that are refused."""

import pytest

from medgraph.errors import SourceFileError
from medgraph_lab.training import roles

HEAD = "\t".join(roles.COLUMNS) + "\n"
LINES = {
    "treats": "It is treated with [[@d aspirin]].",
    "avoided": "You must avoid [[@d aspirin]].",
}


@pytest.fixture
def labelled(tmp_path):
    path = tmp_path / "labelled.tsv"
    rows = [
        (part, f"a:{number}#1", "0", "treatment", "Drug", role, "", "", sentence)
        for part in ("train", "dev")
        for number in range(6)
        for role, sentence in LINES.items()
    ]
    path.write_text(HEAD + "".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_model_learns_roles_and_is_measured_on_the_set_dev(labelled):
    examples = roles.read_labelled(labelled)
    model, figures = roles.train(examples, [])
    told = model.tell([(one.label, one.features) for one in examples])
    assert [{role} for role, _ in told] == [one.roles for one in examples]
    assert (figures["treats"]["labelled"], figures["treats"]["right"]) == (6, 6)
    assert "24 labelled mentions" in roles.card(figures, examples, [])


@pytest.mark.parametrize(
    "cells",
    [
        ("dev", "a#1"),
        ("dev", "a#1", "0", "treatment", "Drug", "cures", "", "", "[[@d aspirin]]"),
        ("dev", "a#1", "0", "treatment", "Drug", "treats", "", "", "aspirin"),
    ],
)
def test_what_is_no_labelled_mention_is_named_with_its_line(tmp_path, cells):
    path = tmp_path / "labelled.tsv"
    path.write_text(HEAD + "\t".join(cells), encoding="utf-8")
    with pytest.raises(SourceFileError, match=r"labelled.tsv:2: is no labelled mention"):
        roles.read_labelled(path)
