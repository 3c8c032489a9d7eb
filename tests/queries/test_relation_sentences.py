"""Relations in words: every type has its sentence, with plural and article right."""

import re

import pytest

from medgraph.errors import InputError
from medgraph.queries.relation_sentences import in_sentence, read_sayings, say, saying
from medgraph.schema.vocabulary import RELATION_TYPES, SECTION_TYPES
from tests.support.examples import examples


@pytest.mark.parametrize("relation", RELATION_TYPES)
def test_every_relation_is_said_both_ways_of_one_and_of_several(relation):
    for direction in ("out", "in"):
        kind, sentence = saying(relation, direction, "Disease")
        assert kind in SECTION_TYPES
        for name in ("gout", "kidney stones"):
            for others in (["fever"], ["fever", "rash"]):
                for also in (False, True):
                    text = say(sentence, name, others, also=also)
                    assert re.fullmatch(r"[A-Z][\w ,]+\.", text), text
                    assert {name, *others} <= {name} | {o for o in others if o in text}
                    assert ("also" in text) is also
    assert saying("NOBODY_KNOWS", "out", "Disease") == saying("RELATED_TO", "out", "Disease")


@pytest.mark.parametrize(
    ("relation", "direction", "label", "name", "others", "text"),
    [
        ("HAS_SYMPTOM", "out", "Symptom", "gout", ["fever"], "Symptoms of gout include fever."),
        ("HAS_SYMPTOM", "out", "Symptom", "gout", ["a", "b", "c"], "Symptoms of gout include a, b and c."),
        ("IS_A", "out", "Disease", "kidney stones", ["urolithiasis"], "Kidney stones are a kind of urolithiasis."),
        ("IS_A", "out", "Disease", "diabetes", ["disease"], "Diabetes is a kind of disease."),
        ("CAUSED_BY", "out", "Gene", "gout", ["ABCG2"], "Changes in the gene ABCG2 can cause gout."),
        ("CAUSED_BY", "out", "Gene", "gout", ["A", "B"], "Changes in the genes A and B can cause gout."),
        ("DIAGNOSED_BY", "out", "Test", "gout", ["blood test", "X-ray", "urine test", "MRI scan", "history"],
         "Tests for gout include a blood test, an X-ray, a urine test, an MRI scan and history."),
        ("LOCATED_IN", "out", "Anatomy", "gout", ["joint", "the kidney"],
         "The parts of the body where gout may be found include the joint and the kidney."),
        ("HAS_SIDE_EFFECT", "out", "SideEffect", "aspirin", ["hives"], "Side effects of aspirin include hives."),
    ],
)  # fmt: skip
def test_number_and_article_are_right(relation, direction, label, name, others, text):
    assert say(saying(relation, direction, label)[1], name, others) == text


@pytest.mark.parametrize(("name", "names", "label", "written"), examples("names_without_capitals"))
def test_names_have_no_capitals_of_titles(name, names, label, written):
    assert in_sentence(name, names, label) == written


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("IS_A\tout\t*\tinformation", "there are 4 columns"),
        ("NOPE\tout\t*\tinformation\t{y}.", "there is no relation 'NOPE'"),
        ("IS_A\tup\t*\tinformation\t{y}.", "the direction 'up' is neither out nor in"),
        ("IS_A\tout\t*\tnope\t{y}.", "there is no section type 'nope'"),
        ("IS_A\tout\t*\tinformation\t{x} is {z} of {y}.", "the sentence has '{' where no slot is"),
        ("IS_A\tout\t*\tinformation\tNothing.", "the sentence has no {y}, or does not end"),
        ("IS_A\tout\t*\tinformation\t{y}.\nIS_A\tout\t*\tcauses\t{y}.", "2: it stands twice"),
    ],
)
def test_lines_that_cannot_be_used_are_named(tmp_path, line, message):
    file = tmp_path / "s.tsv"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_sayings(file)
