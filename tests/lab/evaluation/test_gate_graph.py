"""The part of the data that the gate loads."""

import json
import zipfile

import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph_lab.evaluation import gate

TABLE = (
    "idx,disease,Symptom,reason,TestsAndProcedures,commonMedications\n"
    "0,Gout,pain,Gout is a form of arthritis that hurts.,[],[]\n"
    "1,Croup,cough,Croup is an infection of the upper airway.,[],[]\n"
)


def test_what_is_missing_of_the_data_is_named(tmp_path):
    with pytest.raises(InputError, match=r"lacks medquad\.zip, pubmedqa/pqal_dev\.json, .*--data"):
        gate.check(tmp_path)


def test_only_what_is_named_is_loaded(data_of, tmp_path):
    part = tmp_path / "part.zip"
    gate._write_archive(data_of / "medquad.zip", ["4_GARD_QA/0000002.xml"], part)
    assert zipfile.ZipFile(part).namelist() == ["4_GARD_QA/0000002.xml"]
    gate._write_abstracts(data_of / "pubmedqa" / "pqal_dev.json", ["8"], part)
    assert list(json.loads(part.read_text())) == ["8"]
    gate._write_table(data_of / "chatdoctor" / "format_dataset.csv", ["Croup"], part)
    assert part.read_text().splitlines() == [TABLE.splitlines()[0], TABLE.splitlines()[2]]
    with pytest.raises(SourceFileError, match=r"lacks other\.xml"):
        gate._write_archive(data_of / "medquad.zip", ["other.xml"], part)
    with pytest.raises(SourceFileError, match="lacks 9"):
        gate._write_abstracts(data_of / "pubmedqa" / "pqal_dev.json", ["9"], part)


@pytest.fixture
def data_of(tmp_path):
    """A folder of data with two pages and two abstracts."""
    xml = (
        '<Document id="{id}" source="GARD" url="http://example.org"><Focus>{focus}</Focus><QAPairs><QAPair pid="1">'
        '<Question qid="1-1" qtype="symptoms">What are the symptoms?</Question><Answer>{text}</Answer>'
        "</QAPair></QAPairs></Document>"
    )
    with zipfile.ZipFile(tmp_path / "medquad.zip", "w") as archive:
        for number, focus, text in ((1, "Gout", "Gout hurts."), (2, "Croup", "Croup is a cough.")):
            name = f"{number:07}"
            archive.writestr(f"4_GARD_QA/{name}.xml", xml.format(id=name, focus=focus, text=text))
    (tmp_path / "pubmedqa").mkdir()
    abstract = {"QUESTION": "Is it?", "CONTEXTS": ["It is."], "LABELS": ["RESULTS"], "YEAR": "2001"}
    (tmp_path / "pubmedqa" / "pqal_dev.json").write_text(json.dumps({"7": abstract, "8": abstract}))
    (tmp_path / "chatdoctor").mkdir()
    (tmp_path / "chatdoctor" / "format_dataset.csv").write_text(TABLE)
    return tmp_path
