"""References: RIS, nbib, PubTator and BioC give a document a record, and count what is not read."""

import json
import re

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row

RIS = """\
TY  - JOUR
TI  - Gout and diet
AU  - Doe, J
AU  - Roe, R
AB  - BACKGROUND: Gout hurts. METHODS: We asked 12 people.
CI - is no tag here.
JO  - J Gout
PY  - 2001/12/20/
DO  - https://doi.org/10.1000/xyz
KW  - gout
ER  -

TY  - JOUR
AU  - Nobody
ER  -
"""
NBIB = """
PMID- 123
OWN - NLM
DP  - 1998 Dec
TI  - Aspirin for
      pain.
LID - 10.1000/abc [doi]
AB  - It helps.
FAU - Doe, Jane
AU  - Doe J
JT  - Pain

PMID- 124
TI  - Bad.
PT  - Retracted Publication
AB  - Nope.
"""
PUBTATOR = """\
7|t|Lithium in a newborn.
7|a|It was high.
7\t0\t7\tLithium\tChemical\tD016651
7\t9\t12\tflu\tDisease\tD007251|OMIM:1
7\t1\t2\tx\tMutation\tp.V1A
7\tCID\tD016651\tD007251

8|t|Second.
9\t0\t7\tLithium\tChemical\tD016651
"""


@pytest.fixture
def read(tmp_path):
    def items(text):
        (tmp_path / "some.txt").write_text(text, encoding="utf-8")
        return list(registry.get("references").records(tmp_path / "some.txt", name="mine"))

    return items


def test_ris_parts_abstracts_and_rejects_what_cannot_be_told(read):
    row, reject, remark = read(RIS)
    paper = row.record
    assert (paper.id, paper.title, paper.published) == ("mine:10.1000/xyz", "Gout and diet", "2001-12-20")
    assert (paper.authors, paper.journal, paper.doi) == (("Doe, J", "Roe, R"), "J Gout", "10.1000/xyz")
    assert [(part.type, part.heading, part.text) for part in paper.sections] == [
        ("background", "Background", "Gout hurts."),
        ("methods", "Methods", "We asked 12 people. CI - is no tag here."),
    ]
    assert (reject.line, reject.reason) == (13, "has neither a PMID, a DOI, an id nor a title")
    assert (remark.what, remark.count) == ("lines of KW are not read", 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("TY  - JOUR\nTI  - A\nAN  - 12345\nER  -\n", [("mine:12345", ())]),
        ("TY  - JOUR\nTI  - A\nAN  - 12345\nDB  - PubMed\nER  -\n", [("mine:12345", (("pmid", "12345"),))]),
        (
            "TY  - JOUR\nTI  - A\nPY  - soon\nDO  - none\nTY  - JOUR\nTI  - B\nDA  - 2021/02/30\n",
            [
                ("mine:a", ()),
                "mine:a: 'none' is no DOI; left out",
                "mine:a: 'soon' is no date; left out",
                ("mine:b", ()),
                "mine:b: the date '2021/02/30' is kept as 2021-02",
                "the last record has no ER at its end; is the file cut off?",
            ],
        ),
        (
            "TY  - JOUR\nTI  - A\nER  -\nTI  - B\nAU  - Roe, R\nER  -\n",
            [("mine:a", ()), "TI stands outside of a record, which TY begins; add that line"],
        ),
        (
            "PMID- x1\nTI  - A\n\nTI  - B\nAU  - Roe R\n",
            [
                ("mine:a", ()),
                "mine:a: 'x1' is no PMID; left out",
                "TI stands outside of a record, which PMID begins; add that line",
            ],
        ),
    ],
)
def test_nothing_is_made_up_and_nothing_gets_lost(read, text, said):
    found = read(re.sub("(TI  - .)", r"\1\nAB  - It hurts.", text))
    assert [
        (item.record.id, item.record.properties)
        if isinstance(item, Row)
        else item.text
        if isinstance(item, Remark)
        else item.reason
        for item in found
    ] == said


def test_nbib_joins_lines_and_a_retracted_article_keeps_its_title_only(read):
    first, second, remark = read(NBIB)
    assert (first.record.title, first.record.published, first.line) == ("Aspirin for pain.", "1998-12", 2)
    assert (first.record.authors, first.record.doi) == (("Doe, Jane",), "10.1000/abc")
    assert (second.record.id, second.record.retracted, second.record.sections) == ("mine:124", True, ())
    assert remark.what == "lines of OWN are not read"


def test_pubtator_says_what_a_document_is_about(read):
    items = read(PUBTATOR)
    first, second = [item.record for item in items if isinstance(item, Row)]
    assert (first.title, first.about) == ("Lithium in a newborn.", ("MESH:D016651", "MESH:D007251", "OMIM:1"))
    assert (first.sections[0].text, second.about) == ("It was high.", ())
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert (reject.line, "is no line of PubTator on 8" in reject.reason) == (9, True)
    assert [item.count for item in items if isinstance(item, Remark)] == [2]


def test_what_is_none_of_these_is_said(read):
    with pytest.raises(SourceFileError, match="begins as none of RIS"):
        read("title,abstract\n")


def test_a_real_corpus_is_read_whole(data):
    items = list(registry.get("references").records(data / "bc5cdr" / "devel.txt", name="bc5cdr"))
    rows = [item.record for item in items if isinstance(item, Row)]
    assert (len(rows), sum(bool(row.about) for row in rows)) == (500, 500)
    assert not [item for item in items if isinstance(item, Reject)]


PASSAGES = [
    {"infons": {"type": "title", "year": "2021", "journal": "J Gout"}, "text": "Gout and diet.", "annotations": [
        {"infons": {"type": "Disease", "identifier": "MESH:D006073"}, "text": "Gout"},
        {"infons": {"type": "Variant", "identifier": "p.V1A"}, "text": "V1A"}]},
    {"infons": {"type": "abstract_title_1"}, "text": "Methods"},
    {"infons": {"type": "abstract"}, "text": "We asked 12 people.", "annotations": [
        {"infons": {"type": "Chemical", "MESH": "D014527"}, "text": "urate"}]},
    {"infons": {"type": "paragraph"}, "text": "More."},
]  # fmt: skip


def as_xml(part, tag):
    infons = "".join(f'<infon key="{key}">{value}</infon>' for key, value in part["infons"].items())
    below = "".join(as_xml(one, "annotation") for one in part.get("annotations", ()))
    return f"<{tag}>{infons}<text>{part['text']}</text>{below}</{tag}>"


XML = "".join(as_xml(part, "passage") for part in PASSAGES)
BIOC = {
    "xml": "<?xml version='1.0'?>\n<collection><source>PubMed</source>"
    f"<document><id>7</id>{XML}</document></collection>",
    "json": json.dumps([{"documents": [{"id": "7", "pmid": 7, "passages": PASSAGES}]}]),
    "PubTator3": json.dumps({"PubTator3": [{"id": "7", "pmid": 7, "passages": PASSAGES}]}),
}


@pytest.mark.parametrize("form", BIOC)
def test_bioc_in_xml_and_json_gives_title_abstract_and_mentions(read, form):
    (row, *remarks) = read(BIOC[form])
    found = row.record
    assert (found.id, found.title, found.published, found.journal) == (
        "mine:7",
        "Gout and diet.",
        "2021",
        "J Gout",
    )
    assert found.properties == (("pmid", "7"),)
    assert [(part.type, part.heading, part.text) for part in found.sections] == [
        ("methods", "Methods", "We asked 12 people.")
    ]
    assert found.about == ("MESH:D006073", "MESH:D014527")
    assert {remark.what: remark.count for remark in remarks} == {
        "mentions and relations without an id that is known are not read": 1,
        "passages that are neither title nor abstract are not read": 1,
    }


def test_the_id_of_a_document_of_bioc_is_no_pmid_where_nobody_says_so(read):
    (row, *_) = read(BIOC["xml"].replace("PubMed", "PMC"))
    assert (row.record.id, row.record.properties) == ("mine:7", ())
