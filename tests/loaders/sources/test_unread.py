"""What readers of one format each leave unread: counted, whatever the file."""

import gzip
import shutil

import pytest

from medgraph.loaders.base import Remark
from medgraph.loaders.registry import SOURCES
from tests.support.paths import FILES

CITATION = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">1</PMID>
<Article><Journal/><ArticleTitle>A</ArticleTitle><AuthorList><Author><LastName>B</LastName>
<Identifier Source="ORCID">0</Identifier>
<AffiliationInfo><Affiliation>C</Affiliation></AffiliationInfo></Author></AuthorList><GrantList/></Article>
<CommentsCorrectionsList><CommentsCorrections RefType="Cites"/></CommentsCorrectionsList>
<MeshHeadingList><MeshHeading><DescriptorName UI="D006073">Gout</DescriptorName>
<QualifierName UI="Q1">diet</QualifierName>
</MeshHeading></MeshHeadingList><CoiStatement>none</CoiStatement></MedlineCitation>
<PubmedData><ReferenceList/></PubmedData></PubmedArticle></PubmedArticleSet>"""
PAGE = """<Document id="1" source="A" url="https://a.example"><Focus>Gout</Focus><Rating>5</Rating>
<FocusAnnotations><UMLS>
<SemanticGroup>Disorders</SemanticGroup></UMLS></FocusAnnotations>
<QAPairs><QAPair pid="1"><Question qtype="information">
What is it?</Question><Answer>A <b>disease</b>.</Answer><Grade>1</Grade></QAPair></QAPairs></Document>"""
NODES = "id\tname\tkind\tnote\nDisease::DOID:1\tA\tDisease\tx\n"
EDGES = "source\tmetaedge\ttarget\tweight\nDisease::DOID:1\tDrD\tDisease::DOID:1\t1\n"
TABLES = {
    "do-names": "id\tlabel\tsubClassOf\tnote\nDOID:4\tdisease\t\tx\n",
    "do-symptoms": "disease_id\tdisease_label\tsymptom_id\tsymptom_label\tnote\nDOID:1\ta\tSYMP:1\tb\tx\n",
    "hpo-lay": "?term\t?term_label\t?layperson\tnote\nHP:1\ta\tb\tx\n",
    "disease-tables": "disease\tsymptoms\tnote\nGout\tPain\tx\n",
    "disease-pages": "disease\tsymptoms\tcauses\toverview\tnote\nGout\tPain\tUrate\tIt hurts\tx\n",
    "question-tables": "question\tanswer\tq_type\tnote\nWhat is it?\tGout\tinformation\tx\n",
}
ROWS = [
    ("pubmed", {"a.xml": CITATION}, {
        "AffiliationInfo of citations are not read": 2, "Identifier of citations are not read": 2,
        "GrantList of citations are not read": 2, "CoiStatement of citations are not read": 2,
        "QualifierName of citations are not read": 2, "ReferenceList of citations are not read": 2,
        "notices Cites of citations are not read": 2}),
    ("medquad", {"a/1.xml": PAGE, "a/notes.txt": "x", "README.md": "x"}, {
        "elements of Rating are not read": 1, "elements of SemanticGroup are not read": 1,
        "elements of Grade are not read": 1, "files are not read (notes.txt)": 1}),
    ("hetionet", {"hetionet-nodes.tsv": NODES, "hetionet-edges.sif": EDGES, "hetionet-notes.json": "{}"}, {
        "columns are not read (note)": 1, "columns are not read (weight)": 1,
        "files are not read (hetionet-notes.json)": 1}),
    *((name, {"t.tsv": table}, {"columns are not read (note)": 1}) for name, table in TABLES.items()
      if name != "disease-pages"),
    ("disease-pages", {"t.tsv": TABLES["disease-pages"]},
     {"columns are not read (note is no type of section)": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "files", "wanted"), ROWS, ids=[name for name, *_ in ROWS])
def test_what_no_reader_takes_up_is_counted(tmp_path, name, files, wanted):
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    if name == "pubmed":  # two files have one count
        (tmp_path / "b.xml.gz").write_bytes(gzip.compress(files["a.xml"].replace(">1<", ">2<").encode()))
    path = tmp_path if len(files) > 1 or name == "pubmed" else tmp_path / next(iter(files))
    found = {item.what: item.count for item in SOURCES[name].records(path) if isinstance(item, Remark) and item.count}
    assert found == wanted


def test_what_is_read_whole_has_no_count(tmp_path):
    shutil.copytree(FILES / "hetionet", tmp_path, dirs_exist_ok=True)
    assert not [item for item in SOURCES["hetionet"].records(tmp_path) if isinstance(item, Remark)]
