"""Training the model of roles: what is learned from labelled mentions and pairs, and tables that are refused."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.training import roles

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
    assert {(role, *one.roles) for one, (role, _) in zip(examples, model.tell([(one.label, one.features) for one in examples]), strict=True)} == {
        ("treats", "treats"), ("avoided", "avoided"),
    }  # fmt: skip
    assert (figures["treats"]["labelled"], figures["treats"]["right"]) == (6, 6)
    assert "24 labelled mentions" in roles.card(figures, examples, [])


def test_rules_overrule_what_they_know(labelled):
    first, second = roles.read_labelled(labelled)[:2]
    assert "treats" in second.overruled
    assert not first.overruled


@pytest.mark.parametrize(
    "line",
    [
        "dev\ta#1",
        "dev\ta#1\t0\ttreatment\tDrug\tcures\t\t\t[[@d aspirin]]",
        "dev\ta#1\t0\ttreatment\tDrug\ttreats\t\t\taspirin",
    ],
)
def test_what_is_no_labelled_mention_is_named_with_its_line(tmp_path, line):
    path = tmp_path / "labelled.tsv"
    path.write_text(f"{HEAD}{line}\n", encoding="utf-8")
    with pytest.raises(SourceFileError, match="labelled.tsv:2: is no labelled mention"):
        roles.read_labelled(path)
