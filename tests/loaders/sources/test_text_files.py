"""Texts of one's own: PDF, DOCX, HTML, Markdown and plain text become documents with sections, or say why not."""

import datetime
import zipfile

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from medgraph.errors import InputError, SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.commands import LoadOptions, load_named, task_of
from tests.support.graphs import run
from tests.support.paths import ROOT

SOURCE = registry.SOURCES["files"]
PAGE = """<!DOCTYPE html><html lang="en"><head><title>Asthma - Our clinic</title><meta charset="utf-8">
<meta name="author" content="Dr Añez"><meta name="dcterms.modified" content="2025-03-04T10:00:00Z">
<link rel="canonical" href="https://clinic.example/asthma"><style>p {color: red}</style></head><body>
<nav><a href="/">Home</a></nav><p>Cookies!</p><main><h1>Asthma</h1><p>A disease<br>of the lungs &amp; airways.</p>
<h2>Symptoms</h2><p>They <b>include</b>:</p><ul><li>wheezing<li>coughing <ol start=3><li>at night</ol></ul>
<div hidden>Hidden.</div><del>Gone.</del><h2>Treatment</h2><h3>How often?</h3>
<table><caption>Inhalers</caption><thead><tr><th>Age<th colspan=2>Dose</tr></thead>
<tr><td rowspan=2>child<td>10<sup>2</sup> mcg<td>daily</tr><tr><td>H<sub>2</sub>O<td></tr></table>
<dl><dt>Spacer<dd><p>A tube.</p></dl><pre>one
two</pre></main><footer>© 2025</footer></body></html>"""


def documents(path, **options):
    return [item.record for item in SOURCE.records(path, **options) if isinstance(item, Row)]


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def parts(document):
    return [(section.id.rpartition("#")[2], section.heading, section.text) for section in document.sections]


def test_a_page_of_html(tmp_path):
    (page,) = documents(written(tmp_path, "as thma.html", PAGE), name="clinic")
    assert (page.id, page.title, page.url) == ("clinic:as thma.html", "Asthma", "https://clinic.example/asthma")
    assert (page.authors, page.published) == (("Dr Añez",), "2025-03-04")
    assert parts(page) == [
        ("1", "", "A disease\nof the lungs & airways."),
        ("2", "Symptoms", "They include:\n- wheezing\n- coughing\n  3. at night"),
        (
            "3",
            "Treatment > How often?",
            "Inhalers\nAge: child; Dose: 10² mcg; Dose: daily\nAge: child; Dose: H2O\n\nSpacer: A tube.\n\none\ntwo",
        ),
    ]
    assert [(section.type, section.question) for section in page.sections] == [
        ("", ""),
        ("symptoms", ""),
        ("treatment", "How often?"),
    ]
    (page,) = documents(tmp_path / "as thma.html", base="https://clinic.example/leaflets/")
    assert page.url == "https://clinic.example/leaflets/as%20thma.html"


@pytest.mark.parametrize(
    ("head", "encoding"), [("", "utf-8"), ("", "utf-8-sig"), ("<meta charset=windows-1252>", "cp1252")]
)
def test_encodings_of_html(tmp_path, head, encoding):
    (page,) = documents(written(tmp_path, "a.htm", f"{head}<h1>Ménière</h1><p>Naïve € 5".encode(encoding)))
    assert (page.title, page.sections[0].text) == ("Ménière", "Naïve € 5")


def test_a_page_without_main_and_with_headings_alone(tmp_path):
    page = "<body><header>Logo</header><h1>Burns</h1><h2>Call 999</h2><h2>First aid</h2><p>Cool it.</p></body>"
    (page,) = documents(written(tmp_path, "b.html", page))
    assert parts(page) == [("1", "", "Call 999"), ("2", "First aid", "Cool it.")]


def test_markdown(tmp_path):
    text = "---\ntitle: Gout\nauthor: Dr B\ndate: 2024-05-06\n---\n# Gout\n\nUric acid ~~is good~~.\n\n"
    text += "## Doses\n\n| Drug | Dose |\n|---|---|\n| Colchicine | 0.5 mg |\n\n1. Ask.\n2. Take.\n"
    (page,) = documents(written(tmp_path, "gout.md", text))
    assert (page.title, page.authors, page.published) == ("Gout", ("Dr B",), "2024-05-06")
    assert parts(page) == [
        ("1", "", "Uric acid ."),
        ("2", "Doses", "Drug: Colchicine; Dose: 0.5 mg\n\n1. Ask.\n2. Take."),
    ]


def test_plain_text(tmp_path):
    text = "Hay fever\n=========\n\nPollen makes the nose run, as it does each\n  year in spring.\n\n"
    text += "Symptoms\n--------\n- sneezing\n- a runny nose that goes on for the whole of the day\n- itching\n"
    (page,) = documents(written(tmp_path, "hay-fever.txt", text))
    assert page.title == "Hay fever"
    assert parts(page) == [
        ("1", "", "Pollen makes the nose run, as it does each\nyear in spring."),
        ("2", "Symptoms", "- sneezing\n- a runny nose that goes on for the whole of the day\n- itching"),
    ]


def word(path):
    made = docx.Document()
    made.core_properties.title, made.core_properties.author = "Leaflet 7", "Dr A; Dr B"
    made.core_properties.modified = datetime.datetime(2025, 3, 4, tzinfo=datetime.UTC)
    made.add_heading("Asthma", 0)
    made.add_heading("Symptoms", 1)
    for text in ("wheezing", "coughing at night — naïve"):
        made.add_paragraph(text, style="List Bullet")
    made.add_heading("Doses", 1)
    table = made.add_table(rows=3, cols=2)
    for number, cells in enumerate([("Age", "Dose"), ("1-5 years", "100 mcg"), ("6-11 years", "200 mcg")]):
        table.cell(number, 0).text, table.cell(number, 1).text = cells
    line = made.add_paragraph("Take 10")
    line.add_run("2").font.superscript = True
    space = f'{nsdecls("w")} w:id="1" w:author="x"'
    line._p.append(parse_xml(f'<w:ins {space}><w:r><w:t xml:space="preserve"> at most</w:t></w:r></w:ins>'))
    line._p.append(parse_xml(f"<w:del {space}><w:r><w:delText> or more</w:delText></w:r></w:del>"))
    line.add_run(" often").font.strike = True
    made.save(path)
    return path


def test_word(tmp_path):
    (page,) = documents(word(tmp_path / "asthma.docx"))
    assert (page.title, page.authors, page.published) == ("Asthma", ("Dr A", "Dr B"), "2025-03-04")
    rows = "Age: 1-5 years; Dose: 100 mcg\nAge: 6-11 years; Dose: 200 mcg"
    assert parts(page) == [
        ("1", "Symptoms", "- wheezing\n- coughing at night — naïve"),
        ("2", "Doses", f"{rows}\n\nTake 10² at most"),
    ]


def lines(canvas, top, *texts, size=11, step=14, bold=False):
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
    for number, text in enumerate(texts):
        for left, cell in zip((60, 200, 340), text if isinstance(text, tuple) else (text,), strict=False):
            canvas.drawString(left, top - number * step, cell)


FILL = "Gout comes back often, and each attack may last for a week or for two"


def leaflet(path, **settings):
    canvas = Canvas(str(path), pagesize=A4, **settings)
    canvas.setTitle("Microsoft Word - gout.doc")
    canvas.setAuthor("Dr C")
    for page in (1, 2, 3):
        lines(canvas, 815, "Our clinic: leaflets on joints", size=9)
        lines(canvas, 25, f"Gout | {page} of 3", size=9)
        if page == 1:
            lines(canvas, 770, "Gout", size=20)
            lines(canvas, 740, "Symptoms", size=14, bold=True)
            lines(canvas, 715, f"{FILL}, unless the treat-", "ment is a long-term one. It is", "swollen.")
            lines(
                canvas,
                640,
                f"The joint is red and {FILL.lower()}",
                "and the skin over it is so tender that not even a sheet",
            )
        elif page == 2:
            lines(canvas, 770, "can be borne. This goes on for some days, also without treatment.")
            lines(canvas, 740, "Doses", size=14, bold=True)
            lines(
                canvas,
                715,
                ("Drug", "Dose", "Daily"),
                ("Colchicine", "0.5 mg", "2 times"),
                ("Naproxen", "5 mg", "once 1"),
            )
            lines(
                canvas,
                640,
                "Ask your doctor about:",
                "• other medicines that you take for anything else",
                "  at the time",
                "• water",
            )
        else:
            lines(canvas, 770, f"{FILL}, which is a long-", "term burden.")
            lines(canvas, 700, ("Diet", "Weight"), ("beer is out,", "less of it"), ("and liver too.", "is better."))
        canvas.showPage()
    canvas.save()
    return path


def test_pdf(tmp_path):
    (page,) = documents(leaflet(tmp_path / "gout.pdf"))
    assert (page.title, page.authors) == ("Gout", ("Dr C",))
    assert parts(page) == [
        (
            "page=1",
            "Symptoms",
            f"{FILL}, unless the treatment is a long-term one. It is swollen.\n\nThe joint is red and {FILL.lower()} "
            "and the skin over it is so tender that not even a sheet can be borne. This goes on for some days, also "
            "without treatment.",
        ),
        (
            "page=2",
            "Doses",
            "Drug: Colchicine; Dose: 0.5 mg; Daily: 2 times\nDrug: Naproxen; Dose: 5 mg; Daily: once 1\n\n"
            "Ask your doctor about:\n- other medicines that you take for anything else at the time\n- water",
        ),
        (
            "page=3",
            "Doses",
            f"{FILL}, which is a long-term burden.\n\nDiet beer is out, and liver too.\nWeight less of it is better.",
        ),
    ]


def test_exponents_in_a_pdf_stay_exponents(tmp_path):
    canvas = Canvas(str(tmp_path / "a.pdf"))
    text = canvas.beginText(60, 700)
    for rise, part in ((0, "Take 10"), (4, "5"), (0, " units of CO"), (-2, "2"), (0, " as a gas.")):
        text.setRise(rise)
        text.setFont("Helvetica", 7 if rise else 11)
        text.textOut(part)
    canvas.drawText(text)
    canvas.save()
    (page,) = documents(tmp_path / "a.pdf")
    assert page.sections[0].text == "Take 10⁵ units of CO2 as a gas."


def scan(path, *texts):
    canvas = Canvas(str(path))
    for text in texts:
        canvas.drawString(60, 700, text) if text else canvas.drawImage(
            ImageReader(ROOT / "docs" / "pictures" / "answer.webp"), 0, 0, 500, 700
        )
        canvas.showPage()
    canvas.save()
    return path


def test_pages_that_are_scanned_are_named(tmp_path):
    page, remark = SOURCE.records(scan(tmp_path / "half.pdf", "A page of text.", "", "Another one."))
    assert [text for *_, text in parts(page.record)] == ["A page of text.", "Another one."]
    assert "pages that are images without text are left out: 2; recognise their text" in remark.text


def packed(path, **members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return path


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda f: scan(f / "a.pdf", "", ""), r"a\.pdf: is scanned: images without text; have its text recognised"),
        (lambda f: leaflet(f / "a.pdf", encrypt="x"), r"a\.pdf: is protected by a password; save it without one"),
        (lambda f: written(f, "a.pdf", b"%PDF-1.4 cut off"), r"a\.pdf: is no sound PDF"),
        (lambda f: written(f, "a.docx", b"\xd0\xcf\x11\xe0 encrypted"), r"a\.docx: is protected by a password, or of"),
        (lambda f: written(f, "a.docx", b"text"), r"a\.docx: is not a whole zip archive"),
        (lambda f: packed(f / "a.docx", x="y"), r"a\.docx: is a zip archive, but no document of Word"),
        (lambda f: packed(f / "a.docx", word__vbaProject="").rename(f / "a.docm"), r"a\.docm: may hold macros"),
        (lambda f: macros(f / "a.docx"), r"a\.docx: holds macros, which are not let in; save it as \.docx without"),
        (lambda f: written(f, "a.doc", b"x"), r"a\.doc: is of the old format of Word; save it as \.docx"),
        (lambda f: written(f, "a.exe", b"x"), r"a\.exe: is none of \.pdf, \.docx"),
        (lambda f: written(f, "a.txt", b"one\ntw\xfc\n"), r"a\.txt:2: is not UTF-8: byte 0xFC at place 3"),
        (lambda f: written(f, "a.html", b"<p>tw\xfc</p>"), r"a\.html: is not UTF-8 \(byte 0xFC near 5\)"),
        (lambda f: written(f, "a.html", b"<meta charset=klingon>"), "an encoding that nobody knows, klingon"),
        (lambda f: written(f, "a.html", b"<nav>Home</nav>"), r"a\.html: has no text"),
        (lambda f: written(f, "a.md", b"---\na: [\n---\nText"), r"a\.md:\d: has broken YAML in front"),
        (lambda f: written(f, "a.txt", b""), r"a\.txt: is empty"),
        (lambda f: f, r"has no file that is \.pdf, \.docx"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, make, reason):
    with pytest.raises(SourceFileError, match=reason):
        documents(make(tmp_path))


def macros(path):
    word(path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("word/vbaProject.bin", b"x")
    return path


def test_a_folder_gives_a_document_a_file(tmp_path):
    (tmp_path / "é").mkdir()
    written(tmp_path / "é", "b.TXT", "Text.")
    written(tmp_path, "a.md", "Text.")
    written(tmp_path, "c.html", b"\xff")
    written(tmp_path, "notes.xyz", "x")
    written(tmp_path, ".hidden.md", "x")
    items = list(SOURCE.records(tmp_path, name="clinic"))
    assert [item.record.id for item in items if isinstance(item, Row)] == ["clinic:a.md", "clinic:é/b.TXT"]
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert (reject.file, reject.reason[:12]) == (str(tmp_path / "c.html"), "is not UTF-8")
    (remark,) = [item for item in items if isinstance(item, Remark)]
    assert (remark.count, remark.example) == (1, "notes.xyz")
    assert SOURCE.estimate(tmp_path) == 3
    assert not any(name == "files" for _, name, _ in registry.recognised(tmp_path))


def test_another_language_is_found_and_not_quoted(tmp_path):
    path = written(tmp_path, "a.html", '<html lang="fr-CA"><p>La goutte.</p></html>')
    page, remark = SOURCE.records(path)
    assert (page.record.sections, page.record.translations) == ((), ("La goutte.@fr-CA",))
    assert "is in the language fr-CA" in remark.text


def test_nothing_comes_in_without_a_licence(own_settings, tmp_path):
    path = written(tmp_path, "a.txt", "Text.")
    with pytest.raises(InputError, match=r"the source files takes nothing without a licence.*--licence CC-BY-4.0"):
        task_of(own_settings, "files", path, LoadOptions())
    assert task_of(own_settings, "files", path, LoadOptions(licence="CC0-1.0")).info.licence == "CC0-1.0"


def test_a_changed_file_replaces_its_document_and_one_that_is_gone_goes(database, own_settings, tmp_path):
    folder = tmp_path / "leaflets"
    folder.mkdir()

    def load(**wish):
        options = LoadOptions(name="clinic", licence="CC-BY-4.0", title="Leaflets", **wish)
        return load_named(database, own_settings, "files", folder, options)

    written(folder, "a.txt", "First.")
    leaflet(folder / "b.pdf")
    assert load().added == 2
    assert load().known
    written(folder, "a.txt", "Second.")
    report = load()
    assert (report.added, report.changed, report.unchanged) == (0, 1, 1)
    texts = "MATCH (d:Document)-[:HAS_SECTION]->(s) RETURN d.id AS id, collect(s.text)[0] AS text ORDER BY id"
    assert [(row["id"], row["text"][:7]) for row in run(database, texts)] == [
        ("clinic:a.txt", "Second."),
        ("clinic:b.pdf", "Gout co"),
    ]
    (folder / "b.pdf").unlink()
    assert load(replace=True).withdrawn == 1
    assert [row["id"] for row in run(database, texts)] == ["clinic:a.txt"]
