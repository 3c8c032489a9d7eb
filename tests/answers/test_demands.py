"""What some questions demand of their answer."""

import pytest

from medgraph.answers.demands import (
    asked_to_the_word,
    asks_of_operation,
    asks_of_side_effects,
    asks_to_avoid,
    audience_of,
    excluded_by,
    says_side_effects,
    says_to_avoid,
    says_to_prevent,
    tells_of_operation,
)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("What are the complications of varicose vein surgery?", True),
        ("What are the treatments for pain after hemorrhoidectomy?", True),
        ("How dangerous is the surgery to correct it in a newborn?", True),
        ("What are the risks of knee replacement in an older person?", True),
        ("How long is recovery from a liver transplant?", True),
        ("Is surgery the best treatment for a hernia?", False),
        ("What are the complications of gout?", False),
        ("Can gout come back after treatment?", False),
        ("How dangerous is a brain aneurysm without surgery?", False),
        ("What are the side effects of enzyme replacement therapy?", False),
        ("What are the side effects of hormone replacement therapy?", False),
        ("What are the risks of  knee\nsurgery?", True),
    ],
)
def test_what_comes_of_an_operation_is_asked(text, asks):
    assert asks_of_operation(text) is asks


def test_a_page_on_an_operation_names_it():
    assert tells_of_operation("knee replacement what are the risks?")
    assert tells_of_operation("tonsillectomy")
    assert not tells_of_operation("varicose veins treatment")


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("What drugs should people with CMT avoid?", True),
        ("What should I not eat with gout?", True),
        ("Is ibuprofen unsafe for asthma?", True),
        ("Is ibuprofen contraindicated in asthma?", True),
        ("What foods should be avoided with gout?", True),
        ("What drugs shouldn\u2019t be taken with CMT?", True),
        ("Should I take aspirin for gout?", False),
        ("How can gout be prevented?", False),
    ],
)
def test_what_is_to_be_avoided_is_asked(text, asks):
    assert asks_to_avoid(text) is asks


def test_a_sentence_says_that_something_is_to_be_avoided():
    assert says_to_avoid("People with gout should avoid foods that are high in purines.")
    assert says_to_avoid("Some medicines can make asthma worse.")
    assert says_to_avoid("Aspirin should not be given to children.")
    assert says_to_avoid("Don't take aspirin with it.")
    assert says_to_avoid("Ibuprofen is contraindicated in asthma.")
    assert says_to_avoid("Beer is not recommended.")
    assert says_to_avoid("Smoke is harmful to the lungs.")
    assert says_to_avoid("Large amounts are toxic.")
    assert says_to_avoid("Eating too much liver can cause or aggravate gout.")
    assert not says_to_avoid("Gout is not usually fatal.")
    assert not says_to_avoid("Symptoms worsen over time.")
    assert not says_to_avoid("Pain-killing drugs can be prescribed for severe pain.")


def test_side_effects_are_asked_for_be_they_of_a_drug_or_of_treatments():
    assert asks_of_side_effects("What are the SIDE-EFFECTS of treatments for gout?")
    assert asks_of_side_effects("Does metformin have adverse reactions?")
    assert not asks_of_side_effects("What are the effects of smoking?")


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("Side effects of prednisone may include weight gain.", True),
        ("Some people have adverse reactions such as a rash.", True),
        ("NSAIDs may cause stomach bleeding.", True),
        ("If side effects occur, they include nausea; other side effects are rare.", True),
        ("With proper treatment, most people with gout can control their symptoms.", False),
        ("Diets help when medicines cause serious side effects.", False),
        ("Newer drugs work without side effects.", False),
        ("Gout may cause kidney stones.", False),
    ],
)
def test_a_sentence_tells_of_side_effects_or_only_names_them(sentence, says):
    assert says_side_effects(sentence) is says


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("How is gout treated in children?", "Infants need less."),
        ("How is gout treated for kids under 5?", "In childhood it is rare."),
        ("How is gout treated in a 3-year-old?", "Toddlers get it too."),
        ("How is gout treated if I'm pregnant?", "Wait until after the first trimester."),
        ("Is it safe to take aspirin during pregnancy?", "Pregnant women should not."),
        ("How is gout treated while breastfeeding?", "It passes into breast milk."),
        ("How is gout treated in the elderly?", "In people over 65 doses are lower."),
        ("How is gout treated in people over 70?", "Older adults need less."),
    ],
)
def test_whom_a_question_asks_about_texts_call_by_other_words(text, spoken):
    assert audience_of(text).search(spoken)
    assert not audience_of(text).search("Most people get better.")


@pytest.mark.parametrize(
    "text",
    [
        "Can gout be passed on to my children?",
        "How is gout treated?",
        "What are childhood diseases in men?",
        "What causes tremors in a 33 year-old?",
    ],
)
def test_nobody_in_particular_is_asked_about(text):
    assert audience_of(text) is None


@pytest.mark.parametrize(
    ("sentence", "prevents"),
    [
        ("Losing weight may lower your risk of gout.", True),
        ("Gout can often be prevented.", True),
        ("Plenty of water may help to prevent it.", True),
        ("There is no known way to prevent this disease.", True),
        ("A vaccine is given to children.", True),
        ("- Drink water. - Avoid beer.", True),
        ("Wash your hands to keep germs from getting into the joint.", True),
        ("The goals of treatment are to prevent future attacks and to prevent kidney stones.", False),
        ("Medicines reduce the risk or severity of attacks.", False),
        ("Early treatment helps to prevent the disease from progressing.", False),
        ("Perhaps someday these advances will prevent gout.", False),
        ("Colchicine helps people with gout.", False),
        ("", False),
    ],
)
def test_a_sentence_says_how_something_is_prevented_and_not_what_a_treatment_prevents(sentence, prevents):
    assert says_to_prevent(sentence, lambda text: "gout" in text.lower()) is prevents


@pytest.mark.parametrize(
    ("text", "says", "says_not"),
    [
        (
            "How many people in the United States have Alzheimer's disease?",
            "Experts suggest that more than 5 million Americans may have it.",
            "It is the sixth leading cause of death, and in most people symptoms first appear in their mid-60s.",
        ),
        (
            "How common is Rett syndrome?",
            "It affects an estimated 1 in 8,500 females.",
            "Little is known about its outlook.",
        ),
        ("How common is Rett syndrome?", "It is rare.", "Most people with it live well into middle age."),
        (
            "At what age should women start having mammograms?",
            "Mammograms are recommended for women from the age of 50.",
            "Mammograms are also recommended for younger women with symptoms.",
        ),
        ("When do the first signs appear?", "Symptoms begin in late childhood.", "Over the years it gets worse."),
        (
            "When do the first signs appear?",
            "In the second decade walking changes, and foot drop develops.",
            "It varies.",
        ),
        ("When do the first signs appear?", "It appears in childhood.", "It appears to run in families for years."),
        (
            "At what age is bedwetting something to see a doctor about?",
            "Call the doctor if your child is 7 years old or older.",
            "Many children wet the bed.",
        ),
        ("gout diet", "Limit alcohol and fish with many purines.", "Gout is treated with colchicine."),
        ("What should I eat with kidney stones?", "Eat less salt.", "Stones may pass by themselves."),
        ("How long does flu last?", "Most people recover within two weeks.", "Flu is a respiratory infection."),
        ("what is the recovery time of cataract surgery", "Healing takes about eight weeks.", "The lens is replaced."),
        ("gout vs pseudogout", "Unlike gout, pseudogout is of calcium.", "Gout and pseudogout hurt different people."),
        (
            "what kind of doctor diagnoses EDS",
            "A clinical geneticist can confirm the diagnosis.",
            "It is diagnosed by collagen typing of a skin biopsy.",
        ),
        ("Who should I see about my knees?", "Rheumatologists treat arthritis.", "Arthritis hurts the knees."),
        ("Is shingles catching?", "You cannot catch shingles from someone.", "The body cannot knock out the virus."),
        ("how is CJD transmitted", "It is spread by infected brain tissue.", "Prions damage the brain."),
        (
            "Is hand trembling always Parkinson's?",
            "Not everyone with one of these symptoms has Parkinson disease.",
            "The first symptom is trembling of a limb at rest.",
        ),
        ("Is COPD the same as emphysema?", "Emphysema is a type of COPD.", "COPD makes it hard to breathe."),
    ],
)
def test_what_is_asked_to_the_word_is_said_to_the_word(text, says, says_not):
    wanted = asked_to_the_word(text)
    assert wanted.search(says)
    assert not wanted.search(says_not)


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("Can sleep apnea be treated other than with a CPAP machine?", "CPAP machine"),
        ("How can I lower my blood pressure without taking medication?", "medication"),
        ("what helps besides ice, please", "ice"),
        ("How is gout treated without surgery?", ""),
        ("How is gout treated?", ""),
    ],
)
def test_a_question_may_want_nothing_of_something(text, excluded):
    assert excluded_by(text) == excluded


@pytest.mark.parametrize(
    "text",
    ["How is gout treated?", "I had it as long ago as 1990", "How many people have it and how long do they live?", ""],
)
def test_most_questions_ask_nothing_to_the_word(text):
    assert asked_to_the_word(text) is None
