"""The section type that a question asks for, its key words misspelt or not."""

import pytest

from medgraph.queries.intent import find_intents
from medgraph.schema.vocabulary import SECTION_TYPES


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("What are the symptoms of asthma?", "symptoms"),
        ("What are the warning signs of a stroke", "symptoms"),
        ("How is gout treated?", "treatment"),
        ("what can I do about acne", "treatment"),
        ("Is there a cure for lupus?", "treatment"),
        ("What causes migraine?", "causes"),
        ("How do people get malaria?", "causes"),
        ("Who is at risk for osteoporosis?", "susceptibility"),
        ("How is celiac disease diagnosed?", "exams and tests"),
        ("Can shingles be prevented?", "prevention"),
        ("What are the complications of measles?", "complications"),
        ("What is asthma?", "information"),
        ("Tell me about gout", "information"),
        ("Is psoriasis hereditary?", "inheritance"),
        ("How common is epilepsy?", "frequency"),
        ("What is the outlook for melanoma?", "outlook"),
        ("side effects of aspirin", "side effects"),
        ("My doctor mentioned gout. Can you tell me more about it?", "information"),
        ("I was told I have gout and want to understand it.", "information"),
        ("Will my children get gout from me?", "inheritance"),
        ("Is there anything that can be done for gout?", "treatment"),
        ("My son might have gout, what should I look out for?", "symptoms"),
        ("Are there any trials for gout I could join?", "research"),
        ("How would I know that I have gout?", "symptoms"),
        ("I want to know if it helps", ""),
        ("I would like more info about gout", "information"),
        ("any literature on gout?", "information"),
        ("I want to know about gout", "information"),
        ("Where can I find information and help for gout?", ""),
        ("I have a rare disease called gout", ""),
        ("How rare is gout?", "frequency"),
        ("I was just diagnosed and have gout", ""),
        ("How was gout diagnosed?", "exams and tests"),
        ("Which medicine will help my gout?", "treatment"),
        ("Can gout go away?", "outlook"),
        ("Can bladder cancer come back?", "outlook"),
        ("marfan syndrome life expectency", "outlook"),
        ("What does whooping cough sound like?", "symptoms"),
        ("What sets off a migraine?", "causes"),
        ("Can grown-ups catch shingles from a toddler?", "causes"),
        ("Should I be checked for hepatitis C?", "exams and tests"),
        ("What stretches help a sore heel?", "treatment"),
        ("Is gout hereditary and painful?", "inheritance"),
        ("How should colchicine be taken?", "usage"),
        ("Is there a generic version of colchicine?", ""),
        ("asthma symptms", "symptoms"),
        ("gout treatmnt", "treatment"),
        ("diagnosys of gout", "exams and tests"),
        ("asthma", ""),
        ("", ""),
    ],
)
def test_intent(question, intent):
    assert find_intents(question)[:1] == ((intent,) if intent else ())


@pytest.mark.parametrize(
    ("question", "intents"),
    [
        ("How is gout treated and can I prevent it?", {"treatment", "prevention"}),
        ("I think I have the sugar desease, can it harm my kidneys", {"complications"}),
        ("What is the risk of developing pancreatic cancer and how is it inherited?", {"inheritance"}),
        ("What is gout and what causes it?", {"causes"}),
        ("What is gout?", {"information"}),
        ("gout", set()),
        ("What are the latest treatments for keloids?", {"treatment"}),
        ("I was diagnosed with gout, how is it treated?", {"treatment"}),
        ("What is the prognosis for untreated periodontitis?", {"outlook"}),
        ("What are the treatments for hereditary angioedema due to a mutation?", {"treatment", "genetic changes"}),
        ("What are the treatments for voice disorders caused by ALS?", {"treatment"}),
        ("What is gout caused by?", {"causes"}),
        ("What are the treatments for stage 4 melanoma?", {"treatment"}),
        ("Is gene therapy available for haemophilia, and is it hereditary?", {"treatment", "inheritance"}),
        ("Is smoking bad for my heart?", {"complications"}),
        ("Is it bad for me?", set()),
        ("How is gout treated, what are its stages, and can I prevent it?", {"treatment", "stages", "prevention"}),
        ("Which stage of melanoma is that?", {"stages"}),
        ("Can the early stages of lung cancer be cured?", {"treatment"}),
    ],
)
def test_all_that_is_asked_for(question, intents):
    assert set(find_intents(question)) == intents
    assert intents <= set(SECTION_TYPES)
