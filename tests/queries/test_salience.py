"""What matters in a message: features of words, the model as a file, and what the package's own makes of messages."""

import pytest

from medgraph.queries.entities import Mention
from medgraph.queries.message import parts_of
from medgraph.queries.salience import (
    FEATURES,
    FILE,
    LEAST_SEEN,
    SalienceModel,
    features_of,
    model,
    name_stem,
    read,
    stem,
    write,
)

GOUT = Mention("x:gout", "Disease", "Gout", "Gout", "gout", 1.0, (), 3)
TOE = Mention("x:toe", "Anatomy", "toe", "toe", "toe", 1.0, (), 0)


def features(text, *mentions):
    return features_of(parts_of(text), mentions)


def test_features_say_where_a_word_stands_and_what_it_is():
    found = features("Gout. My TOE hurts, says Paul. Is gout bad for B12?", GOUT, TOE)
    assert set(found) == {"gout", "toe", "hurts", "says", "paul", "bad", "b12"}
    assert {name for name in ("heading", "asks", "condition", "repeated") if found["gout"].get(name)} == {
        "heading", "asks", "condition", "repeated",
    }  # fmt: skip
    assert found["gout"]["position"] == 0 < found["toe"]["position"] < found["b12"]["position"] < 1
    assert found["toe"]["anatomy"] == found["toe"]["first"] == found["toe"]["before asking"] == 1
    assert "no name" not in found["toe"]
    assert found["paul"]["no name"] == found["paul"]["capital"] == 1
    assert found["b12"]["digits"] == found["b12"]["short"] == found["b12"]["asks only"] == 1
    assert set().union(*found.values()) <= set(FEATURES)


def test_forms_of_a_word_share_a_stem():
    assert {stem(word) for word in ("Treatment", "treatments", "treatment's", "treatment\u2019s")} == {"treatme"}
    assert stem("gas") == "gas"


@pytest.mark.parametrize(
    ("name", "form", "other"),
    [
        ("endometriosis", "endometriosis", "endometrial"),
        ("pancreatitis", "pancreatitis", "pancreatic"),
        ("thrombosis", "thromboses", "thrombocythemia"),
        ("allergies", "allergic", "alligator"),
        ("stones", "stone", "store"),
    ],
)
def test_a_word_of_a_name_keeps_what_tells_it_from_others(name, form, other):
    assert form.startswith(name_stem(name))
    assert not other.startswith(name_stem(name))


def test_what_was_often_kept_matters_more_and_little_evidence_counts_little():
    given = SalienceModel({"kept": 1.0}, 0.1, {"often": 100, "once": 1, "never": 100}, {"often": 90, "once": 1})
    assert given.prior("often") > given.prior("once") > given.prior("unseen") == 0 > given.prior("never")
    assert given.prior("once", without=True) == 0
    salience = given.salience({"often": {}, "never": {}})
    assert 0 < salience["never"] < 0.5 < salience["often"] < 1


def test_a_model_is_a_table_that_is_read_as_it_was_written(tmp_path):
    weights = {name: round(number / 8, 3) for number, name in enumerate(FEATURES)}
    given = SalienceModel(weights, 0.125, {"gout": 5, "toe": LEAST_SEEN, "rare": LEAST_SEEN - 1}, {"gout": 4})
    write(given, tmp_path / "model.tsv", "by hand")
    lines = (tmp_path / "model.tsv").read_text().splitlines()
    assert lines[0] == "# by hand"
    assert "word\tgout\t5\t4" in lines
    again = read(tmp_path / "model.tsv")
    assert (again.weights, again.average) == (weights, 0.125)
    assert (again.seen, again.kept) == ({"gout": 5, "toe": LEAST_SEEN}, {"gout": 4, "toe": 0})


def test_the_packages_model_has_every_feature_and_says_what_made_it():
    assert set(model().weights) == set(FEATURES)
    assert "medgraph evaluate messages" in FILE.read_text(encoding="utf-8").splitlines()[0]
    assert 0 < model().average < 0.5
    assert all(model().kept[name] <= count for name, count in model().seen.items())


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("SUBJECT: gout\nMESSAGE: I went to the hospital in March with my brother. What helps against gout?", "gout"),
        ("Hello, I am 45 and live with my wife. I need information on gout. Thank you", "gout"),
    ],
)
def test_what_is_asked_about_matters_most(text, most):
    found = model().salience(features(text, GOUT))
    told = [found[word] for word in ("hospital", "brother", "march", "wife", "live", "went", "thank") if word in found]
    assert found[most] > max(told)
    assert found[most] > 2 * sum(told) / len(told)
