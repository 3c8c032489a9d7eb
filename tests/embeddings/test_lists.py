"""Lists in running text, with what announces them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.embeddings.items import MAX_BRIEF, MAX_LIST, brief, itemized
from medgraph.embeddings.lists import MAX_PARAGRAPHS, with_lists


def parts(text):
    return [(text[start:end], is_list) for start, end, is_list in with_lists(text)]


def lists(text):
    return [part for part, is_list in parts(text) if is_list]


FLAT = "Symptoms include: - Fever - Chills and sweats - Sore throat"


@pytest.mark.parametrize(
    "behind",
    [
        "When to see a doctor Most people get well at home.",
        "If it gets worse, the doctor will test it.",
        "Call your provider if it lasts.",
        "Other symptoms may include: - Cough - Headache",
        "Tests that are commonly done are: - Bilirubin - Sickle cell test",
        "When people with Lyme disease get worse, tests are: - Bilirubin - Sickle cell test",
    ],
)
def test_a_list_that_was_flattened_ends_where_another_sentence_was_stuck_to_it(behind):
    assert parts(f"It hurts. {FLAT} {behind}")[:2] == [("It hurts.", False), (FLAT, True)]
    assert parts(f"It hurts. {FLAT} {behind}")[2][0] == behind


def test_what_only_looks_stuck_to_a_list_is_of_it():
    for text in (
        "It may be one of these: - Infection with Lyme disease - Crohn's disease.",
        "It may be one of these: - A tick bite - Infection with Lyme disease.",
        "It may be treated by: - Surgery - Treatment with more than one drug",
        "See a doctor if it hurts: - After meals - Fever If severe - At night.",
    ):
        assert parts(text) == [(text, True)]


def test_a_sentence_that_is_the_last_item_is_none_unless_all_are_sentences():
    text = "Five types are used: - Surgery - Radiation - Treatment may cause side effects. - Patients may want to wait."
    assert [part for part, _ in parts(text)] == [
        "Five types are used: - Surgery - Radiation",
        "Treatment may cause side effects.",
        "Patients may want to wait.",
    ]
    text = "Call the doctor if: - You feel faint all day long - You bleed for a long time."
    assert parts(text) == [(text, True)]


def test_items_with_full_stops_are_kept_together_with_what_explains_them():
    text = (
        "The tests may include: - A neurological exam. Your doctor may test how you move. - Blood tests. A sample is "
        "taken. The end is near."
    )
    assert [part for part, _ in parts(text)] == [
        "The tests may include: - A neurological exam. Your doctor may test how you move. - Blood tests. A sample is "
        "taken.",
        "The end is near.",
    ]
    text = "Treatment includes the following:\n\n- Surgery.\n- Radiation alone.\n- rest in bed\n\nGout hurts. It stays."
    assert lists(text) == ["Treatment includes the following:\n\n- Surgery.\n- Radiation alone.\n- rest in bed"]


@pytest.mark.parametrize(
    "between", ["One. Two. Three. Four.", "Gout hurts.\n\nIt stays.", "Drugs may help, such as: - Aspirin."]
)
def test_items_of_another_list_are_not_of_it(between):
    (first, *_) = lists(f"The tests may include: - An exam. {between} - Blood tests. And so on.")
    assert first == "The tests may include: - An exam."


def test_a_long_list_is_cut_between_items():
    for text in ("It includes: " + "- a sign of gout " * 60, "It includes:" + "\n- a sign of gout" * 60):
        (found,) = lists(text)
        assert MAX_LIST - 20 < len(found) <= MAX_LIST
        assert found.endswith("- a sign of gout")


def test_a_list_without_marks_is_taken_as_far_as_it_fits():
    text = "Symptoms include:\n\nFever.\n\nChills."
    assert parts(text) == [(text, True)]
    text += "\n\nAnd one more that is rather long." * 20
    (found,) = lists(text)
    assert MAX_PARAGRAPHS - 40 < len(found) <= MAX_PARAGRAPHS
    assert lists("Symptoms include:\n\nFever") == []


def test_text_without_lists_is_its_sentences():
    assert parts("Gout hurts. - It is a disease.") == [("Gout hurts.", False), ("It is a disease.", False)]
    assert parts("") == []


def test_the_last_item_comes_with_what_explains_it_or_not_at_all():
    told = (
        "Hernias can cause:\n- Incarceration. Part of the bowel is stuck in the groin.\n- Strangulation. No blood "
        "comes to it."
    )
    assert parts(f"{told} Call a doctor at once.") == [(told, True), ("Call a doctor at once.", False)]
    long = told.replace("No blood", f"When {'this takes long ' * 40}no blood")
    assert lists(long) == [told[: told.index("\n- Strang")]]
    apart = told.replace(". No blood", ".\n\nNo blood")
    assert lists(apart) == [told[: told.index("\n- Strang")]]
    named = told.replace("Strangulation.", "a part of it that has become cut off from all blood.")
    assert lists(named.replace(". No blood", ".\n\nNo blood"))[0].endswith("cut off from all blood.")


def test_the_heading_of_what_follows_is_no_item():
    drugs = "Oral medications may include\n- vitamin E\n- tamoxifen\n- colchicine"
    assert lists(f"{drugs}\n- Injections. They are given into the plaque.") == [drugs]
    assert lists(f"{drugs}\n- IV drugs\n- Injections. They are given.") == [f"{drugs}\n- IV drugs"]
    assert lists(f"{drugs}\n- aspirin. They are given.") == [f"{drugs}\n- aspirin."]


def test_sentences_are_parted_where_a_blank_was_lost_or_a_note_stands():
    assert [part for part, _ in parts("It affects one in 4,000 babies.1 This may be low.2,3")] == [
        "It affects one in 4,000 babies.",
        "This may be low.",
    ]
    assert [part for part, _ in parts("Lumps can be felt.Other signs may be seen.")] == [
        "Lumps can be felt.",
        "Other signs may be seen.",
    ]
    for whole in ("Take .5 mg of it.", "See Cancer.Net for more.", "Visit www.Smokefree.gov now.", "It has 2.5 Mb."):
        assert parts(whole) == [(whole, False)]


@pytest.mark.parametrize("word", ["include", "including", "are", "involve"])
def test_a_list_behind_a_word_is_quoted_without_a_full_stop(word):
    text = f"Symptoms of gout {word} - Swollen joints of the foot - Fever - Pain at night"
    assert parts(f"{text} Most people get well.") == [(text, True), ("Most people get well.", False)]
    assert parts("What they are - and why - is told.") == [("What they are - and why - is told.", True)]


def test_what_a_list_says_twice_is_left_out_with_its_marks_or_behind_it():
    told = "The causes include - a cold in the winter - nasal polyps - old age."
    again = "a cold in the winter nasal polyps old age."
    assert lists(f"{told} {again}") == [told]
    assert lists(f"{told} {again} If you think so, see a doctor.") == [told]
    marks = told.replace("nasal polyps", "a cold in the winter")
    assert lists(marks) == [marks]


def test_a_sentence_begins_at_the_following_where_a_full_stop_was_lost():
    assert [part for part, _ in parts("Ask what is best for you The following types of exercise help. Rest.")] == [
        "Ask what is best for you",
        "The following types of exercise help.",
        "Rest.",
    ]


def test_the_number_of_a_source_parts_sentences():
    assert [part for part, _ in parts("There is no cure.[5665] Treatment helps.[12]Rest [3] does, too.")] == [
        "There is no cure.",
        "Treatment helps.",
        "Rest [3] does, too.",
    ]


def test_a_label_whose_explanation_does_not_fit_is_left_out_of_a_list_without_marks():
    told = "After a stroke there may be:\n\nBlood clots are seen. You cannot move for a long time.\n\nBad swallowing."
    text = f"{told} {'They lead to pneumonia ' * 20}."
    assert lists(text) == [told[: told.index("\n\nBad")]]
    assert lists(f"{told}\n\nThey lead to pneumonia.") == [f"{told}\n\nThey lead to pneumonia."]
    assert lists(f"{told}\n\nOther Problems\n\nThey lead to pneumonia.") == [told]


def test_a_sentence_behind_labels_is_no_item_of_theirs():
    told = "Three types of treatment are used:\n- Surgery\n- Radiation therapy\n- Chemotherapy"
    behind = "New types of treatment are being tested in trials."
    assert lists(f"{told}\n- {behind}") == [told]
    whole = f"{told}\n- Drugs for people who have had it before."
    assert lists(whole) == [whole]


LONG = 40 * "It is explained in so many words. "


def explained(*items, sentences_each=3):
    told = "It is explained at quite some length, so that three such sentences of it are long. " * sentences_each
    return "".join(f"\n- {item} {told}" for item in items)


def test_a_list_too_long_to_quote_is_kept_whole_and_said_in_brief():
    text = f"Two ways to treat it are:{explained('Rest.', 'Surgery: a cut.', sentences_each=5)}\n- Nothing at all."
    ((found, is_list), *_) = parts(text)
    assert is_list
    assert len(found) > MAX_LIST
    assert brief(found) == "Two ways to treat it are: - Rest. - Surgery: a cut. - Nothing at all."


def test_where_first_sentences_are_too_long_what_names_each_is_said():
    items = [f"{name}: A procedure {'that goes on and on ' * 12}to its end." for name in ("Biopsy", "CT scan", "X-ray")]
    text = "Tests include:" + "".join(f"\n- {item} Then more." for item in items)
    ((found, _), *_) = parts(text)
    assert brief(found) == "Tests include: - Biopsy - CT scan - X-ray"
    assert brief(found.replace("Biopsy:", "Biopsy,")) == ""


def test_a_list_that_is_too_long_even_in_brief_is_cut_between_items():
    items = [f"{name} {'that goes on and on ' * 12}to its end." for name in ("Biopsy", "Scan", "X-ray", "Rest")]
    text = "Tests include:" + "".join(f"\n- {item}" for item in items)
    ((found, is_list), *_) = parts(text)
    assert is_list
    assert len(found) <= MAX_LIST
    assert found.endswith("to its end.")


def test_no_list_is_longer_than_may_be_said_in_brief():
    text = f"Ways are:{explained(*map(str, range(100, 140)))}"
    assert max(len(part) for part, _ in parts(text)) <= MAX_BRIEF


def test_a_mark_without_an_item_ends_a_list():
    text = "It is checked for:\n- Red cells.\n- White cells.\n- \n- CT scan: Pictures are taken. They are many."
    assert lists(text) == ["It is checked for:\n- Red cells.\n- White cells."]


@pytest.mark.parametrize(
    "behind",
    [
        "These signs can occur because your heart has to work harder.",
        "Specialists Involved\n\nMany doctors may help you.",
        "Chest pain\n\nChest pain is the worst of them.",
    ],
)
def test_paragraphs_without_full_stops_are_a_list_that_ends_before_a_sentence(behind):
    listed = "Other signs include:\n\nShortness of breath, especially at night\n\nDizziness\n\nPale skin"
    assert parts(f"{listed}\n\n{behind}")[0] == (listed, True)
    assert itemized(listed) == "Other signs include: - Shortness of breath, especially at night - Dizziness - Pale skin"


PIECES = [
    "Signs include:",
    "They are",
    " - ",
    "- ",
    "\n\n",
    "\n",
    "    ",
    " ",
    "Fever",
    "It helps.",
    "Rest is good.",
    LONG,
]


@given(st.text() | st.text("aB.-:\n ") | st.lists(st.sampled_from(PIECES)).map("".join))
def test_whatever_the_text_its_parts_are_in_order(text):
    end = 0
    for start, stop, _ in with_lists(text):
        assert end <= start <= stop <= len(text)
        assert isinstance(brief(text[start:stop]) + itemized(text[start:stop]), str)
        end = stop


def headed(*labels, told):
    return "\n\n".join(f"{label} {told}" for label in labels)


def test_paragraphs_that_labels_begin_are_a_list():
    told = "It is told what that is. It is told at length."
    listed = f"Signs include:\n\n{headed('Coughing.', 'Chest tightness.', told=told)}"
    assert parts(f"{listed}\n\nOther things can cause these signs, too.")[0] == (listed, True)
    assert itemized(listed) == f"Signs include: - Coughing. {told} - Chest tightness. {told}"


def test_of_long_ones_the_labels_are_said_unless_they_tell_nothing():
    told = 9 * "It is told at length, in many words. "
    listed = f"Signs include:\n\n{headed('Coughing.', 'Chest tightness.', 'Fever.', told=told)}"
    (found, is_list), *_ = parts(f"{listed}\n\nOther things can cause these signs, too.")
    assert (found, is_list) == (listed.rstrip(), True)
    assert itemized(found) == "Signs include: - Coughing. - Chest tightness. - Fever."
    assert itemized(found.replace("include:", "are treated as follows:")) == ""


@pytest.mark.parametrize(
    ("listed", "behind"),
    [
        ("Three types are used: - Surgery - Stem cell rescue - Rest", "New types are being tested in trials."),
        ("Foods with it include - eggs - red meats - beans", "Sodium."),
        ("They may do the following: - give fluids by vein - give rest", "Recovery phase treatment."),
    ],
)
def test_a_sentence_or_a_heading_behind_a_flattened_list_is_no_item(listed, behind):
    assert [part for part, _ in parts(f"{listed} - {behind}")] == [listed, behind]


@pytest.mark.parametrize(
    "text",
    [
        "Medicare has parts: - Part A, for stays - Part B, for visits - Part C plans are sold by firms.",
        "Check for any of these: - Marks on the skin - Lumps below it - Organs: There may be no signs.",
        "You may have these: - Your mouth is dry - Thirst at night - Your eyes are sore.",
    ],
)
def test_an_item_that_only_looks_like_a_sentence_behind_is_one(text):
    assert lists(text) == [text]


def test_a_list_behind_such_as_is_one_and_ends_before_a_sentence():
    listed = "It may cause symptoms such as - Heartburn - A dry cough - Bad breath"
    assert lists(f"{listed} When it lasts, see your doctor about it.") == [listed]
    listed = "Avoid foods such as - nuts - liver"
    assert lists(f"{listed} - A person cannot prevent it; the family should talk.")[0] == listed


def test_the_first_of_several_paragraphs_alone_is_no_list():
    text = "Use several blood tests to find it:\n\nTSH test. The test is done first. It is exact.\n\nThen "
    text += f"all {'the ' * MAX_PARAGRAPHS}rest is known."
    assert lists(text) == []
    assert lists(text.replace("several blood tests", "this")) != []


def test_a_list_ends_before_an_item_that_announces_another_one():
    first, second = "Risks are:\n- Smoking\n- Old age", "The following protect:\n- Rest\n- Fruit"
    assert lists(f"{first}\n- {second}") == [first, second]
    flat = "Risks are: - Smoking - The following protect: - Rest - Fruit Call your provider if it lasts."
    assert lists(flat) == ["Risks are: - Smoking", "The following protect: - Rest - Fruit"]
    flat = "Risks are:  - Smoking  - Old age  - The following protect:  - Rest  - Fruit"
    assert lists(flat) == ["Risks are:  - Smoking  - Old age", "The following protect:  - Rest  - Fruit"]
    first, second = "Treatment may include\n- medicines\n- rest", "People should avoid foods such as\n- nuts\n- liver"
    assert next(text for text, _ in parts(f"{first}\n- {second}")) == first


def test_an_item_that_only_names_examples_does_not_end_its_list():
    for text in (
        "Tests include the following:\n- Blood tests\n- Imaging tests, including\n- MRI\n- CT\n- Genetic tests",
        "Causes include the following:\n- Kidney stones\n- Medicines such as\n- aspirin\n- ibuprofen",
    ):
        assert lists(text) == [text]


def test_what_to_ask_a_doctor_is_no_item_of_another_kind():
    listed = "Risks include the following:\n- Results may be wrong\n- X-rays may harm"
    assert lists(f"{listed}\n- Talk to your doctor about your risk.") == [listed]
    steps = "Take these steps:\n- Ask your doctor for help\n- Ask your doctor for advice"
    assert lists(steps) == [steps]


def test_a_sentence_behind_a_gap_does_not_explain_the_last_item():
    listed = "Causes include  - A gene. It is common.  - A fall. It is rare.  - Old age"
    assert lists(f"{listed}       Signs of it are pain and fever. They last.") == [listed]
    assert lists(f"{listed}. It is certain.   Signs are fever.") == [f"{listed}. It is certain."]


def test_an_item_and_the_sentence_that_a_gap_parts_from_it_are_two():
    text = "Parts are:  - Iris   The iris is the colored area of the eye."
    assert [part for part, _ in parts(text)][-1] == "The iris is the colored area of the eye."


def test_the_heading_of_the_next_list_is_no_item():
    listed = "Advice depends on the stone:\n\nCalcium stones\n\n- less salt\n\n- less meat"
    assert lists(f"{listed}\n\nUric acid stones\n\n- limit meat.")[0] == listed


def test_labels_that_are_paragraphs_are_a_list_to_its_end_or_not_at_all():
    labels = [f"Signs of the kind {letter}." for letter in "ABC"]
    listed = "Signs include:\n\n" + "\n\n".join(labels)
    assert lists(f"{listed}\n\nYour doctor will ask.") == [listed]
    longer = "Signs include:\n\n" + "\n\n".join(f"{label} " + 60 * "It may be so again and again. " for label in labels)
    assert len(longer) > MAX_BRIEF
    assert all(part.count("Signs of the kind") < 3 for part in lists(longer))
    assert not any("Signs of the kind B" in part for part in lists(longer))
