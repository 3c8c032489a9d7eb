"""What a question asks for, part by part."""

import pytest

from medgraph.answers.parts import parts_of
from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, words_of


def ask(text, *named):
    def mentions(said):
        places = {name: said.lower().find(name) for name in named}
        return [
            Mention(name, "Disease", name, name, name, 1.0, (name,), 1, start=place, end=place + len(name))
            for name, place in places.items()
            if place >= 0
        ]

    return Question(text, words_of(text), None, mentions, lambda: None)


def parts(text, *named):
    return [part.asked for part in parts_of(ask(text, *named))]


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        (
            "How is gout treated and can I prevent it?",
            ["gout"],
            ["How is gout treated?", "Can I prevent gout?"],
        ),
        (
            "Can I prevent gout, and how is it treated?",
            ["gout"],
            ["Can I prevent gout?", "How is gout treated?"],
        ),
        (
            "What causes gout and asthma, and what are the treatments for them?",
            ["gout", "asthma"],
            ["What causes gout and asthma?", "What are the treatments for gout and asthma?"],
        ),
        (
            "What causes low platelet counts, and what treatments are available?",
            ["low platelet counts"],
            ["What causes low platelet counts?", "What are the treatments for low platelet counts?"],
        ),
        (
            "What are the treatments for gout and how can I find physician(s) who specialize in it?",
            ["gout"],
            ["What are the treatments for gout?", "How can I find physician(s) who specialize in gout?"],
        ),
        (
            "Is gout inherited, and what is the pattern?",
            ["gout"],
            ["Is gout inherited?", "What is the pattern for gout?"],
        ),
        ("I have gout, can I take aspirin?", ["gout", "aspirin"], ["I have gout, can I take aspirin?"]),
        (
            "What are the symptoms of gout and when should I tell my doctor about the symptoms?",
            ["gout"],
            [
                "What are the symptoms of gout?",
                "When should I tell my doctor about the symptoms for gout?",
            ],
        ),
        (
            "What are the symptoms of gout and what symptoms should I watch for?",
            ["gout"],
            ["What are the symptoms of gout?", "What symptoms should I watch for with gout?"],
        ),
        ("How does gout differ from other joint pain?", ["gout"], ["How does gout differ from other joint pain?"]),
        ("Can stress or beer cause gout?", ["stress", "gout"], ["Can stress cause gout?", "Can beer cause gout?"]),
        (
            "Can aspirin cause a cough or diarrhea?",
            ["aspirin", "cough", "diarrhea"],
            ["Can aspirin cause a cough?", "Can aspirin cause diarrhea?"],
        ),
        ("does a cough or a rash mean gout", ["gout"], ["does a cough mean gout", "does a rash mean gout"]),
        ("Does oral or topical aspirin work?", ["aspirin"], ["Does oral or topical aspirin work?"]),
        ("Is it gout or asthma?", ["gout", "asthma"], ["Is it gout or asthma?"]),
        ("Which is worse, gout or asthma?", ["gout", "asthma"], ["Which is worse, gout or asthma?"]),
        (
            "What is the latest research on treatment for shingles?",
            ["shingles"],
            ["What is the latest research on treatment for shingles?"],
        ),
        (
            "What are the causes of and treatment for asthma with eczema?",
            ["eczema", "asthma"],
            ["What causes asthma and eczema?", "What are the treatments for asthma and eczema?"],
        ),
        (
            "Where can I find information on treatments for gout?",
            ["gout"],
            ["Where can I find information on treatments for gout?"],
        ),
        (
            "What are the outlook and complications of a Kidney Transplant?",
            ["kidney transplant", "kidney"],
            ["What is the outlook for Kidney Transplant?", "What are the complications of Kidney Transplant?"],
        ),
        (
            "What can I do, and how is gout treated?",
            ["gout"],
            ["What can I do?", "How is gout treated?"],
        ),
        (
            "What are the outlook and complications, and how is a kidney transplant done?",
            ["kidney transplant", "kidney"],
            [
                "What is the outlook for kidney transplant?",
                "What are the complications of kidney transplant?",
                "How is a kidney transplant done?",
            ],
        ),
        (
            "What are the symptoms and treatment of gout?",
            ["gout", "treatment"],
            ["What are the symptoms of gout?", "What are the treatments for gout?"],
        ),
        (
            "What causes gout and asthma, and can I prevent it?",
            ["gout", "asthma"],
            ["What causes gout and asthma?", "Can I prevent asthma?"],
        ),
        (
            "What causes gout, and is this disease inherited?",
            ["gout"],
            ["What causes gout?", "Is gout inherited?"],
        ),
        (
            "I have had gout for years. It hurts a lot. How is it treated and prevented?",
            ["gout"],
            ["What are the treatments for gout?", "How can gout be prevented?"],
        ),
        ("How is gout treated?", ["gout"], ["How is gout treated?"]),
        ("How is it treated and prevented?", [], ["How is it treated and prevented?"]),
        ("gout", ["gout"], ["gout"]),
    ],
)
def test_parts(text, named, expected):
    assert parts(text, *named) == expected


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        ("My mother has gout. Which therapies could help her?", ["gout"], "What are the treatments for gout?"),
        ("I have gout. What can I eat?", ["gout"], "What can I eat for gout?"),
        ("I have gout. Can it be cured?", ["gout"], "Can gout be cured?"),
        ("Dry mouth.\nHow can I relieve a dry mouth?", ["dry mouth"], "How can I relieve a dry mouth?"),
        ("My doctor mentioned gout. Can you tell me more about it?", ["gout"], "What is gout?"),
        (
            "I want more information on gout and asthma. I enjoy reading.",
            ["gout", "asthma"],
            "What is gout and asthma?",
        ),
        (
            "Hello. I want information on gout diets please. Thanks",
            ["gout"],
            "I want information on gout diets please?",
        ),
    ],
)
def test_a_message_of_few_words_is_read_as_the_question_that_it_asks(text, named, expected):
    asked = ask(text, *named)
    assert asked.is_message
    (part,) = parts_of(asked)
    assert (part.asked, part.question.text, part.question.is_message) == (expected, expected, False)


@pytest.mark.parametrize(
    "text",
    [
        "My mother has gout. Which therapies could help her? Is it painful?",
        "My mother has a bad toe. Which therapies could help her?",
        "I have gout. My toe hurts very much at night.",
        f"I have gout. {'It hurts at night and in the morning. ' * 4}Which therapies could help me?",
    ],
)
def test_a_longer_message_or_one_that_asks_more_stays_as_it_is(text):
    (part,) = parts_of(ask(text, "gout"))
    assert part.question.text == text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "Half the home where I work has scabies. How soon would I start itching?",
            "How soon would I start itching for scabies?",
        ),
        (
            "Everything is itching and three doctors found nothing but scabies. Is it a real illness?",
            "Is scabies a real illness?",
        ),
    ],
)
def test_a_disease_told_before_is_what_a_sign_is_asked_of(text, asked):
    given = ask(text, "scabies")
    mentions = given.linker

    def both(said):
        at = said.lower().find("itching")
        signs = [Mention("itching", "Symptom", "itching", "itching", "itching", 1.0, ("i",), 1, start=at, end=at + 7)]
        return sorted([*mentions(said), *(signs if at >= 0 else [])], key=lambda one: one.start)

    (part,) = parts_of(Question(text, words_of(text), None, both, lambda: None))
    assert part.asked == asked
