"""A question on one medicine and one kind of section is answered by the lead of that section of its label."""

import json

import pytest

from medgraph.answers.answer import ANSWERED, NOT_ENOUGH_EVIDENCE, RELATED
from medgraph.answers.leads import with_labels
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from medgraph.queries.retriever import Retriever
from tests.support.answers import answerer_of, check_citations
from tests.support.graphs import prepared
from tests.support.linking import names_of

DOSE = "1 DOSAGE AND ADMINISTRATION Adults: the usual dose of {0} is {1} mg once a day. It is taken with water."
EFFECTS = (
    "6 ADVERSE REACTIONS Studies are conducted under widely varying conditions. In rats nothing was seen."
    " The most common adverse reactions of {0} are headache, dizziness and cough."
)
FORGOTTEN = (
    "2.7 Missed Dose If a dose is not taken at the scheduled time, take it as follows: For patients receiving 15 mg"
    " twice daily: The patient should take a tablet immediately to ensure the intake of the day. Two tablets may then"
    " be taken at once. The patient should continue with the regular intake of one tablet twice a day, as recommended,"
    " on the following day."
)
ONCE = " For patients receiving 20 mg once daily: The patient should take the missed dose immediately, and none twice."


def label(number, name, effective, form, **fields):
    set_id = f"00000000-0000-0000-0000-{number:012}"
    openfda = {
        "generic_name": [name.upper()],
        "brand_name": [f"Brand{number}"],
        "substance_name": name.upper().split(" AND "),
        "product_type": ["HUMAN PRESCRIPTION DRUG"],
    }
    texts = {field: [text] for field, text in fields.items()}
    products = {"spl_product_data_elements": [f"Brand{number} - {name.upper()} {form}"]}
    known = {"set_id": set_id, "id": set_id, "version": "1", "effective_time": effective, "openfda": openfda}
    return known | products | texts


LABELS = [
    label(
        1,
        "Lisinopril",
        "20240301",
        "TABLET",
        dosage_and_administration=DOSE.format("lisinopril", 10),
        adverse_reactions=EFFECTS.format("lisinopril"),
        pregnancy="8.1 Pregnancy Lisinopril can harm the unborn child when a pregnant woman takes it. Stop it at once.",
        drug_interactions="7 DRUG INTERACTIONS The level of lithium may rise when lisinopril is taken with lithium.",
        indications_and_usage="1 INDICATIONS AND USAGE Lisinopril is indicated for high blood pressure.",
        how_supplied="16 HOW SUPPLIED Lisinopril tablets of 10 mg are supplied in bottles of 30.",
        warnings="5 WARNINGS Blood pressure may rise after abrupt withdrawal of lisinopril, which is rare in adults.",
    ),
    label(2, "Lisinopril", "20150301", "TABLET", dosage_and_administration=DOSE.format("lisinopril", 5)),
    label(
        3,
        "Valsartan and Hydrochlorothiazide",
        "20240301",
        "TABLET",
        dosage_and_administration=DOSE.format("valsartan and hydrochlorothiazide", 80),
        adverse_reactions=EFFECTS.format("valsartan and hydrochlorothiazide"),
    ),
    label(
        5,
        "Warfarin",
        "20240301",
        "TABLET",
        dosage_and_administration="DOSAGE AND ADMINISTRATION The vial must not be confused with another one."
        " Equivalently high doses would have similar effects.",
        pregnancy_or_breast_feeding="If pregnant or breast-feeding, ask a health professional before use.",
        how_supplied="HOW SUPPLIED Warfarin is not a controlled substance. Capsule-shaped tablets of 5 mg are",
    ),
    label(4, "Famotidine", "20240301", "INJECTION", dosage_and_administration=DOSE.format("famotidine", 20)),
    label(
        6,
        "Lisinopril",
        "20200301",
        "TABLET",
        adverse_reactions=EFFECTS.format("Brand6") + " Call 1-800-555-0199 or see www.example.com (00071-0156).",
    ),
    label(
        7,
        "Lisinopril",
        "20230301",
        "TABLET",
        adverse_reactions=EFFECTS.format("Brand7") + " Call 1-800-555-0123 or see www.example.org (00093-7270-56).",
    ),
    label(
        8,
        "Hydroxyzine",
        "20240301",
        "TABLET",
        dosage_and_administration=f"{DOSE.format('hydroxyzine', 25)} Take hydroxyzine with food.",
    ),
    label(9, "Hydralazine", "20240301", "TABLET", dosage_and_administration=DOSE.format("hydralazine", 10)),
    label(
        10,
        "Quinapril",
        "20240301",
        "TABLET",
        contraindications="4 CONTRAINDICATIONS This has led to harm to the liver of people."
        " Quinapril is contraindicated in people who had angioedema. Quinapril is contraindicated with lisinopril.",
        drug_interactions="7 DRUG INTERACTIONS Lisinopril may add to what quinapril does.",
        dosage_and_administration="DOSAGE AND ADMINISTRATION Care is taken. (2.1) (14.4) Dosage for adults The usual"
        " dose of quinapril is 20 mg once a day.",
    ),
    label(0, "Rivaroxaban", "20240301", "TABLET", spl_unclassified_section=f"{FORGOTTEN}{ONCE}"),
    label(
        "b",
        "Paracetamol",
        "20240301",
        "SUSPENSION",
        dosage_and_administration="Directions This product does not contain directions or complete warnings for adult"
        " use. Take 5 mL every 4 hours, at most 5 times a day.",
    ),
    label(
        "c",
        "Methotrexate",
        "20240301",
        "TABLET",
        dosage_and_administration="DOSAGE AND ADMINISTRATION For choriocarcinoma 15 mg are given daily for five days."
        " For psoriasis the usual dose of methotrexate is 10 mg once weekly.",
        contraindications="4 CONTRAINDICATIONS Methotrexate is contraindicated in pregnant women.",
        pregnancy="8.1 Pregnancy Methotrexate is in pregnancy category X.",
    ),
    label("a", "Apixaban", "20240301", "TABLET", spl_unclassified_section=f"{FORGOTTEN}{ONCE * 9}"),
]


@pytest.fixture
def labels(graph, encoder, settings, tmp_path):
    def fill():
        path = tmp_path / "labels.json"
        path.write_text(json.dumps({"meta": {}, "results": LABELS}), encoding="utf-8")
        load_named(graph, settings, "openfda", path)
        index(graph, encoder, "all")

    return answerer_of(prepared(graph, "labels", fill), encoder)


@pytest.mark.parametrize(
    ("question", "first", "about"),
    [
        ("lisinopril dosage", "usual dose of lisinopril is 10 mg", "Dosage and administration"),
        ("what are the side effects of lisinopril", "headache, dizziness and cough", "Side effects"),
        ("Can I take lisinopril while pregnant?", "can harm the unborn child", "Pregnancy"),
        ("can i take lisinopril with lithium?", "may rise when lisinopril is taken with lithium", "Drug interactions"),
        ("what mg does lisinopril come in", "10 mg are supplied in bottles", "How supplied"),
        ("why did my doctor give me lisinopril", "indicated for high blood pressure", "Uses"),
        ("methotrexate pregnancy", "is contraindicated in pregnant women", "Contraindications"),
        ("quinapril and lisinopril", "is contraindicated with lisinopril", "Contraindications"),
        ("quinapril and lisinopril for my gout", "is contraindicated with lisinopril", "Contraindications"),
        ("methotrexate once a day or week", "10 mg once weekly", "Dosage and administration"),
        ("hydroxyzine with or without food", "Take hydroxyzine with food", "Dosage and administration"),
        ("lisinopril pregnant", "can harm the unborn child", "Pregnancy"),
        ("lithium and lisinopril", "may rise when lisinopril is taken with lithium", "Drug interactions"),
        ("lisinopril dizziness", "headache, dizziness and cough", "Side effects"),
        ("lisinopril cough", "headache, dizziness and cough", "Side effects"),
        ("famotidine dosage", "dose of famotidine is 20 mg", "Famotidine (injection)"),
        ("is warfarin safe in pregnancy", "If pregnant or breast-feeding, ask a health professional", "Warfarin"),
        ("valsartan and hydrochlorothiazide dosage", "80 mg once a day", "Dosage and administration"),
    ],
)
def test_the_lead_of_the_section_is_quoted(labels, graph, question, first, about):
    answer = labels.ask(question)
    assert answer.status == ANSWERED
    assert first in answer.sentences[0].text
    assert about in answer.sentences[0].about
    check_citations(graph, answer)


def test_a_lead_reads_whole_and_what_stood_before_it_is_named(labels, graph):
    (dose,) = labels.ask("quinapril dosage").sentences
    assert dose.text == "The usual dose of quinapril is 20 mg once a day."
    assert dose.about.endswith("Dosage and administration, Dosage for adults")
    first = labels.ask("what are the contraindications of quinapril").sentences[0]
    assert first.text == "Quinapril is contraindicated in people who had angioedema."


def test_what_tells_it_in_place_of_a_section_of_its_own_is_found_and_not_quoted(labels):
    asked = "how do i stop taking lisinopril"
    assert "abrupt withdrawal" in labels.retriever.search(asked, mode="learned")[0].text
    assert not any("withdrawal" in one.text for one in labels.ask(asked).sentences)


def test_of_a_label_the_nearest_sections_are_candidates_where_no_kind_is_asked_for(labels):
    rows = labels.retriever.candidates(labels.retriever.question("lithium level lisinopril"), fetch=1)
    assert [row["type"] for row in rows if row["far"] == 0] == ["interactions with medications"]


def test_a_model_is_given_what_is_asked_of_each_medicine_and_what_is_near(labels):
    question = labels.retriever.question("can i take lisinopril with famotidine?")
    found = labels.evidence(question.text)
    given = with_labels(question, [], found)
    assert {item.section.title for item in given} == {"Lisinopril", "Famotidine"}
    first = next(item for item in given if item.section.title == "Lisinopril")
    assert first.section.type == "interactions with medications"
    assert all(item.sentences or item.other_sentences for item in given)


def test_what_to_do_about_a_forgotten_dose_is_quoted_for_all_who_take_it_or_for_nobody(labels):
    quoted = " ".join(one.text for one in labels.ask("rivaroxaban missed dose").sentences)
    assert "Two tablets" in quoted
    assert "20 mg once daily" in quoted
    assert not any("Two tablets" in one.text for one in labels.ask("apixaban missed dose").sentences)


@pytest.mark.parametrize(
    "question",
    ["how much paracetamol can i take a day", "paracetamol dose for my 3 year old", "lisinopril dose for my son"],
)
def test_a_dose_for_children_is_quoted_for_no_adult_and_no_dose_for_a_child(labels, question):
    assert not any("dose" in one.text or "mL" in one.text for one in labels.ask(question).sentences)


def test_a_dose_for_every_day_is_not_quoted_of_what_most_take_once_a_week(labels):
    assert [one.text[:13] for one in labels.ask("methotrexate dosage").sentences] == ["For psoriasis"]


@pytest.mark.parametrize("question", ["lisinopril unicorns", "i took my lisinopril and now i have seen a rabbit"])
def test_what_no_label_tells_of_is_not_answered(labels, question):
    assert labels.ask(question).sentences == ()


def test_labels_that_say_the_same_are_one_result(labels, graph, encoder):
    found = Retriever(graph, lambda: encoder, names_of(graph)).search("lisinopril side effects", mode="learned")
    effects = [hit for hit in found if hit.type == "side effects" and "cough" in hit.text]
    mine = [(hit.published, hit.also) for hit in effects if hit.title.startswith(("Lisinopril", "Brand6", "Brand7"))]
    assert sorted(mine) == [("2023-03-01", 1), ("2024-03-01", 0)]


TABLET = (
    "<subject><manufacturedProduct><manufacturedProduct><name>{name}</name><formCode displayName='TABLET'/>"
    "<asEntityWithGeneric><genericMedicine><name>Lisinopril</name></genericMedicine></asEntityWithGeneric>"
    "<ingredient classCode='ACTIB'><quantity><numerator unit='mg' value='{strength}'/><denominator value='1'/>"
    "</quantity><ingredientSubstance><name>LISINOPRIL</name></ingredientSubstance></ingredient></manufacturedProduct>"
    "<subjectOf><characteristic><code code='SPLCOLOR'/><value displayName='{color}'/></characteristic></subjectOf>"
    "<subjectOf><characteristic><code code='SPLIMPRINT'/><value>{imprint}</value></characteristic></subjectOf>"
    "</manufacturedProduct></subject>"
)
WHOLE = (
    "<document xmlns='urn:hl7-org:v3'><title>{name}</title><effectiveTime value='202401{number:02}'/><setId"
    " root='00000000-0000-0000-0000-0000000001{number:02}'/><versionNumber value='1'/><author><assignedEntity>"
    "<representedOrganization><name>{maker}</name></representedOrganization></assignedEntity></author><component>"
    "<structuredBody><component><section><code code='48780-1'/><title>P</title>{tablets}<text/></section></component>"
    "<component><section><code code='34067-9'/><title>USES</title><text><paragraph>It lowers blood pressure."
    "</paragraph></text></section></component></structuredBody></component></document>"
)


def product(number, name, maker, *looks):
    """Write a label of SPL whose tablets of 10 and 20 mg have a color and an imprint each."""
    tablets = [
        TABLET.format(name=name, strength=strength, color=color, imprint=imprint)
        for strength, (color, imprint) in zip((10, 20), looks, strict=True)
    ]
    return WHOLE.format(name=name, number=number, maker=maker, tablets="".join(tablets))


PRODUCTS = [
    product(1, "Lisinopril", "Acme", ("pink", "A;10"), ("blue", "A;20")),
    product(2, "Lisinopril", "Cork", ("white", "B;10"), ("red", "B;20")),  # repacks what Bolt makes
    product(3, "Lisinopril", "Bolt", ("white", "B;10"), ("red", "B;20")),
    product(4, "Zestril", "Dune", ("green", "Z;10"), ("gray", "Z;20")),
]


@pytest.fixture
def products(graph, encoder, settings, tmp_path):
    def fill():
        for number, one in enumerate(PRODUCTS):
            (tmp_path / f"{number}.xml").write_text(one, encoding="utf-8")
        load_named(graph, settings, "spl", tmp_path)
        index(graph, encoder, "all")

    return answerer_of(prepared(graph, "products", fill), encoder)


@pytest.mark.parametrize(
    ("question", "imprints"),
    [
        ("what does a lisinopril 10 mg tablet look like", ["A 10", "B 10", "Z 10"]),
        ("what does a zestril 10 mg tablet look like", ["Z 10"]),
        ("what does a bolt lisinopril 20 mg tablet look like", ["B 20"]),
    ],
)
def test_products_of_several_makers_are_a_list_of_their_looks(products, graph, question, imprints):
    answer = products.ask(question)
    assert answer.status == ANSWERED
    said = [one.text.partition("imprint ")[2].strip(".") for one in answer.sentences]
    assert sorted(said) == imprints
    assert all(" by " in one.about for one in answer.sentences) or len(said) == 1
    check_citations(graph, answer)


@pytest.mark.parametrize(
    "question",
    [
        "valsartan dosage",  # a part of a combination
        "why lisinopril",  # no kind of section
        "lisinoprol dosage",  # perhaps another medicine
        "famotidine tablet dosage",  # another form
        "does lisinopril cause hair loss",
        "lisinopril dosage for a baby",
        "warfarin dosage",  # no sentence of its section tells a dose
        "what does a warfarin pill look like",
        "can i take tea with lisinopril?",
        "lisinopril plus dosage",  # another product
    ],
)
def test_what_no_label_says_is_not_answered(labels, question):
    assert labels.ask(question).status in {NOT_ENOUGH_EVIDENCE, RELATED}


@pytest.mark.parametrize("question", ["how many mg of lisinopril for sleep", "how to lower your dosage of lisinopril"])
def test_a_dose_for_something_else_is_not_shown(labels, question):
    assert not labels.ask(question).sentences


@pytest.mark.parametrize(
    ("question", "asked", "replies"),
    [
        ("lisinoprol dosage", "Did you mean lisinopril?", ["lisinopril dosage"]),
        ("what is the dose of famotadine for adults", "Did you mean famotidine?", ["what is the dose of famotidine"]),
        (
            "side effects of hydroxazine",
            "Did you mean hydroxyzine or hydralazine?",
            ["side effects of hydroxyzine", "side effects of hydralazine"],
        ),
        ("lisinopril dosage", None, []),
    ],
)
def test_a_medicine_that_is_misspelt_is_asked_back_and_not_answered(labels, question, asked, replies):
    answer = labels.ask(question)
    back = answer.ask_back
    assert (back and back.question.lower()) == (asked and asked.lower())
    if back:
        assert answer.status == NOT_ENOUGH_EVIDENCE
        assert not answer.sentences
        assert all(one.question.lower().startswith(each) for one, each in zip(back.replies, replies, strict=True))
        assert {labels.ask(reply.question).ask_back for reply in back.replies} == {None}
