"""What questions name: misspelt, in small letters, written apart or together; and what only looks like a name."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.linking import entity, linker_of

ENTITIES = (
    entity("d:asthma", "asthma"),
    entity("d:diabetes", "diabetes mellitus", "diabetes"),
    entity("d:t2", "type 2 diabetes mellitus", "type 2 diabetes", "NIDDM"),
    entity("d:ht", "hypertension", "high blood pressure"),
    entity("d:hep", "hepatitis"),
    entity("d:hepb", "hepatitis B"),
    entity("d:als", "amyotrophic lateral sclerosis", "ALS"),
    entity("d:ms", "multiple sclerosis", "MS"),
    entity("d:adem", "acute something", "ADD"),
    entity("d:kidney", "kidney stone", "nephrolithiasis"),
    entity("d:fmf", "familial Mediterranean fever"),
    entity("d:fever", "fever"),
    entity("d:west", "West syndrome", "IS"),
    entity("d:dystrophy", "muscular dystrophy", "MD"),
    entity("d:sugar", "hyperglycemia"),
    entity("d:potassium", "low potassium level"),
    entity("t:sugar", "Carbohydrates", "Sugars", label="Topic"),
    entity("d:dry", "dry eye"),
    entity("d:pancytopenia", "low blood cell count"),
    entity("d:name", "NAME Syndrome"),
    entity("d:lungca", "lung cancer"),
    entity("p:shingles", "shingles", label="Phenotype"),
    entity("d:zoster", "herpes zoster", "shingles"),
    entity("g:rest", "REST", label="Gene"),
    entity("g:brca1", "BRCA1", label="Gene"),
    entity("r:nsaid", "NSAID", label="DrugClass"),
    entity("a:heart", "heart", label="Anatomy"),
    entity("a:ovary", "ovary", label="Anatomy"),
    entity("d:hev", "Hendra Virus Disease (HeV)"),
    entity("d:pws", "Prader-Willi syndrome"),
    entity("d:cgd", "chronic granulomatous disease"),
    entity("d:muscle", "heart muscle disease"),
    entity("d:paresthesia", "paresthesia", label="Symptom"),
    entity("d:burn", "burn", label="SideEffect"),
    entity("d:eyeburns", "eye burns", label="SideEffect"),
    entity("d:irritation", "eye irritation", label="SideEffect"),
    entity("d:kneepain", "knee pain", label="Symptom"),
    entity("d:footpain", "foot pain", label="Symptom"),
    entity("d:edema", "edema", label="Symptom"),
    entity("d:bloating", "bloating", label="Symptom"),
    entity("d:cold", "feeling cold", label="SideEffect"),
    entity("d:migraine", "migraine"),
    entity("t:providers", "Types of health care providers", "Doctors", label="Topic"),
    entity("d:reaction", "drug reaction", "side effects", other_names=["bad reaction"]),
)


@pytest.fixture(scope="module")
def linker():
    return linker_of(*ENTITIES)


def asked(linker, text):
    return [(text[p[0].start : p[0].end], linker.holdings.id(p[0].entity)) for p in linker.question(text)]


@pytest.mark.parametrize(("text", "found"), examples("names_typed"))
def test_what_people_type_is_understood(linker, text, found):
    assert [list(mention) for mention in asked(linker, text)] == found


@pytest.mark.parametrize("text", examples("no_names"))
def test_other_words_and_other_numbers_name_nothing(linker, text):
    assert asked(linker, text) == []


def test_a_topic_stands_beside_the_disease_that_it_is_about():
    linker = linker_of(
        entity("d:1", "prostate cancer"),
        entity("t:1", "Prostate cancer - treatment", label="Topic"),
        entity("t:2", "Symptoms of prostate", label="Topic"),
        entity("t:3", "Footwear", label="Topic"),
    )
    assert asked(linker, "treatment for prostate cancer and footwear") == [
        ("treatment for prostate cancer", "t:1"),
        ("prostate cancer", "d:1"),
        ("footwear", "t:3"),
    ]
    assert asked(linker, "symptoms of prostate cancer") == [("prostate cancer", "d:1")]


def test_harm_to_a_part_of_the_body_is_asked_as_its_disease():
    kidney = entity("UBERON:1", "kidney", label="Anatomy")
    linker = linker_of(kidney, entity("d:ckd", "kidney disease"), entity("UBERON:2", "eye", label="Anatomy"))
    (place,) = linker.question("can it harm my kidneys?")
    assert [(linker.holdings.id(linked.entity), linked.method) for linked in place] == [
        ("d:ckd", "harm"),
        ("UBERON:1", "name"),
    ]
    assert asked(linker, "where are my kidneys?") == [("kidneys", "UBERON:1")]
    assert asked(linker, "is it bad for the eyes") == [("eyes", "UBERON:2")]  # nothing is called so


@given(st.text(max_size=200))
def test_any_text_may_be_asked(text):
    places = linker_of(*ENTITIES[:3]).question(text)
    spans = [(place[0].start, place[0].end) for place in places]
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What can I do about VHL?", "d:vhl"),
        ("is vhl curable", "d:vhl"),
        ("What does the VHL gene do?", "NCBIGene:7428"),
        ("a mutation in VHL", "NCBIGene:7428"),
        ("Which proteins do the VHL and TSC1 genes encode?", "NCBIGene:7428"),
    ],
)
def test_a_short_form_is_what_people_have_where_no_gene_is_asked_about(question, meant):
    linker = linker_of(
        entity("NCBIGene:7428", "VHL", label="Gene"), entity("d:vhl", "von Hippel-Lindau disease", "VHL")
    )
    assert [id_ for _, id_ in asked(linker, question)] == [meant]


def test_a_name_in_another_order_takes_no_part_of_one_as_it_stands():
    linker = linker_of(entity("d:wilson", "Wilson disease"), entity("d:inherited", "inherited disease"))
    assert asked(linker, "How is Wilson disease inherited?") == [("Wilson disease", "d:wilson")]


def test_words_of_english_are_neither_misspelt_nor_short_forms():
    linker = linker_of(
        entity("d:odd", "oppositional defiant disorder", "ODD"),
        entity("d:fish", "fish-eye disease", "FED"),
        entity("d:confetti", "ichthyosis with confetti", "CRIE"),
        entity("d:bruise", "bruise"),
        entity("d:sweat", "sweat"),
        entity("d:prostate", "enlarged prostate"),
        entity("d:pots", "postural orthostatic tachycardia syndrome", "POTS"),
        entity("d:uti", "urinary tract infection", "UTI"),
    )
    everyday = "what are the odds, I'm fed up. Fed by bottle, my baby cries on the cruise and my husband swears"
    assert not asked(linker, everyday)
    assert asked(linker, "my son has ODD, is it FED or CRIE") == [
        ("ODD", "d:odd"),
        ("FED", "d:fish"),
        ("CRIE", "d:confetti"),
    ]
    assert asked(linker, "pots or uti") == [("pots", "d:pots"), ("uti", "d:uti")]
    assert asked(linker, "enlarged prostrate, bruises") == [
        ("enlarged prostrate", "d:prostate"),
        ("bruises", "d:bruise"),
    ]


@pytest.mark.parametrize(("text", "found"), examples("complaints"))
def test_what_is_said_of_a_part_of_the_body_is_its_symptom(linker, text, found):
    assert [list(mention) for mention in asked(linker, text)] == found
