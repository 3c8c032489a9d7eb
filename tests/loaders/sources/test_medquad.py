"""MedQuAD: the real archive, each odd form of its files, and files that mean harm."""

import re
import threading
import urllib.request
import zipfile
from collections import Counter
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import SourceError
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.sources import medquad
from medgraph.schema.records import Document, Entity, Question, Section
from tests.support.memory import at_most
from tests.support.paths import FILES

SMALL = FILES / "medquad"


def read(path):
    """The entities, the documents and the rejects of a file or folder, each by id or file name."""
    items = list(medquad.records(path))
    records = [item.record for item in items if isinstance(item, Row)]
    entities = {record.id: record for record in records if isinstance(record, Entity)}
    documents = {record.id: record for record in records if isinstance(record, Document)}
    rejects = [item for item in items if isinstance(item, Reject)]
    remarks = [item for item in items if isinstance(item, Remark)]
    assert len(entities) + len(documents) + len(rejects) + len(remarks) == len(items)
    return entities, documents, rejects


def without_place(items, path):
    items = list(items)
    return [getattr(item, "record", item) for item in items], [item.file.replace(str(path), "") for item in items]


# The real archive


@pytest.fixture(scope="module")
def real(data):
    return [item for item in medquad.records(data / "medquad.zip") if not isinstance(item, Remark)]


@pytest.mark.thorough
def test_the_real_archive_is_read_whole(real):
    documents = [item.record for item in real if isinstance(item.record, Document)]
    sections = [(d, s) for d in documents for s in d.sections]
    questions = [q for d in documents for q in d.questions]
    assert (len(documents), len(sections), len(questions)) == (11_274, 16_423, 31_034)
    assert len({d.id for d in documents}) == 11_274
    assert len({part.id for _, part in sections} | {q.id for q in questions}) == 16_423 + 31_034
    assert all(section.question and section.type for _, section in sections)
    assert all(d.url.startswith("http") and d.title for d in documents)
    assert [d.id for d in documents if " ?" in d.title] == []


@pytest.mark.thorough
def test_ids_of_the_real_archive_follow_from_collection_and_file(real):
    for item in real:
        if isinstance(item.record, Document):
            document = item.record
            assert document.id == f"medquad:{document.collection}_{Path(item.file).stem}"
            assert all(part.id.rpartition("#")[0] == document.id for part in (*document.sections, *document.questions))
    collections = Counter(item.record.collection for item in real if isinstance(item.record, Document))
    assert len(collections) == 12
    assert collections["GARD"] == 2685


@pytest.mark.thorough
def test_pairs_of_the_real_archive_are_those_that_it_states(real, data):
    with zipfile.ZipFile(data / "medquad.zip") as archive:
        stated = {
            name: (text.count(b"<QAPair "), text.count(b"<pair "))
            for name in archive.namelist()
            if name.endswith(".xml")
            for text in [archive.read(name)]
        }
    read = {
        item.file.partition("!/")[2]: len(item.record.sections) + len(item.record.questions)
        for item in real
        if isinstance(item.record, Document)
    }
    assert read == {name: common + other for name, (common, other) in stated.items()}
    assert sum(common for common, _ in stated.values()) == 47_441
    assert [other for _, other in stated.values() if other] == [4, 4, 4, 4]


@pytest.mark.thorough
def test_entities_of_the_real_archive(real):
    entities = {item.record.id: item.record for item in real if isinstance(item.record, Entity)}
    about = {entity for item in real if isinstance(item.record, Document) for entity in item.record.about}
    assert about == set(entities)
    assert Counter(e.label for e in entities.values()) == {"Disease": 5884, "Topic": 2665, "Drug": 1406}
    assert sum(bool(e.concepts) for e in entities.values()) == 6464
    assert "C0004096" in entities["medquad:asthma"].concepts
    kinds = [isinstance(item.record, Document) for item in real]
    assert kinds == sorted(kinds)


@pytest.mark.thorough
def test_marks_that_the_real_archive_lost_are_put_back(real):
    texts = {part.id: part.text for item in real if isinstance(item.record, Document) for part in item.record.sections}
    whole = " ".join(texts.values())
    for said in (
        "less than 10\u201320 milligrams daily",
        "methotrexate at low doses (15\u201325 mg once weekly)",
        "Women need more iodine when they are pregnant\u2014about 220 micrograms a day",
        "red blood cells live about 90 to 120 days",
        "applied to the skin\u2014typically to the feet\u2014include",
        "specializes in the urinary tract\u2014may surgically",
        "conditions such as asthma",
        "part of the small intestine\u2014bulge through",
        "reduce your heart's workload",
        "Chest pain or discomfort. Most heart attacks",
        "Sj\u00f6gren's",
    ):
        assert said in whole
    lost = r"\b(?:urologista|pathologista|tractmay|skintypically|bodys|doesnt|isnt|1525 mg|515 percent)\b"
    assert not re.search(lost, whole)
    names = {item.record.id: item.record.name for item in real if isinstance(item.record, Entity)}
    assert names["medquad:sjgren-syndrome"] == "Sj\u00f6gren syndrome"
    titles = {item.record.id: item.record.title for item in real if isinstance(item.record, Document)}
    assert titles["medquad:NINDS_0000141"] == "Guillain-Barr\u00e9 Syndrome"
    for word in ("Comtan", "Proscar", "earplugs", "caregiving", "spongelike", "telangiectasia macularis"):
        assert word in whole


@pytest.mark.thorough
def test_no_list_of_the_real_archive_is_said_twice(real):
    texts = {part.id: part.text for item in real if isinstance(item.record, Document) for part in item.record.sections}
    text = texts["medquad:NIHSeniorHealth_0000001#4"]
    assert "include - Smoking  - Obesity  - Race. Whites are" in text
    assert text.count("Women appear to be at greater risk") == 1
    amsler = texts["medquad:NIHSeniorHealth_0000001#5"]
    assert "may be applied to your eye for this test.\n\nYour eye care professional also may do" in amsler


@pytest.mark.thorough
@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.thorough)])
def test_an_unpacked_folder_gives_the_same_records(data, tmp_path, step):
    packed, folder = tmp_path / "some.zip", tmp_path / "some"
    with zipfile.ZipFile(data / "medquad.zip") as archive, zipfile.ZipFile(packed, "w") as some:
        for name in archive.namelist()[::step]:
            some.writestr(name, archive.read(name))
            archive.extract(name, folder)
    read = without_place(medquad.records(folder), f"{folder}/")
    assert len(read[0]) > 15_000 / step
    assert read == without_place(medquad.records(packed), f"{packed}!/")


# The forms of its files


def test_the_common_form():
    _, documents, rejects = read(SMALL)
    assert rejects == []
    assert documents["medquad:GARD_0000001"] == Document(
        id="medquad:GARD_0000001",
        title="Alkaptonuria",
        url="https://example.org/gard/1",
        collection="GARD",
        sections=(
            Section(
                "medquad:GARD_0000001#1",
                "Alkaptonuria is inherited & rare.\n\n  Urine turns dark when it stands in the air.",
                "information",
                "Information",
                "What is (are) Alkaptonuria ?",
            ),
            Section(
                "medquad:GARD_0000001#3",
                "Dark urine; later, pain in joints.",
                "symptoms",
                "Symptoms",
                "What are the symptoms of Alkaptonuria ?",
            ),
        ),
        questions=(Question("medquad:GARD_0000001#4", "Is Alkaptonuria inherited ?", "inheritance"),),
        about=("medquad:alkaptonuria",),
        aliases=("Black urine disease", "alkaptonuria", "Homogentisic acid oxidase deficiency"),
    )


@pytest.mark.parametrize(
    ("collection", "kept"),
    [
        ("NIHSeniorHealth", "Signs are - fever  - pain in joints.\n\nThey pass."),
        ("GARD", "Signs are - fever  - pain in joints. fever pain in joints. They pass."),
    ],
)
def test_a_list_that_a_collection_says_twice_is_kept_once(folder, collection, kept):
    twice = "Signs are - fever  - pain in joints. fever pain in joints. They pass."
    _, documents, _ = read(folder(GOOD.replace("GARD", collection).replace("Uric acid.", twice)))
    assert kept in [section.text for document in documents.values() for section in document.sections]


def test_a_focus_gathers_what_all_its_documents_say():
    entities, documents, _ = read(SMALL)
    assert documents["medquad:ADAM_0000001"].about == documents["medquad:GARD_0000001"].about
    assert entities["medquad:alkaptonuria"] == Entity(
        id="medquad:alkaptonuria",
        label="Disease",
        name="ALKAPTONURIA",
        synonyms=("AKU", "Black urine disease", "Homogentisic acid oxidase deficiency"),
        concepts=("C0002066", "C0268467"),
        semantic_types=("T047", "T033"),
    )
    assert entities["medquad:nitisinone"].label == "Drug"


# Files that are broken


GOOD = """<?xml version="1.0" encoding="UTF-8"?>
<Document id="1" source="GARD" url="https://example.org/1">
<Focus>Gout</Focus>
<FocusAnnotations><Category>Disease</Category></FocusAnnotations>
<QAPairs>
<QAPair pid="1"><Question qid="1-1" qtype="causes">What causes gout ?</Question><Answer>Uric acid.</Answer></QAPair>
</QAPairs>
</Document>"""
UTF16 = GOOD.replace("UTF-8", "UTF-16").replace("Uric acid", "Harnsäure")


@pytest.fixture
def folder(tmp_path):
    """Writes XML files; two good ones always stand around them."""

    def write(content):
        for name in ("0.xml", "9.xml"):
            (tmp_path / name).write_text(GOOD, encoding="utf-8")
        (tmp_path / "5.xml").write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return write


def reject_of(path):
    _, documents, rejects = read(path)
    assert sorted(documents) == ["medquad:GARD_0", "medquad:GARD_9"]
    assert [reject.file for reject in rejects] == [str(path / "5.xml")]
    return rejects[0]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"", 1, "is not well-formed XML: no element found"),
        (b" \n ", 2, "is not well-formed XML: no element found"),
        (b"\0" * 100, 1, "is not well-formed XML"),
        (b"not XML", 1, "is not well-formed XML: syntax error"),
        (GOOD[:200], 6, "is not well-formed XML: "),
        (GOOD + GOOD, 8, "is not well-formed XML: "),
        (GOOD.replace("Uric", "Uric & "), 6, "is not well-formed XML: not well-formed"),
        (GOOD.replace("Uric", "&nbsp;Uric"), 6, "is not well-formed XML: undefined entity"),
        (GOOD.replace("Uric", "&Uric"), 6, "is not well-formed XML"),
        (GOOD.replace("Uric", "&#0;Uric"), 6, "is not well-formed XML: reference to invalid character number"),
        (GOOD.replace("Uric", "&#xD800;"), 6, "is not well-formed XML: reference to invalid character number"),
        (GOOD.replace("Uric", "\x07"), 6, "is not well-formed XML: not well-formed"),
        (GOOD.replace("<Answer>", "<Reply>"), 6, "is not well-formed XML: mismatched tag"),
        (GOOD.replace("Uric", "Harnsäure").encode("latin-1"), 6, "is not well-formed XML: not well-formed"),
        (GOOD.replace("UTF-8", "UTF-16"), 1, "is not well-formed XML: encoding specified"),
        (UTF16.encode("utf-16")[:-1], 8, "is not well-formed XML"),
        (GOOD.replace("UTF-8", "Klingon"), 1, "cannot be decoded: unknown encoding: Klingon"),
        (GOOD.replace("UTF-8", "Shift_JIS"), 1, "cannot be decoded: multi-byte encodings are not supported"),
        (GOOD.replace("UTF-8", "rot13"), 1, "cannot be decoded: "),
    ],
)
def test_a_file_that_is_not_well_formed_is_rejected_with_line_and_reason(folder, content, line, reason):
    reject = reject_of(folder(content))
    assert reject.reason.startswith(reason)
    assert reject.line == line


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<html><body>404</body></html>", "is not a MedQuAD document"),
        (GOOD.replace("<Document", "<Page").replace("</Document", "</Page"), "is not a MedQuAD document: <Page>"),
        (GOOD.replace(' source="GARD"', ""), "is not a MedQuAD document"),
        (GOOD.replace(' source="GARD"', ' source=""'), "is not a MedQuAD document"),
        (GOOD.replace('"GARD"', f'"{"x" * 10_000}"'), "the id 'medquad:xxx.* longer than 500 characters"),
        (GOOD.replace(' pid="1"', ""), "a question-answer pair has no question or no pid"),
        (GOOD.replace("Question", "Frage"), "a question-answer pair has no question or no pid"),
        (GOOD.replace(">Uric acid.<", "><").replace("What causes gout ?", " "), "the question is empty"),
        (GOOD.replace("</QAPairs>", '<QAPair pid="1"><Question>?</Question></QAPair></QAPairs>'), "two of its "),
        (GOOD.replace("Uric", "\x7f"), r"holds the control character U\+007F at offset 0"),
        (GOOD.replace('qtype="causes"', f'qtype="{"x" * 501}"'), "is longer than 500 characters"),
        ('<Document source="GARD"><Focus>Gout</Focus></Document>', "neither a section with text, nor a question, nor"),
    ],
)  # fmt: skip
def test_a_file_that_breaks_the_rules_is_rejected_with_the_rule(folder, content, reason):
    reject = reject_of(folder(content))
    assert re.search(reason, reject.reason)
    assert reject.line == 1


def test_an_unknown_category_is_rejected_and_its_document_kept(folder):
    _, documents, rejects = read(folder(GOOD.replace("Gout", "Gravel").replace(">Disease<", ">Plant<")))
    assert len(documents) == 3
    assert "the category 'Plant' is not one of Disease, Drug, Other" in rejects[0].reason


# Files that mean harm


@pytest.fixture
def canaries(tmp_path_factory):
    """A file and a web server that nobody may read; gives their addresses and the list of requests."""
    file = tmp_path_factory.mktemp("canary") / "secret.txt"
    file.write_text("CANARY", encoding="utf-8")
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<!ENTITY all 'CANARY'>CANARY")

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/evil.dtd"
    with urllib.request.urlopen(address) as answer:
        assert b"CANARY" in answer.read()
    assert requests.pop() == "/evil.dtd"
    yield file.as_uri(), address, requests
    server.shutdown()
    thread.join()
    server.server_close()


EXTERNAL = {
    "general entity": '<!DOCTYPE Document [<!ENTITY x SYSTEM "{}">]>',
    "public entity": '<!DOCTYPE Document [<!ENTITY x PUBLIC "-//A//B" "{}">]>',
    "parameter entity": '<!DOCTYPE Document [<!ENTITY % p SYSTEM "{}"> %p; <!ENTITY x "x">]>',
    "document type": '<!DOCTYPE Document SYSTEM "{}">',
    "unparsed entity": '<!DOCTYPE Document [<!NOTATION n SYSTEM "n"><!ENTITY x SYSTEM "{}" NDATA n>]>',
}


@pytest.mark.parametrize("form", EXTERNAL)
@pytest.mark.parametrize("which", [0, 1], ids=["file", "http"])
def test_an_external_entity_is_never_fetched(folder, canaries, form, which):
    declared = EXTERNAL[form].format(canaries[which])
    path = folder(GOOD.replace("<Document", f"{declared}<Document", 1).replace("Uric", "&x;"))
    assert reject_of(path).reason == "declares a DTD or entities, which are never read"
    assert "CANARY" not in repr(list(medquad.records(path)))
    assert canaries[2] == []


@pytest.mark.parametrize("which", [0, 1], ids=["file", "http"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Uric", '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{}" parse="text"/>Uric'),
        ("<Document", '<?xml-stylesheet href="{}" type="text/xsl"?><Document'),
        ("<Document", '<Document xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a {}"'),
    ],
    ids=["include", "style sheet", "schema"],
)
def test_nothing_else_is_fetched_either(folder, canaries, which, old, new):
    path = folder(GOOD.replace(old, new.format(canaries[which]), 1))
    assert "CANARY" not in repr(list(medquad.records(path)))
    assert canaries[2] == []


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "declared", [f'<!ENTITY l0 "lol">{LAUGHS}', f'<!ENTITY l9 "{"x" * 1_000_000}">'], ids=["exponential", "quadratic"]
)
def test_entities_are_never_expanded(folder, declared):
    path = folder(
        GOOD.replace("<Document", f"<!DOCTYPE Document [{declared}]><Document", 1).replace("Uric", "&l9;" * 99)
    )
    with at_most(20_000_000):
        assert reject_of(path).reason == "declares a DTD or entities, which are never read"


# Anything at all


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("scratch")


def check(folder, content):
    (folder / "x.xml").write_bytes(content)
    try:
        items = list(medquad.records(folder))
    except SourceError:
        return
    assert all(isinstance(item, Row | Reject | Remark) for item in items)
    repr(items).encode()


@given(st.binary())
def test_any_bytes_give_records_or_rejects(scratch, content):
    check(scratch, content)


@given(st.sampled_from(sorted(SMALL.rglob("*.xml"))), st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255))))
def test_a_real_file_with_broken_bytes_gives_records_or_rejects(scratch, file, changes):
    content = bytearray(file.read_bytes())
    for position, byte in changes:
        content[position % len(content)] = byte
    check(scratch, bytes(content))
