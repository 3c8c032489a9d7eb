"""Health topics of MedlinePlus: topics, their pages in two languages, and what can be wrong in a file."""

import gzip
import zipfile
from html import escape

import pytest
from hypothesis import given

from medgraph.errors import RecordError, SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.commands import load_named
from medgraph.loaders.files import lines
from medgraph.loaders.sources import medlineplus
from medgraph.schema.records import Document, Entity, Relation, Section
from medgraph.schema.vocabulary import page_heading_type
from tests.support.graphs import run
from tests.support.markup import nested
from tests.support.paths import FILES

SMALL = FILES / "medlineplus" / "mplus_topics_2026-11-21.xml"


def topic(number, title, summary="", more="", language="English"):
    said = f"<full-summary>{escape(summary)}</full-summary>{more}"
    return f'<health-topic title="{title}" url="u" id="{number}" language="{language}">{said}</health-topic>'


def written(tmp_path, *topics, end="</health-topics>"):
    path = tmp_path / "mplus_topics_2026-11-21.xml"
    path.write_text("<health-topics>\n" + "\n".join(topics) + end, encoding="utf-8")
    return path


def of(path, kind):
    return [i.record for i in medlineplus.records(path) if isinstance(i, Row) and isinstance(i.record, kind)]


def heading(identifier, name, qualifier=""):
    return f'<mesh-heading><descriptor id="{identifier}">{name}</descriptor>{qualifier}</mesh-heading>'


def test_a_topic_with_everything():
    assert of(SMALL, Entity)[0] == Entity(
        "medlineplus:101",
        "Disease",
        "Asthma",
        ("Bronchial asthma",),
        related_synonyms=("Exercise-induced asthma",),
        xrefs=("MESH:D001249",),
        translations=("Asma@es", "Asma bronquial@es"),
    )
    assert of(SMALL, Document)[0] == Document(
        id="medlineplus:101",
        title="Asthma",
        url="https://medlineplus.gov/asthma.html",
        published="1998-10-22",
        sections=tuple(
            Section(f"medlineplus:101#{number}", text, kind, heading, heading if heading.endswith("?") else "")
            for number, (text, kind, heading) in enumerate(
                [
                    ("Asthma narrows the airways & makes you wheeze.", "information", "What is asthma?"),
                    (
                        "They include:\n- Coughing\n- Tightness\n  - at night",
                        "symptoms",
                        "What are the symptoms of asthma?",
                    ),
                    ("Pneumonia.", "complications", "What other problems can asthma cause?"),
                    ("More of it.", "other information", "An invented heading"),
                ],
                1,
            )
        ),
        about=("medlineplus:101", "MESH:D001249"),
        aliases=("Bronchial asthma", "Exercise-induced asthma"),
        properties=(
            ("attribution", "NIH: A made-up institute"),
            ("institute", "A made-up institute"),
            ("mapped_topic", "medlineplus:201"),
            ("topic_groups", ("Lungs and Breathing",)),
        ),
    )
    (related,) = of(SMALL, Relation)
    assert (related.subject, related.type, related.object) == ("medlineplus:101", "RELATED_TO", "medlineplus:102")


def test_a_page_in_spanish_is_a_translation_about_the_topic_in_english():
    spanish = of(SMALL, Document)[3]
    assert (spanish.title, spanish.sections, spanish.about) == ("Asma", (), ("medlineplus:101", "MESH:D001249"))
    assert spanish.translations == ("¿Qué es el asma?\n\nEstrecha las vías.@es",)


def test_what_is_rejected_left_out_and_counted():
    items = list(medlineplus.records(SMALL))
    assert [(i.line, i.reason) for i in items if isinstance(i, Reject)] == [
        (43, "topic x1: its id 'x1' is no number; get the file again"),
        (46, "topic 301: its language 'French' is neither English nor Spanish"),
    ]
    assert [(i.what or i.text, i.count) for i in items if isinstance(i, Remark)] == [
        ("topic 103: the date '2004-02-31' is kept as 2004-02", 0),
        ("links to pages of others, which are not read", 2),
        ("topics without a summary, of which the address is kept", 1),
    ]


@pytest.mark.parametrize(
    ("one", "other", "meant"),
    [
        (("Flu", heading("D1234567", "Influenza")), ("Cold", ""), ["MESH:D1234567"]),
        (("Flu", heading("D1234567", "Influenza")), ("Flu Shot", heading("D1234567", "Influenza")), []),
        (("Flu", heading("D1234567", "Flu")), ("Flu Shot", heading("D1234567", "Flu")), ["MESH:D1234567"]),
        (("Flu", heading("D1234567", "Flu", "<qualifier id='Q000188'>drug therapy</qualifier>")), ("Cold", ""), []),
        (("Flu", heading("D1234567", "Flu") + heading("D1234568", "Fever")), ("Cold", ""), []),
    ],
)
def test_a_topic_means_a_heading_that_is_its_only_one_and_no_other_topics(tmp_path, one, other, meant):
    path = written(tmp_path, topic(1, one[0], "<p>x</p>", one[1]), topic(2, other[0], "<p>x</p>", other[1]))
    assert [xref for entity in of(path, Entity) for xref in entity.xrefs] == meant


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("What is asthma?", "information"),
        ("Symptoms", "symptoms"),
        ("What causes gout?", "causes"),
        ("What health problems can diabetes cause?", "complications"),
        ("Who is at risk for gout?", "susceptibility"),
        ("How is gout diagnosed?", "exams and tests"),
        ("What are the treatments for gout?", "treatment"),
        ("Can gout be prevented?", "prevention"),
        ("When should I call my doctor?", "when to contact a medical professional"),
        ("Living with gout", "considerations"),
        ("The A1C scale", "other information"),
    ],
)
def test_headings_have_kinds(words, kind):
    assert page_heading_type(words) == kind


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("Plain text", [("", "Plain text")]),
        ("<h2></h2><p>a</p>", [("", "a")]),
        ("<p>a<h2>One</h2>b<br>c", [("", "a"), ("One", "b\nc")]),
        ("<h2>Nothing</h2><h2>Two <em>words</em></h2><p>a</p>", [("Two words", "a")]),
        ("<ul><li>a</li><ul><li>b</li></ul></ul><ol><li>c<li>d</ol>", [("", "- a\n  - b\n\n1. c\n2. d")]),
        ("<table><tr><th>Sign</th><th>Age</th></tr><tr><td>x</td><td>4</td></tr></table>", [("", "Sign: x; Age: 4")]),
        ("<p>a<script>b</script></p><style>c</style>", [("", "a")]),
        ("<p>10<sup>5</sup> &lt; 3&nbsp;m</p>", [("", "10⁵ < 3 m")]),
    ],
)
def test_a_page_is_parted_at_its_headings(html, expected):
    assert lines.parts(lines.html(html)) == expected


PAGES = nested("<div>{}</div>", "<h3>q</h3>{}", "<ul><li>{}</li></ul>", "<table><tr><td>{}</td></tr></table>")


@given(PAGES)
def test_no_word_is_lost_or_joined_to_another(page):
    found = lines.parts(lines.html(page))
    said = [word for _, text in found for word in text.replace("- ", " ").split() if word != "q"]
    plain = page.replace("<h3>q</h3>", " ").replace("<", " <").replace(">", "> ")
    assert said == [word for word in plain.split() if "<" not in word]


def test_what_is_nested_too_deep_is_rejected_not_cut(tmp_path):
    with pytest.raises(RecordError, match="nested too deep"):
        lines.html("<div>" * 5000 + "lost")
    items = list(medlineplus.records(written(tmp_path, topic(1, "A", "<div>" * 5000 + "lost"), topic(2, "B", "<p>b"))))
    assert [item.line for item in items if isinstance(item, Reject)] == [2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<topics/>", r"the outermost element <topics> where <health-topics> belongs: wrong file"),
        ("<health-topics><health-topic id='1' title='A'>", r"topics\.xml:1: is no XML from here on"),
        ('<!DOCTYPE a [<!ENTITY b "&c;">]><health-topics>&b;</health-topics>', r"declares the entity 'b', which"),
    ],
)
def test_a_broken_file_is_an_error_that_names_it(tmp_path, text, message):
    path = tmp_path / "topics.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceFileError, match=message):
        list(medlineplus.records(path))


def test_packed_files_are_recognised_and_read_alike(tmp_path):
    packed, zipped = tmp_path / "a.xml.gz", tmp_path / "mplus_topics_compressed_2026-11-21.zip"
    packed.write_bytes(gzip.compress(SMALL.read_bytes()))
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.write(SMALL, SMALL.name)
    expected = of(SMALL, Document)
    for path in (packed, zipped):
        assert of(path, Document) == expected
        assert medlineplus.SOURCE.describe(path).version in {"unversioned", "2026-11-21"}
    found = {path.name: name for path, name, _ in registry.recognised(tmp_path)}
    assert found == {packed.name: "medlineplus", zipped.name: "medlineplus"}


def test_a_broken_archive_is_an_error(tmp_path):
    path = tmp_path / "mplus_topics_compressed_2026-11-21.zip"
    path.write_bytes(b"PK\x03\x04cut")
    with pytest.raises(SourceFileError, match="is not a whole zip archive"):
        list(medlineplus.records(path))


def test_loading_twice_changes_nothing(database, settings, tmp_path):
    path = written(tmp_path, *SMALL.read_text(encoding="utf-8").split("\n")[3:42])
    first = load_named(database, settings, "medlineplus", path)
    again = load_named(database, settings, "medlineplus", path)
    assert (first.added, first.rejected, again.added, again.changed) == (10, 0, 0, 0)
    assert run(database, "MATCH (d:Document)-[:ABOUT]->(:Disease) RETURN count(DISTINCT d) AS n") == [{"n": 3}]
