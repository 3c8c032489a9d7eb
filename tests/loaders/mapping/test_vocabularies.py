"""Vocabularies and lists in the forms that others give them out in, each by a mapping of a few lines."""

import json

import pytest

from medgraph.loaders.mapping.source import from_file
from tests.support.foreign import told

HEAD = 'source: {id: m, title: M, version: "1", licence: CC0-1.0}\n'
CODES = {
    "resourceType": "CodeSystem",
    "concept": [
        {
            "code": "a",
            "display": "A",
            "designation": [{"language": "fr", "value": "Ah"}, {"language": "de", "value": "Ach"}],
            "concept": [{"code": "b", "display": "B", "concept": [{"code": "c", "display": "C"}]}],
        }
    ],
}
MAPS = {
    "resourceType": "ConceptMap",
    "group": [
        {
            "source": "http://snomed.info/sct",
            "element": [{"code": "22298006", "target": [{"code": "I21"}, {"code": "I22"}]}],
        }
    ],
}
ICD10CM = (
    '<ICD10CM.tabular><chapter><name>1</name><section id="A00-A09"><desc>Intestinal</desc><diag><name>A00</name>'
    "<desc>Cholera</desc><inclusionTerm><note>Asiatic cholera</note><note>Classical cholera</note></inclusionTerm>"
    "<diag><name>A00.0</name><desc>Cholera due to biovar cholerae</desc><inclusionTerm><note>Classic</note>"
    "</inclusionTerm></diag></diag></section></chapter></ICD10CM.tabular>"
)
ICD11 = (
    "Foundation URI\tCode\tTitle\tClassKind\n"
    "http://id.who.int/icd/entity/1\t\tInfections\tchapter\n"
    "http://id.who.int/icd/entity/2\t1A00\t- - Cholera\tcategory\n"
    "http://id.who.int/icd/entity/3\t1A00.0\t- - - Cholera - mild\tcategory\n"
    "http://id.who.int/icd/entity/4\t1A00.01\t- - - - Milder\tcategory\n"
)
CLINVAR = (
    "VariationID\tPhenotypeIDS\tPhenotypeList\n"
    "7\tMONDO:MONDO:0000001,MedGen:C0000001|MedGen:C0000002,MONDO:MONDO:0000002\tOne|Two\n"
)
OPEN_TARGETS = {
    "id": "EFO_0000270",
    "name": "asthma",
    "parents": ["EFO_0000684"],
    "dbXRefs": ["MESH:D001249"],
    "synonyms": {"hasExactSynonym": ["bronchial asthma"], "hasNarrowSynonym": ["hay asthma"]},
}
CSL = [
    {
        "id": "x",
        "title": "T",
        "DOI": "10.1000/1",
        "author": [{"family": "Roe", "given": "A"}, {"literal": "WHO"}],
        "issued": {"date-parts": [[2020, 3, 1]]},
        "abstract": "Text.",
    }
]
OMIM = (
    "# Copyright\n# Prefix\tMIM Number\tPreferred Title; symbol\tAlternative Title(s); symbol(s)\n"
    "Number Sign\t100050\tAARSKOG SYNDROME; AAS\tASKOG SYNDROME; AS;; FACIAL SYNDROME\n"
    "Caret\t100070\tMOVED TO 100650\t\n# Prefix: the kind of entry\n"
)
GMT = "SET_A\thttps://sets.example/A\tBRCA1\tTP53\nSET_B\thttps://sets.example/B\tAPOE\n"
ROWS = [
    (
        "codes.json",
        json.dumps(CODES),
        """
table: {rows: "//concept"}
entities:
  - {id: "m:{code}", label: Disease, name: "{display}", translations: "{designation.value}@{designation.language}"}
relations:
  - {subject: "m:{code}", type: IS_A, object: "m:{^concept.code}", when: {^concept.code: {empty: false}}}
""",
        ["m:a name=A", "m:a translations=Ah@fr", "m:a translations=Ach@de", "m:b IS_A m:a", "m:c IS_A m:b"],
    ),
    (
        "map.json",
        json.dumps(MAPS),
        """
table: {rows: group.element.target}
columns:
  ..code: {from: ..code}
entities:
  - {id: "SNOMEDCT:{..code}", xrefs: "ICD10:{code}", group_by: ..code}
""",
        ["SNOMEDCT:22298006 xrefs=ICD10:I21", "SNOMEDCT:22298006 xrefs=ICD10:I22"],
    ),
    (
        "icd10cm.xml",
        ICD10CM,
        """
table: {rows: "ICD10CM.tabular//diag"}
entities:
  - {id: "ICD10CM:{name}", label: Disease, name: "{desc}", synonyms: "{inclusionTerm.note}",
     properties: {block: "{^section.@id}", chapter: "{^chapter.name}"}}
relations:
  - {subject: "ICD10CM:{name}", type: IS_A, object: "ICD10CM:{^diag.name}", when: {^diag.name: {empty: false}}}
""",
        [
            "ICD10CM:A00 name=Cholera",
            "ICD10CM:A00 synonyms=Classical cholera",
            "ICD10CM:A00 block=A00-A09",
            "ICD10CM:A00 chapter=1",
            "ICD10CM:A00.0 synonyms=Classic",
            "ICD10CM:A00.0 chapter=1",
            "ICD10CM:A00.0 IS_A ICD10CM:A00",
        ],
    ),
    (
        "icd11.txt",
        ICD11,
        """
columns:
  Title: {then: [{extract: "^(?:- )*(.*)"}]}
  above: {from: Code, then: [{extract: '^(.+?)\\.?.$'}]}
entities:
  - {id: "ICD11:{Code}", label: Disease, name: "{Title}", xrefs: "{Foundation URI}", when: {ClassKind: category}}
relations:
  - {subject: "ICD11:{Code}", type: IS_A, object: "ICD11:{above}", when: {Code: {matches: '\\.'}}}
""",
        [
            "ICD11:1A00 name=Cholera",
            "ICD11:1A00.0 name=Cholera - mild",
            "ICD11:1A00.0 IS_A ICD11:1A00",
            "ICD11:1A00.01 IS_A ICD11:1A00.0",
        ],
    ),
    (
        "variant_summary.txt",
        CLINVAR,
        """
columns:
  ids: {from: PhenotypeIDS, split: "|", then: [{extract: "MONDO:(MONDO:[0-9]+)"}]}
  names: {from: PhenotypeList, split: "|"}
entities:
  - {id: "{ids}", label: Disease, name: "{names}", each: [ids, names]}
""",
        ["MONDO:0000001 name=One", "MONDO:0000002 name=Two"],
    ),
    (
        "diseases.jsonl",
        json.dumps(OPEN_TARGETS),
        """
columns:
  parents: {then: curie}
entities:
  - {id: "{id|curie}", label: Disease, name: "{name}", synonyms: "{synonyms.hasExactSynonym}",
     narrow_synonyms: "{synonyms.hasNarrowSynonym}", xrefs: "{dbXRefs}"}
relations:
  - {subject: "{id|curie}", type: IS_A, object: "{parents}", each: parents}
""",
        [
            "EFO:0000270 name=asthma",
            "EFO:0000270 synonyms=bronchial asthma",
            "EFO:0000270 narrow_synonyms=hay asthma",
            "EFO:0000270 xrefs=MESH:D001249",
            "EFO:0000270 IS_A EFO:0000684",
        ],
    ),
    (
        "mimTitles.txt",
        OMIM,
        """
table: {delimiter: tab, comment: "#", header: [kind, number, title, others]}
columns:
  title: {then: [{extract: "^[^;]+"}]}
  others: {split: ";;", then: [{extract: "^ *([^;]+)"}]}
entities:
  - {id: "OMIM:{number}", label: Disease, name: "{title}", synonyms: "{others}", when: {kind: Number Sign}}
  - {id: "OMIM:{number}", label: Disease, name: "{title}", obsolete: "true", when: {kind: Caret}}
""",
        [
            "OMIM:100050 name=AARSKOG SYNDROME",
            "OMIM:100050 synonyms=ASKOG SYNDROME",
            "OMIM:100050 synonyms=FACIAL SYNDROME",
            "OMIM:100070 obsolete=True",
            "remark: comments behind the first row are passed over: 1, the first is # Prefix: the kind of entry",
        ],
    ),
    (
        "sets.gmt",
        GMT,
        """
table: {delimiter: tab, header: [set, url], rest: genes}
entities:
  - {id: "m:{set}", label: Pathway, name: "{set}"}
  - {id: "HGNC.SYMBOL:{genes}", label: Gene, name: "{genes}", each: genes}
relations:
  - {subject: "HGNC.SYMBOL:{genes}", type: PARTICIPATES_IN, object: "m:{set}", each: genes}
""",
        [
            "m:SET_B name=SET_B",
            "HGNC.SYMBOL:TP53 PARTICIPATES_IN m:SET_A",
            "HGNC.SYMBOL:APOE PARTICIPATES_IN m:SET_B",
        ],
    ),
]


@pytest.mark.parametrize(("name", "text", "mapping", "wanted"), ROWS, ids=[row[0] for row in ROWS])
def test_a_vocabulary_is_read_whole(tmp_path, name, text, mapping, wanted):
    (tmp_path / "m.yaml").write_text(HEAD + mapping)
    (tmp_path / name).write_text(text)
    lines = list(told(from_file(tmp_path / "m.yaml").records(tmp_path / name)))
    for line in wanted:
        assert line in lines, "\n".join(lines)
    assert not [line for line in lines if line.startswith("reject")]


def test_references_of_csl_are_documents(tmp_path):
    (tmp_path / "m.yaml").write_text(
        HEAD
        + """
columns:
  on: {from: issued.date-parts, then: [{join: "-"}, date]}
documents:
  - {id: "m:{id}", title: "{title}", doi: "{DOI}", published: "{on}", sections: [{text: "{abstract}"}],
     authors: ["{author.family} {author.given}", "{author.literal}"]}
"""
    )
    (tmp_path / "refs.json").write_text(json.dumps(CSL))
    (row,) = from_file(tmp_path / "m.yaml").records(tmp_path / "refs.json")
    assert (row.record.published, row.record.authors, row.record.doi) == ("2020-03-01", ("Roe A", "WHO"), "10.1000/1")
