"""PubMed: citations, their versions, deletions and retractions, and everything that can be wrong in a file."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Row
from medgraph.loaders.mending import LeftOut
from medgraph.loaders.sources import pubmed
from medgraph.schema.records import Document, Entity, Section, Withdrawal
from medgraph.schema.vocabulary import part_type
from tests.support.paths import FILES
from tests.support.pubmed import article, heading, written

SMALL = FILES / "pubmed"
FIRST = SMALL / "pubmed26n0001.xml"


def documents(path):
    return [i.record for i in pubmed.records(path) if isinstance(i, Row) and isinstance(i.record, Document)]


def rejects(path):
    return [item for item in pubmed.records(path) if isinstance(item, Reject)]


def test_a_citation_with_everything():
    document = documents(FIRST)[0]
    assert document == Document(
        id="PMID:101",
        title="Salbutamol in acute asthma: FEV1 after one hour.",
        url="https://pubmed.ncbi.nlm.nih.gov/101/",
        published="2024-11-05",
        sections=(
            Section("PMID:101#1", "Asthma narrows the airways & salbutamol widens them.", "background", "BACKGROUND"),
            Section("PMID:101#2", "FEV1 after one hour.", "methods", "MAIN OUTCOME MEASURES"),
            Section("PMID:101#3", "It rose by a fifth (p < 0.01).", "results", "FINDINGS"),
            Section("PMID:101#4", "Salbutamol helps.", "conclusions", "CONCLUSIONS"),
            Section(
                "PMID:101#5",
                "A spray that opens the airways works within the hour.",
                "information",
                "Plain language summary",
            ),
        ),
        about=("MESH:D001249", "MESH:D000420"),
        authors=("Doe, Jane A", "Roe, Richard Jr", "Made-up Asthma Group"),
        journal="Journal of Made-up Medicine",
        doi="10.1000/made.up.101",
        translations=("En français.@fr",),
        revision="0001 2025-03-07",
        properties=(
            ("copyright", "© 2024 The Authors."),
            ("keywords", ("bronchodilation", "spray")),
            ("languages", ("eng", "fre")),
            ("pmc", "PMC900101"),
            ("publication_types", ("Journal Article", "Randomized Controlled Trial")),
        ),
    )


def test_a_retracted_article_keeps_its_title_only(tmp_path):
    document = documents(FIRST)[1]
    assert document.retracted
    assert document.sections == ()
    assert dict(document.properties)["retraction_notices"] == ("PMID:103",)
    assert document.published == "1998-12"
    abstract = "<Abstract><AbstractText>Text.</AbstractText></Abstract>"
    note = (
        '<CommentsCorrectionsList><CommentsCorrections RefType="{}"><RefSource>x</RefSource></CommentsCorrections>'
        "</CommentsCorrectionsList>"
    )
    kind = '<PublicationType UI="D016440">Retraction of Publication</PublicationType>'
    by_notice, quoted, notice = documents(
        written(
            tmp_path,
            article("1", core=abstract, citation=note.format("RetractionIn")),
            article("2", core=abstract, citation=note.format("ErratumIn")),
            article(
                "3",
                core=f"{abstract}<PublicationTypeList>{kind}</PublicationTypeList>",
            ),
        )
    )
    assert by_notice.retracted
    assert not by_notice.sections
    assert not quoted.retracted
    assert not notice.retracted


def test_a_folder_is_read_in_the_order_of_names_and_deletions_are_withdrawn():
    rows = list(pubmed.records(SMALL))
    later = [row.record for row in rows if row.file.endswith("2.xml")]
    assert [record for record in later if isinstance(record, Withdrawal)] == [
        Withdrawal("PMID:104"),
        Withdrawal("PMID:999"),
    ]
    assert later[0].id == "PMID:101"
    assert pubmed.SOURCE.last_wins
    assert pubmed.describe(SMALL).version == "pubmed26n0002"
    assert pubmed.describe(FIRST).version == "pubmed26n0001"


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("<Year>2024</Year><Month>Feb</Month><Day>9</Day>", "2024-02-09"),
        ("<Year>2024</Year><Month>2</Month>", "2024-02"),
        ("<Year>2024</Year><Season>Fall</Season>", "2024"),
        ("<Year>2024</Year>", "2024"),
        ("<MedlineDate>2000 Nov-Dec</MedlineDate>", "2000-11"),
        ("<MedlineDate>1998 Dec 15-31</MedlineDate>", "1998-12"),
        ("<MedlineDate>1975-1976</MedlineDate>", "1975"),
        ("<MedlineDate>Spring 2000</MedlineDate>", "2000"),
        ("<MedlineDate>2000 Spring</MedlineDate>", "2000"),
        ("<MedlineDate>no date</MedlineDate>", ""),
    ],
)
def test_dates_as_far_as_they_go(tmp_path, date, expected):
    assert documents(written(tmp_path, article(date=date)))[0].published == expected


@pytest.mark.parametrize(
    ("label", "category", "expected"),
    [
        ("", "", "information"),
        ("UNLABELLED", "", "information"),
        ("ANYTHING", "METHODS", "methods"),
        ("PATIENTS AND METHODS", "UNASSIGNED", "methods"),
        ("METHODS AND RESULTS", "", "results"),
        ("BACKGROUND AND AIMS", "", "objective"),
        ("SUMMARY OF BACKGROUND DATA", "", "background"),
        ("INTERPRETATION", "", "conclusions"),
        ("DIAGNOSIS", "", "exams and tests"),
        ("LIMITATIONS", "", "other information"),
    ],
)
def test_labels_become_few_types(label, category, expected):
    assert part_type(label, category) == expected


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (article(pmid="12a"), r"citation 12a: it has no PMID \(a number\) or no article; get the file again"),
        (article(title="a &#0; b".replace("&#0;", "\x7f")), r"the title holds the control character U\+007F"),
        ("<PubmedArticle><MedlineCitation><PMID>1</PMID></MedlineCitation></PubmedArticle>", r"no article"),
        ("<PubmedArticle/>", r"citation without PMID: "),
        (
            article().replace('Version="1"', 'Version="new"'),
            r"its version 'new' is not a number of at most four digits",
        ),
        ("<PubmedBookArticle><BookDocument/></PubmedBookArticle>", r"is a book or a chapter of one, which is not read"),
        ("<DeleteCitation><PMID>x</PMID></DeleteCitation>", r"deletes 'x', which is no PMID"),
    ],
)
def test_what_is_rejected_and_why(tmp_path, broken, reason):
    path = written(tmp_path, article("7"), broken, article("9"))
    assert [document.id for document in documents(path)] == ["PMID:7", "PMID:9"]
    (reject,) = rejects(path)
    assert (reject.file, reject.line) == (str(path), 3)
    assert re.search(reason, reject.reason)


def test_numbers_of_marked_texts_keep_their_meaning(tmp_path):
    math = (
        '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac></m:math>'
    )
    said = f"At least 10<sup>5</sup> CFU/mL; 10<sup>-9</sup> M of H<sub>2</sub>O<sub>2</sub>. The share was {math}."
    (found,) = documents(written(tmp_path, article(core=f"<Abstract><AbstractText>{said}</AbstractText></Abstract>")))
    assert found.sections[0].text == "At least 10⁵ CFU/mL; 10⁻⁹ M of H2O2. The share was 1/2."


@pytest.mark.parametrize(
    ("cited", "field", "expected", "remark"),
    [
        (
            article(date="<Year>2012</Year><Month>Sep</Month><Day>31</Day>"),
            "published",
            "2012-09",
            "is kept as 2012-09",
        ),
        (article(title=""), "title", "[No title available]", "it has no title"),
        (
            article(
                headings="<MeshHeadingList><MeshHeading><DescriptorName>Old</DescriptorName></MeshHeading></MeshHeadingList>"
            ),
            "about",
            (),
            "its heading 'Old' has no UI such as D001249",
        ),
    ],
)
def test_what_cannot_be_held_goes_with_a_remark_and_the_citation_stays(tmp_path, cited, field, expected, remark):
    row, said = pubmed.records(written(tmp_path, cited))
    assert getattr(row.record, field) == expected
    assert (remark in said.text, said.line) == (True, row.line)


def test_titles_and_abstracts_in_other_languages_are_kept_with_these(tmp_path):
    (found,) = documents(
        written(
            tmp_path,
            article(
                title="[Comparison of two drugs].",
                core="<VernacularTitle>Comparaison de deux remèdes.</VernacularTitle>",
                headings='<OtherAbstract Type="Publisher" Language="fre"><AbstractText>Le premier remède était '
                "meilleur.</AbstractText></OtherAbstract>",
            ),
        )
    )
    assert found.translations == ("Comparaison de deux remèdes.@fr", "Le premier remède était meilleur.@fr")
    assert found.sections == ()


def test_notices_chemicals_and_supplementary_headings(tmp_path):
    notes = "".join(
        f'<CommentsCorrections RefType="{kind}"><RefSource>J 2</RefSource>{pmid}</CommentsCorrections>'
        for kind, pmid in [
            ("ExpressionOfConcernIn", "<PMID>8</PMID>"),
            ("PartialRetractionIn", ""),
            ("CorrectedandRepublishedIn", "<PMID>9</PMID>"),
            ("ErratumIn", "<PMID>10</PMID>"),
            ("Cites", "<PMID>11</PMID>"),
        ]
    )
    headings = (
        '<ChemicalList><Chemical><RegistryNumber>0</RegistryNumber><NameOfSubstance UI="D001241">Aspirin'
        '</NameOfSubstance></Chemical></ChemicalList><SupplMeshList><SupplMeshName Type="Disease" UI="C537182">'
        "A rare one</SupplMeshName></SupplMeshList>"
    )
    listed = f"<CommentsCorrectionsList>{notes}</CommentsCorrectionsList>"
    path = written(tmp_path, article(citation=listed, headings=headings))
    assert [
        record.name for item in pubmed.records(path) if isinstance(record := getattr(item, "record", None), Entity)
    ] == [
        "A rare one",
        "Aspirin",
    ]
    (found,) = documents(path)
    assert found.about == ("MESH:C537182", "MESH:D001241")
    assert not found.retracted
    assert found.notices == (
        "expression of concern PMID:8",
        "partial retraction J 2",
        "corrected and republished PMID:9",
        "erratum PMID:10",
    )


def test_a_cut_off_file_gives_what_came_before(tmp_path):
    path = tmp_path / "pubmed26n0001.xml"
    path.write_bytes(FIRST.read_bytes()[:5000])
    found = []
    with pytest.raises(SourceFileError, match=r"pubmed26n0001\.xml:\d+: is no XML from here on"):
        found.extend(item.record.id for item in pubmed.records(path))
    assert found == ["MESH:D001249", "MESH:D000420", "PMID:101"]


def test_headings_beyond_measure_do_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(pubmed, "MAX_KNOWN", 3)
    known = {}
    path = written(tmp_path, *(article(n, headings=heading(n % 5)) for n in range(1, 21)))
    rows = list(pubmed._items(pubmed.file_items(path), known, LeftOut()))
    assert len(known) <= 3
    assert {row.record.id for row in rows if isinstance(row.record, Entity)} == {f"MESH:D{n:06d}" for n in range(5)}


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=10), max_size=4))
def test_whatever_the_texts_are_a_citation_becomes_a_document_or_a_reject(words):
    root = etree.fromstring(article())
    core = root.find("MedlineCitation/Article")
    abstract = etree.SubElement(core, "Abstract")
    for word in words:
        etree.SubElement(abstract, "AbstractText", Label=word).text = word
    document = pubmed._document(root, (), [])
    assert [section.text for section in document.sections] == [t for word in words if (t := xml_text(word))]


def xml_text(word):
    return re.sub(r"[ \t\r\n]+", " ", word).strip(" ")
