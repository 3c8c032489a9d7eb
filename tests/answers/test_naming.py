"""What a question names."""

from medgraph.answers.naming import forms_of, is_about, stems_of, telling_of, things_of
from tests.support.asked import question, section


def test_names_that_touch_are_of_one_thing():
    touching = question("How is pelizaeus-merzbacher leukodystrophy treated?", "pelizaeus-merzbacher", "leukodystrophy")
    assert [[one.surface for one in thing] for thing in things_of(touching)] == [
        ["pelizaeus-merzbacher", "leukodystrophy"]
    ]
    assert len(things_of(question("Can aspirin cause gout?", "gout", "aspirin"))) == 2


def test_words_that_tell_what_is_named_are_not_those_of_every_name():
    asked = question("How is wilson disease type 2 treated, and gout?", "wilson disease type 2", "gout")
    assert telling_of(asked) == {"wilson", "gout"}
    assert telling_of(question("How are feet treated?")) == frozenset()


def test_a_mention_is_looked_for_by_its_names_and_by_what_it_is():
    (gout,) = question("What is gout?", "gout").about
    assert stems_of(gout) == [["gout"]]
    assert is_about(gout, section(entities=["gout"]))
    assert is_about(gout, section(concepts=["C-gout"]))
    assert not is_about(gout, section())


def test_words_that_make_a_form_another_thing():
    assert forms_of("Juvenile idiopathic arthritis") == {"juvenile"}
    assert forms_of("benign recurrent intrahepatic cholestasis") == {"benign"}
    assert forms_of("Rheumatoid arthritis") == frozenset()
