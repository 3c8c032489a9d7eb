"""A model that reads claims is given whole sections, and may quote rows of lists."""

import re
from types import SimpleNamespace

from medgraph.answers.model_reading import Doubt, judge_claims
from medgraph.answers.prompting import NumberedEvidence
from tests.support.written import page_of

GOUT = "It often begins at night in the joint of the big toe. Signs include:\nswelling\nheat"
ASTHMA = "Asthma is treated with inhaled corticosteroids for many years by most doctors."


def test_what_only_a_list_behind_the_given_sentences_says_is_read_and_quoted_with_what_announces_it():
    items = [
        NumberedEvidence("S1", GOUT.split(" Signs", maxsplit=1)[0], page_of("Gout", GOUT)),
        NumberedEvidence("S2", ASTHMA, page_of("Asthma", ASTHMA)),
    ]

    def reply(_, told):
        assert "Signs include: swelling heat</evidence>" in told["evidence"]
        claims = re.findall(r'<claim id="(\w+)" texts="(\w+)">(.*?)</claim>', told["claims"])
        known = {"S1": f"{GOUT} The joint swells.", "S2": ASTHMA}
        judged = [
            SimpleNamespace(id=name, says=text in known[cited], quotes=["swelling heat" if "swells" in text else text])
            for name, cited, text in claims
        ]
        return SimpleNamespace(claims=judged)

    (sentence,) = judge_claims([Doubt("The joint swells.", (items[0],))], items, reply)
    assert [one.quote for one in sentence.citations] == ["Signs include:\nswelling\nheat"]
