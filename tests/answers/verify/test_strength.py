"""A sentence is supported by what says it in other words, and not where it goes beyond that."""

import json
from collections import Counter

import pytest

from medgraph.answers.verify.claims import Chances
from medgraph.answers.verify.naming import short_forms, written_out
from medgraph.answers.verify.rules import plain
from medgraph.answers.verify.supporting import citing
from medgraph.answers.verify.verifier import FLAG, verified
from tests.support.emergencies import lines_of
from tests.support.examples import examples
from tests.support.paths import ROOT
from tests.support.written import page_of

DATA = ROOT / "tests" / "data" / "answers"
LABEL = (
    "ZELAPAR is contraindicated in patients with a known allergy to selegiline. In rats, zelapar caused an increased"
    " incidence of hepatic cysts. Hypotension may occur in some patients. Renal impairment had no effect on the"
    " elimination of the drug. Heparin-induced thrombocytopenia (HIT) has been reported in pediatric patients. Take"
    " one tablet once a day for 4 weeks. Doses of 5 mg are associated with fainting. Most cases of HIT resolve"
    " within two weeks. Patients with liver disease should be watched for syncope. In a study"
    " of 284 men 12 women helped."
)


def verdict_of(text, *, names=("Zelapar",)):
    page = page_of("Selegiline", LABEL)
    page.section.names = names
    (sentence,) = verified([citing(text, [page], Chances())], [page], FLAG)
    return sentence.verdict


@pytest.mark.parametrize(
    "text",
    [
        "Selegiline (Zelapar) must not be given to people with a known allergy to selegiline.",
        "Selegiline (Zelapar) is taken as one tablet once daily for 4 weeks.",
        "Low blood pressure (hypotension) may occur in some patients.",
        "Kidney impairment had no effect on the elimination of the medicine.",
        "HIT (heparin-induced thrombocytopenia) has been reported in children.",
        "Most cases of heparin-induced thrombocytopenia go away within two weeks.",
        "In rats, Zelapar caused an increased incidence of liver cysts.",
        "People with liver disease should be monitored for fainting.",
    ],
)
def test_names_short_forms_and_synonyms_support(text):
    assert verdict_of(text) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Zelapar caused an increased incidence of hepatic cysts in women.",  # others
        "Zelapar caused an increased incidence of hepatic cysts.",
        "Renal impairment had no effect on the elimination of the drug in children.",
        "Hypotension occurs in all patients.",  # more surely
        "Hypotension usually occurs in patients.",
        "All cases of HIT resolve within two weeks.",
        "Doses of 5 mg cause fainting.",  # a cause
        "Most cases of HIT resolve within two months.",  # time and number
        "Take two tablets once a day for 4 weeks.",
        "Take one tablet of ZELAPAR twice a day for 4 weeks.",
        "In a study of 12 men 284 women helped.",
        "Zelapar is not contraindicated in patients with a known allergy to selegiline.",  # negation
        "Zelapar can be given to patients with a known allergy to selegiline.",
        "Rasagiline is contraindicated in patients with a known allergy to selegiline.",  # another name
        "High blood pressure may occur in some patients.",
        "Azilect (Zelapar) is taken as one tablet once daily for 4 weeks.",
    ],
)
def test_what_goes_beyond_a_source_is_not_supported(text):
    assert verdict_of(text) != "supported"


DOSES = (
    "Adults with serious infections take 150 to 300 mg PO b.i.d., in two doses. People with severe infections"
    " take 450 mg every 6 hours."
    " The drug is not for children <2 years of age. The dose should not exceed 900 mg/day."
    " Take 5 mg of this daily HS prn."
    " Selegiline causes drowsiness, and nausea has been reported. Do not give selegiline to other people."
    " The dose is 10 mg in the morning and 20 mg at night."
    " Use selegiline only for the condition that it was prescribed for."
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("For serious infections adults take 150 to 300 mg of selegiline by mouth two times a day.", "supported"),
        ("For serious infections adults take 150 to 300 mg of selegiline by mouth every 12 hours.", "supported"),
        ("For serious infections adults take 150 to 300 mg of selegiline by mouth q8h.", "not"),
        ("The dose of selegiline is 20 mg in the morning.", "not"),
        ("The dose of selegiline is 20 mg at night and 10 mg in the morning.", "supported"),
        ("People with severe infections take 450 mg of selegiline four times a day.", "supported"),
        ("Selegiline is not for children younger than 2 years.", "supported"),
        ("Selegiline is not for children over 2 years.", "not"),
        ("The dose of selegiline is at most 900 mg a day.", "supported"),
        ("The dose of selegiline is at least 900 mg a day.", "not"),
        ("Take 5 mg of this twice a day at bedtime as needed.", "not"),
        ("Selegiline causes nausea.", "not"),
        ("Selegiline can be given to other people.", "not"),
    ],
)
def test_doses_are_the_same_in_all_their_forms_and_stay_with_what_they_are_for(text, verdict):
    page = page_of("Selegiline", DOSES)
    (sentence,) = verified([citing(text, [page], Chances())], [page], FLAG)
    assert (sentence.verdict == "supported") == (verdict == "supported")


@pytest.mark.parametrize(("heading", "text", "verdict"), examples("doses_of_people"))
def test_a_dose_is_of_the_people_whom_the_heading_names_and_of_their_age(heading, text, verdict):
    page = page_of(
        "Selegiline",
        "The recommended dose is 60 mg twice daily. A dose of 60 mg once daily is recommended in patients with"
        " decreased renal function. For pediatric patients 6 to 14 years of age: 5 mg.",
    )
    page.section.heading = heading
    (sentence,) = verified([citing(text, [page], Chances())], [page], FLAG)
    assert (sentence.verdict == "supported") == (verdict == "supported")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Kidney stones can be caused by thirst or gout.", "supported"),
        ("Gout can cause kidney stones.", "supported"),
        ("Kidney stones are caused by gout.", "not"),  # more surely
        ("Kidney stones may cause fever.", "not"),  # of other stones
    ],
)
def test_one_of_several_causes_is_a_cause_where_all_of_a_claim_stands_in_one_clause(text, verdict):
    told = "Kidney stones can be caused by thirst, some medicines and gout. Bladder stones may cause pain and fever."
    page = page_of("Kidney stones", told)
    (sentence,) = verified([citing(text, [page], Chances())], [page], FLAG)
    assert (sentence.verdict == "supported") == (verdict == "supported")


def test_a_name_counts_only_where_the_graph_has_it():
    text = "Selegiline (Emsam) is taken as one tablet once a day for 4 weeks."
    assert verdict_of(text) != "supported"
    assert verdict_of(text, names=("Emsam",)) == "supported"


def test_what_is_said_of_others_is_no_contradiction():
    assert verdict_of("In children, renal impairment had an effect on the elimination of the drug.") == "no_evidence"
    assert verdict_of("Renal impairment had an effect on the elimination of the drug.") == "contradicted"


def test_short_forms_are_written_out_wherever_they_are_explained():
    forms = short_forms("UV (ultraviolet) rays and intravenous (IV) fluids.")
    assert dict(forms) == {"UV": "ultraviolet", "IV": "intravenous"}
    assert written_out("IV fluids, UV (ultraviolet) rays.", forms) == "intravenous fluids, ultraviolet rays."


def test_synonyms_are_written_alike_and_said_once():
    assert plain("renal failure with pruritus") == "kidney failure with itching"
    assert plain("kidney (renal) impairment") == "kidney impairment"
    assert plain("adrenal failure") == "adrenal failure"


def checked():
    """Check the labelled sentences: (half, right, fault or mixed) → how many are supported, of how many."""
    pages, supported, every = {}, Counter(), Counter()
    for line in (DATA / "checked-sections.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        page = pages[told["section"]] = page_of(told["title"], told["text"], told["section"])
        page.section.names, page.section.heading = tuple(told["aliases"]), told["heading"]
        page.section.question = told["question"]
    for half, kind, label, section, text in (line.split("\t") for line in lines_of("checked.tsv")):
        (sentence,) = verified([citing(text, [pages[section]], Chances())], [pages[section]], FLAG)
        key = half, label if label == "right" else "mixed" if kind == "mixed" else "fault"
        every[key] += 1
        supported[key] += sentence.verdict == "supported"
    return {key: (supported[key], every[key]) for key in every}


@pytest.mark.thorough
def test_of_sentences_on_labels_and_pages_most_right_ones_are_kept_and_hardly_a_wrong_one_is():
    assert checked() == {
        ("dev", "fault"): (1, 77),
        ("dev", "mixed"): (2, 16),
        ("dev", "right"): (56, 75),
        ("held", "fault"): (2, 65),
        ("held", "mixed"): (2, 14),
        ("held", "right"): (48, 66),
    }
