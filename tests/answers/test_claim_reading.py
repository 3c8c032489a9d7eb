"""A model reads whether sections say a sentence: it must quote them, and judge rightly what is known."""

import re

import pytest

from tests.support.scripted import says, status
from tests.support.written import TREATED, ids_of, sentences

ASKED = "How is gout treated?"
LOOSE = "Colchicine or corticosteroids are what doctors give when gout attacks somebody."
FALSE = "Gout attacks are treated with 500 mg of bleach."
NAMED = "Gout attacks are treated with metformin."
QUOTE = "Gout attacks are treated with"


def claims_of(body):
    """The claims of a request: id → text."""
    return dict(re.findall(r'<claim id="(C\d+)"[^>]*>(.*?)</claim>', body["messages"][-1]["content"], re.DOTALL))


def is_of(body):
    return "check whether texts say" in body["messages"][0]["content"]


def judged(body, verdict, quotes=(QUOTE,)):
    """Say of each claim what `verdict` says of its text; of one that is said, quote."""
    texts = {}
    for text in re.findall(r"<evidence [^>]*>(.*?)</evidence>", body["messages"][-1]["content"], re.DOTALL):
        texts[text] = None
    told = []
    for name, claim in claims_of(body).items():
        says_so = verdict(claim)
        own = [claim] if any(claim in text for text in texts) else list(quotes)
        told.append({"id": name, "says": says_so, "quotes": own if says_so else []})
    return says({"claims": told})


def rightly(body):
    """A judge that is right: it lets `LOOSE` pass, and what stands word for word in the text that a claim names."""
    content = body["messages"][-1]["content"]
    evidence = dict(re.findall(r'<evidence id="(\w+)"[^>]*>(.*?)</evidence>', content, re.DOTALL))

    def verdict(claim):
        places = re.search(rf'texts="([^"]*)">{re.escape(claim)}<', content)[1].split()
        return claim == LOOSE or any(claim in evidence[place] for place in places if place in evidence)

    return judged(body, verdict)


def asked_with(written, judge, *told):
    def step(body):
        return judge(body) if is_of(body) else sentences(*[(text, ids_of(body)) for text in told])

    answerer, server = written(step, reads=("claims",))
    return answerer.ask(ASKED), server


def texts(answer):
    return [sentence.text for sentence in answer.sentences]


def test_what_words_alone_do_not_support_is_shown_where_the_model_quotes_what_says_it(written):
    answer, server = asked_with(written, rightly, LOOSE, TREATED[0])
    assert texts(answer) == [LOOSE, TREATED[0]]  # in the order in which they were written
    sentence = answer.sentences[0]
    (citation,) = sentence.citations
    assert (sentence.verdict, citation.section) == ("supported", "sample:gout#6")
    assert citation.quote.startswith(QUOTE)
    assert len(server.requests) == 2
    (reading,) = [one for one in answer.readings if one.stage == "claims"]
    assert reading.fallback is None
    assert reading.prompt_tokens > 0


def test_without_the_reading_it_is_dropped_and_the_model_is_asked_once(written):
    answerer, server = written(lambda body: sentences((LOOSE, ids_of(body)), (TREATED[0], ids_of(body))))
    answer = answerer.ask(ASKED)
    assert texts(answer) == [TREATED[0]]
    assert len(server.requests) == 1


def test_a_number_or_a_name_that_the_source_lacks_is_never_read(written):
    answer, server = asked_with(written, lambda body: judged(body, lambda _: True), NAMED, TREATED[0])
    assert texts(answer) == [TREATED[0]]
    assert len(server.requests) == 1
    answer, _ = asked_with(written, lambda body: judged(body, lambda claim: claim == FALSE), FALSE, TREATED[0])
    assert texts(answer) == [TREATED[0]]


@pytest.mark.parametrize("says_so", [True, False], ids=["all", "nothing"])
def test_a_model_that_judges_all_alike_is_not_believed(written, says_so):
    answer, server = asked_with(written, lambda body: judged(body, lambda _: says_so), LOOSE, TREATED[0])
    assert texts(answer) == [TREATED[0]]
    assert LOOSE in [one.text for one in answer.generation.dropped]
    (reading,) = answer.readings
    assert "whose verdict is known" in reading.fallback
    assert len(claims_of(server.requests[1])) > 1


def test_controls_do_not_look_other_than_claims(written):
    _, server = asked_with(written, rightly, LOOSE)
    claims = list(claims_of(server.requests[1]).values())
    assert claims == sorted(set(claims))
    assert len(claims) >= 3


@pytest.mark.parametrize("quote", ["Gout attacks are healed with", "", "Gout"])
def test_a_quotation_that_stands_nowhere_supports_nothing(written, quote):
    def judge(body):
        step = rightly(body)
        step.text = step.text.replace(QUOTE, quote)
        return step

    answer, _ = asked_with(written, judge, LOOSE, TREATED[0])
    assert texts(answer) == [TREATED[0]]


def test_each_quotation_has_to_stand_somewhere(written):
    def judge(body):
        step = rightly(body)
        step.text = step.text.replace(f'["{QUOTE}"]', f'["{QUOTE}", "Nothing of this is said."]')
        return step

    answer, _ = asked_with(written, judge, LOOSE, TREATED[0])
    assert texts(answer) == [TREATED[0]]


@pytest.mark.parametrize(
    "bad",
    [
        status(500),
        says("I cannot."),
        says({"claims": []}),
        says({"claims": [{"id": "C9", "says": True, "quotes": []}]}),
    ],
)
def test_a_model_that_fails_to_judge_drops_what_words_do_not_support(written, bad):
    answer, _ = asked_with(written, lambda _: bad, LOOSE, TREATED[0])
    assert texts(answer) == [TREATED[0]]
    assert answer.generation.fallback is None
    assert answer.readings[0].fallback
