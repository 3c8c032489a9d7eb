"""A question on one medicine and one kind of section is answered by the lead of that section of its label."""

import pytest

from medgraph.answers.answer import ANSWERED, NOT_ENOUGH_EVIDENCE, RELATED
from medgraph.answers.leads import with_labels
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from medgraph.queries.retriever import Retriever
from tests.support.answers import answerer_of, check_citations
from tests.support.graphs import prepared
from tests.support.linking import names_of
from tests.support.paths import FILES

LABELS = FILES / "answers" / "labels.json"  # in the form of openFDA


@pytest.fixture
def labels(graph, encoder, settings):
    def fill():
        load_named(graph, settings, "openfda", LABELS)
        index(graph, encoder, "all")

    return answerer_of(prepared(graph, "labels", fill), encoder)


@pytest.fixture
def readers(labels, graph, encoder, sentence_reader):
    """What answers from labels without what reads sentences, and with it."""
    return labels, answerer_of(graph, encoder, sentence_reader)


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


@pytest.mark.parametrize(
    "question",
    [
        "Does ethambutol damage eyesight?",
        "My doctor gave me ethambutol. I am scared for my eyes. Can it make me blind?",
    ],
)
def test_what_a_label_says_in_other_words_is_read(readers, graph, question):
    without, reads = readers
    assert without.ask(question).sentences == ()
    answer = reads.ask(question)
    assert answer.status == ANSWERED
    assert "irreversible blindness" in answer.sentences[0].text
    assert "Ethambutol (tablet)" in answer.sentences[0].about
    check_citations(graph, answer)


@pytest.mark.parametrize(
    "question",
    [
        "Who discovered ethambutol?",
        "My father has taken ethambutol since May. Which pharmacy in Ohio sells it?",
        "Does ethambutol cream damage eyesight?",
        "Does rifampin damage eyesight?",
        "Who should not take quinapril on holiday?",  # the lead tells who should not, and nothing of holidays
    ],
)
def test_what_no_sentence_of_a_label_answers_is_not_read_into_it(readers, question):
    said = " ".join(one.text.lower() for one in readers[1].ask(question).sentences)
    assert not any(name in said for name in ("ethambutol", "quinapril"))


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


def test_what_to_do_about_a_forgotten_dose_is_quoted_for_all_who_take_it_or_for_nobody(readers):
    for labels in readers:
        quoted = " ".join(one.text for one in labels.ask("rivaroxaban missed dose").sentences)
        assert "Two tablets" in quoted
        assert "20 mg once daily" in quoted
        assert not any("Two tablets" in one.text for one in labels.ask("apixaban missed dose").sentences)


@pytest.mark.parametrize(
    "question",
    ["how much paracetamol can i take a day", "paracetamol dose for my 3 year old", "lisinopril dose for my son"],
)
def test_a_dose_for_children_is_quoted_for_no_adult_and_no_dose_for_a_child(readers, question):
    for labels in readers:
        assert not any("dose" in one.text or "mL" in one.text for one in labels.ask(question).sentences)


def test_a_dose_for_every_day_is_not_quoted_of_what_most_take_once_a_week(readers):
    for labels in readers:
        assert [one.text[:13] for one in labels.ask("methotrexate dosage").sentences] == ["For psoriasis"]


@pytest.mark.parametrize(
    "question",
    [
        "lisinopril unicorns",
        "i took my lisinopril and now i have seen a rabbit",
        "how many mg of lisinopril for sleep",
        "how to lower your dosage of lisinopril",
        "I had no lisinopril for ten days. Do I go right back to 20 mg?",
    ],
)
def test_what_no_label_tells_of_is_not_answered(readers, question):
    assert not any(labels.ask(question).sentences for labels in readers)


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
    each = zip((10, 20), looks, strict=True)
    tablets = [TABLET.format(name=name, strength=mg, color=color, imprint=imprint) for mg, (color, imprint) in each]
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
        "valsartan dosage",  # a part of a combination, and an injection of what is swallowed
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
def test_what_no_label_says_is_not_answered(readers, question):
    for labels in readers:
        assert labels.ask(question).status in {NOT_ENOUGH_EVIDENCE, RELATED}


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
        ("I was given ethambutal. Can it make me blind?", "Did you mean ethambutol?", ["i was given ethambutol. can"]),
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
