"""HPO's lay names: a small file of their form, and the real one."""

import pytest

from medgraph.loaders.registry import SOURCES
from medgraph.schema.records import Entity
from tests.support.paths import FILES
from tests.support.sources import read_facts as read


def test_lay_names_are_gathered_by_term():
    entities, relations, rejects, remarks = read(SOURCES["hpo-lay"], FILES / "hpo-lay" / "layperson-synonyms.tsv")
    assert (relations, rejects, remarks) == ([], [], [])
    assert list(entities.values()) == [
        Entity(
            "HP:0002648",
            "Phenotype",
            "Abnormality of calvarial morphology",
            ("Abnormally shaped skull", 'The "wrong" shape of skull'),
        ),
        Entity("HP:0025251", "Phenotype", "Open comedo", ("Blackhead",)),
        Entity("HP:0012378", "Phenotype", "Fatigue"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('<http://purl.obolibrary.org/obo/MP_0000001>\t"a"\t"b"', "is no HPO term"),
        ('HP_1\t"a"\t"b"', "is no HPO term"),
        ('<http://purl.obolibrary.org/obo/HP_0000001>\t"a"\t', "no label or synonym"),
        ('<http://purl.obolibrary.org/obo/HP_0000001>\t"a\t"b"', "a quote at one end"),
        ('<http://purl.obolibrary.org/obo/HP_0000001>\t"a"', "has 2 cells where the header has 3"),
        ('<http://purl.obolibrary.org/obo/HP_0012378>\t"Fatigue"\t"\x08"', "U+0008"),
        ('<http://purl.obolibrary.org/obo/HP_0012378>\t"Tired"\t"b"', "is called 'Tired' here and 'Fatigue' in line 4"),
    ],
)
def test_lines_that_are_no_lay_name_are_rejected(tmp_path, line, reason):
    path = tmp_path / "layperson-synonyms.tsv"
    path.write_text((FILES / "hpo-lay" / path.name).read_text() + line + "\n")
    entities, _, rejects, _ = read(SOURCES["hpo-lay"], path)
    assert len(entities) == 3
    assert [reject.line for reject in rejects] == [7]
    assert reason in rejects[0].reason


@pytest.mark.thorough
def test_the_real_lay_names(data):
    entities, _, rejects, remarks = read(SOURCES["hpo-lay"], data / "hpo" / "layperson-synonyms.tsv")
    assert (len(entities), rejects, remarks) == (4701, [], [])
    # 7,186 lines, of which 1,098 repeat the label; 65 labels carry a language.
    assert sum(len(entity.synonyms) for entity in entities.values()) == 6088
    assert entities["HP:0025251"] == Entity("HP:0025251", "Phenotype", "Open comedo", ("Blackhead",))
    assert not [e for e in entities.values() if '"' in e.name or any('"' in s or "@" in s for s in e.synonyms)]
