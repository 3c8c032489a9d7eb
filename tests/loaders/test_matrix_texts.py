"""Kinds of text in every format that holds texts: what each becomes, a row an expectation."""

import json

import pytest

from medgraph.loaders.base import Remark, Row
from medgraph.loaders.mapping.source import from_file
from medgraph.loaders.sources import (
    disease_pages,
    disease_tables,
    documents,
    medquad,
    pubmed,
    pubmedqa,
    question_tables,
)
from medgraph.schema.folding import folded_words
from medgraph.schema.records import Document, Entity

MAPPING = """
source: {id: m, title: M, version: "1", licence: CC0-1.0}
documents:
  - {id: "m:{id}", title: "{title}", published: "{date}", sections: [{text: "{text|marks}"}]}
"""


def pubmed_file(folder, text, title, date):
    year, month, day = [*date.split("-"), "", "", ""][:3]
    parts = {"Year": year, "Month": month, "Day": day}
    said = "".join(f"<{tag}>{part}</{tag}>" for tag, part in parts.items() if part)
    path = folder / "pubmed99n0001.xml"
    path.write_text(
        '<!DOCTYPE PubmedArticleSet PUBLIC "x" "https://example.org/x.dtd"><PubmedArticleSet><PubmedArticle>'
        f'<MedlineCitation><PMID Version="1">1</PMID><Article><Journal><JournalIssue><PubDate>{said}</PubDate>'
        f"</JournalIssue><Title>J</Title></Journal><ArticleTitle>{title}</ArticleTitle><Abstract><AbstractText>{text}"
        "</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>",
        encoding="utf-8",
    )
    return pubmed.records(path)


def documents_file(folder, text, title, date):
    path = folder / "corpus.jsonl"
    path.write_text(json.dumps({"id": "a", "title": title, "published": date, "sections": [{"text": text}]}))
    return documents.records(path)


def medquad_file(folder, text, title, _date):
    (folder / "1_X_QA").mkdir()
    (folder / "1_X_QA" / "0000001.xml").write_text(
        f'<Document id="1" source="X" url="https://example.org"><Focus>{title}</Focus><QAPairs><QAPair pid="1">'
        f'<Question qid="1-1" qtype="information">What is it?</Question><Answer>{text}</Answer></QAPair></QAPairs>'
        "</Document>",
        encoding="utf-8",
    )
    return medquad.records(folder)


def pubmedqa_file(folder, text, _title, date):
    path = folder / "ori.json"
    path.write_text(json.dumps({"1": {"QUESTION": "q", "CONTEXTS": [text], "LABELS": ["RESULTS"], "YEAR": date}}))
    return pubmedqa.records(path)


def pages_file(folder, text, title, date):
    path = folder / "pages.jsonl"
    path.write_text(json.dumps({"disease": title, "overview": text, "published": date}))
    return disease_pages.records(path)


def questions_file(folder, text, title, _date):
    path = folder / "asked.jsonl"
    path.write_text(json.dumps({"question": title, "answer": text}))
    return question_tables.records(path)


def mapped_file(folder, text, title, date):
    (folder / "m.yaml").write_text(MAPPING)
    path = folder / "t.jsonl"
    path.write_text(json.dumps({"id": "1", "title": title, "text": text, "date": date}))
    return from_file(folder / "m.yaml").records(path)


FORMATS = {
    make.__name__.removesuffix("_file"): make
    for make in (pubmed_file, documents_file, medquad_file, pubmedqa_file, pages_file, questions_file, mapped_file)
}
XML = ("pubmed", "medquad")
DATED = ("pubmed", "documents", "pubmedqa", "pages", "mapped")
UNTITLED = ("pubmed", "documents", "mapped")


def made(name, folder, text="Text.", title="Gout", date="2012"):
    items = list(FORMATS[name](folder, text, title, date))
    (document,) = [item.record for item in items if isinstance(item, Row) and isinstance(item.record, Document)]
    return document, [item for item in items if isinstance(item, Remark)]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("10<sup>5</sup> CFU and 10<sup>-9</sup> M", "10⁵ CFU and 10⁻⁹ M"),
        ("10<sup>\u22123</sup>, m<sup>2</sup>, x<sup>1.5</sup>", "10⁻³, m², x^1.5"),
        ("H<sub>2</sub>O<sub>2</sub>, C<sub>max</sub>, log<sub>2</sub>10", "H2O2, Cmax, log₂10"),
        ("the 19<sup>th</sup>, said<sup>1,2</sup>, Drug<sup>®</sup>", "the 19th, said¹,², Drug®"),
        ("½ of it, 2⅓, 10⁵, H₂O", "½ of it, 2⅓, 10⁵, H₂O"),
        ("10<sup>\u2212 3</sup>, 10<sup>5 \u2013 6</sup>, x<sup>a + b</sup>", "10⁻³, 10⁵⁻⁶, x^(a + b)"),
        ("<sup>14</sup>C, <sup>99m</sup>Tc, Ca<sup>2+</sup>, p53<sup>\u2212/\u2212</sup>", "¹⁴C, ⁹⁹ᵐTc, Ca²⁺, p53⁻/⁻"),
        ("10<sup><i>5</i></sup>, 10<SUP>5</SUP>, seen<sup>[1-3]</sup>", "10⁵, 10⁵, seen[1-3]"),
        ("\u03b1-synuclein, 5 \u00b5g", "\u03b1-synuclein, 5 \u00b5g"),
        ("Mo\u0308bius, \ufb01brosis, co\u00adagulation", "Mo\u0308bius, \ufb01brosis, co\u00adagulation"),
    ],
)
def test_numbers_and_marks_of_a_text_keep_their_meaning(tmp_path, name, text, stored):
    document, _ = made(name, tmp_path, text)
    assert document.sections[0].text == stored


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize(
    ("math", "stored"),
    [
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "The share was 1/2."),
        ("<msup><mn>10</mn><mn>5</mn></msup>", "The share was 10⁵."),
        ("<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>", "The share was ¹⁴₆C."),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "The share was (a, b)."),
        ("<mrow><mn>2</mn><mo>\u00d7</mo><msub><mi>x</mi><mn>1</mn></msub></mrow>", "The share was 2\u00d7x1."),
    ],
)
def test_formulas_keep_their_meaning(tmp_path, name, math, stored):
    document, _ = made(name, tmp_path, f"The share was <math>{math}</math>.")
    assert document.sections[0].text == stored


@pytest.mark.parametrize("name", FORMATS)
def test_names_of_characters_in_a_text_are_these_characters(tmp_path, name):
    twice = "&amp;" if name in XML else "&"
    said = f"p {twice}lt; .05, {twice}plusmn;2, 10{twice}lt;sup{twice}gt;{twice}minus;3{twice}lt;/sup{twice}gt;"
    document, _ = made(name, tmp_path, said)
    assert document.sections[0].text == "p < .05, ±2, 10⁻³"


@pytest.mark.parametrize("name", FORMATS)
def test_marks_in_titles_keep_their_meaning(tmp_path, name):
    if name == "pubmedqa":
        pytest.skip("its titles are made")
    if name == "mapped":
        pytest.skip("a mapping says `{title|marks}`")
    document, _ = made(name, tmp_path, title="Doses of 10<sup>5</sup>")
    assert document.title == "Doses of 10⁵"


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sjögren, Mo\u0308bius", "Sjogren Mobius"),
        ("\ufb01brosis, co\u00adagulation", "fibrosis coagulation"),
        ("H₂O₂, 10⁶ CFU", "H2O2 10 6"),
        ("\uff27\uff2f\uff35\uff34", "GOUT"),
        ("TNF-\u03b1", "alpha"),
    ],
)
def test_what_is_stored_folds_to_what_people_type(tmp_path, name, text, words):
    document, _ = made(name, tmp_path, text)
    assert folded_words(document.sections[0].text) == words


@pytest.mark.parametrize("name", DATED)
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("2012-09-30", "2012-09-30"),
        ("2012", "2012"),
        ("2012-09-31", "2012-09"),
        ("2013-02-29", "2013-02"),
        ("2012-Sep-03", "2012-09-03"),
        ("2012-Sept-31", "2012-09"),
        ("2012-13-01", "2012"),
        ("2012-Spring", "2012"),
    ],
)
def test_dates_are_kept_as_far_as_they_are_dates(tmp_path, name, said, kept):
    document, remarks = made(name, tmp_path, date=said)
    assert document.published == kept
    assert bool(remarks) or said == kept or (name, said) == ("pubmed", "2012-Sep-03")


@pytest.mark.parametrize("name", [one for one in DATED if one != "pubmed"])
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Sep 31, 2012", "2012-09"),
        ("12 September 2012", "2012-09-12"),
        ("Winter 2012", "2012"),
        ("2012/9/3", "2012-09-03"),
        ("2012-09-03T10:00:00Z", "2012-09-03"),
        ("in press", ""),
    ],
)
def test_dates_in_words_are_read(tmp_path, name, said, kept):
    document, remarks = made(name, tmp_path, date=said)
    assert document.published == kept
    assert remarks


@pytest.mark.parametrize("language", ["not a language", "x_y", "\u4e2d"])
def test_a_text_of_an_odd_language_keeps_its_document(tmp_path, language):
    parts = [{"text": "Text."}, {"text": "Le texte.", "language": language}]
    path = tmp_path / "corpus.jsonl"
    path.write_text(json.dumps({"id": 7, "title": "Gout", "published": 2012, "sections": parts}))
    (item,) = documents.records(path)
    assert (item.record.id, item.record.published) == ("7", "2012")
    assert item.record.translations == ("Le texte.@und",)


@pytest.mark.parametrize("date", ["<MedlineDate>n.d.</MedlineDate>", "<Year>20xx</Year>"])
@pytest.mark.parametrize("language", ["", "no language"])
def test_a_citation_stays_with_an_odd_date_and_language(tmp_path, date, language):
    _ = list(pubmed_file(tmp_path, "Text.", "Gout", ""))
    path = tmp_path / "pubmed99n0001.xml"
    other = f'</Article><OtherAbstract Language="{language}"><AbstractText>Le texte.</AbstractText></OtherAbstract>'
    said = path.read_text(encoding="utf-8").replace("<PubDate></PubDate>", f"<PubDate>{date}</PubDate>")
    path.write_text(said.replace("</Article>", other, 1), encoding="utf-8")
    row, remark = pubmed.records(path)
    assert (row.record.published, row.record.translations) == ("", ("Le texte.@und",))
    assert "is no date; left out" in remark.text


@pytest.mark.parametrize("name", UNTITLED)
@pytest.mark.parametrize("title", ["", " "])
def test_a_document_without_a_title_stays(tmp_path, name, title):
    document, remarks = made(name, tmp_path, title=title)
    assert (document.title, document.sections[0].text) == ("[No title available]", "Text.")
    assert "it has no title" in remarks[0].text


@pytest.mark.parametrize("nothing", ["nan", "None", "NaN", "null", "NA"])
@pytest.mark.parametrize("name", ["tables", "pages", "mapped"])
def test_what_stands_for_nothing_in_a_list_is_no_item(tmp_path, name, nothing):
    path = tmp_path / "t.csv"
    column = {"tables": "symptoms", "pages": "synonyms", "mapped": "names"}[name]
    path.write_text(f"disease,overview,{column}\nGout,Gout hurts at the joints.,\"['Fever', {nothing}, 'Cough']\"\n")
    (tmp_path / "m.yaml").write_text(
        'source: {id: m, title: M, version: "1", licence: CC0-1.0}\ncolumns: {names: {split: list}}\n'
        'entities: [{id: "m:{disease|slug}", label: Disease, name: "{disease}", synonyms: "{names}"}]\n'
    )
    source = {"tables": disease_tables, "pages": disease_pages, "mapped": from_file(tmp_path / "m.yaml")}[name]
    items = list(source.records(path))
    entities = [item.record for item in items if isinstance(item, Row) and isinstance(item.record, Entity)]
    found = [entity.name for entity in entities[1:]] if name == "tables" else list(entities[0].synonyms)
    assert found == ["Fever", "Cough"]
    assert not [item for item in items if not isinstance(item, Row)]


@pytest.mark.parametrize("name", ["t.jsonl", "t.json"])
def test_a_row_stays_where_a_number_is_none(tmp_path, name):
    rows = '{"id": "1", "n": NaN, "w": 2.0}'
    (tmp_path / name).write_text(rows if name == "t.jsonl" else f"[{rows}]")
    (tmp_path / "m.yaml").write_text(
        'source: {id: m, title: M, version: "1", licence: CC0-1.0}\nentities: [{id: "m:{id}", label: Disease, name: '
        '"{id}", properties: {n: {value: "{n}", type: number}, w: {value: "{w}", type: integer}}}]\n'
    )
    row, remark = from_file(tmp_path / "m.yaml").records(tmp_path / name)
    assert row.record.properties == (("w", 2),)
    assert "n is 'NaN', which is no finite number" in remark.text


@pytest.mark.parametrize("cell", ["{'Fever', 'Cough'}", "('Fever', 'Cough',)"])
def test_tuples_and_sets_are_lists(tmp_path, cell):
    path = tmp_path / "t.csv"
    path.write_text(f'disease,symptoms\nGout,"{cell}"\n')
    rows = [item.record for item in disease_tables.records(path) if isinstance(item, Row)]
    assert [row.name for row in rows if isinstance(row, Entity)] == ["Gout", "Fever", "Cough"]


def test_names_of_characters_are_read_where_xml_has_them(tmp_path):
    document, _ = made("pubmed", tmp_path, "&frac12; of &alpha;&nbsp;cells")
    assert document.sections[0].text == "½ of \u03b1\u00a0cells"
