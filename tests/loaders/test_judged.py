"""Values that cannot be: each kind is told of once, with how many there are and the first, and stays where it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.audit.run import audit
from medgraph.loaders.base import Remark
from medgraph.loaders.commands import LoadOptions, load_named, task_of
from medgraph.loaders.judged import judged_values
from medgraph.loaders.mapping.checking import try_out
from medgraph.loaders.mapping.source import from_file
from medgraph.schema import prefixes
from tests.support.foreign import TURTLE
from tests.support.mappings import HEAD

SAYS = 'frequency: "{f}", percent: "{p}", confidence: "{c}", modified: "{d}", sex: "{sex}", evidence_code: "{e}"'
MAPPING = (
    f'{HEAD}entities: [{{id: "{{id}}", label: Disease, name: "{{name}}", xrefs: "{{x}}", translations: "{{t}}"}}]\n'
    f'relations: [{{subject: "{{id}}", type: HAS_SYMPTOM, object: "{{id}}", score: "{{s}}", properties: {{{SAYS}}}}}]\n'
    'documents: [{id: "clinic:{name}", title: "{name}", url: "{u}", published: "{pub}", doi: "{doi}"}]\n'
)
SOUND = {
    "id": "MONDO:0000001", "name": "A", "x": "MESH:D012345", "t": "Asthme@fr", "s": "0.5", "f": "3/10", "p": "20",
    "c": "0.9", "d": "2020-02-29", "u": "https://clinic.example/a",
    "sex": "female", "e": "IEA", "doi": "10.1000/a", "pub": "2020",
}  # fmt: skip
ROWS = [
    ({"id": "MONDO:7"}, "ids that none of MONDO is like: 3, the first is MONDO:7; MONDO:0000007 may be meant"),
    ({"x": "MESH:d012345"}, "ids that none of MESH is like: 1, the first is MESH:d012345; MESH:D012345 may be meant"),
    ({"x": "OMIM:100100.0"}, "ids that none of OMIM is like: 1, the first is OMIM:100100.0; OMIM:100100 may be meant"),
    ({"x": "GO:GO_0008150"}, "ids that none of GO is like: 1, the first is GO:GO_0008150; GO:0008150 may be meant"),
    ({"x": "PMID:see"}, "ids that none of PMID is like: 1, the first is PMID:see"),
    ({"x": "OMIM:PS100050"}, ""),
    ({"x": "see also"}, "ids with a blank in them: 1, the first is see also"),
    ({"name": "nan"}, "names that say nothing: 1, the first is 'nan' of MONDO:0000001"),
    ({"name": "MONDO:0000001"}, "names that say nothing: 1, the first is 'MONDO:0000001' of MONDO:0000001"),
    ({"name": "NA"}, ""),
    ({"sex": "woman"}, "sex outside what a sex can be: 1, the first is woman"),
    ({"sex": "PATO:0000383"}, ""),
    ({"e": "XYZ"}, "evidence_code outside what a evidence can be: 1, the first is XYZ"),
    ({"e": "ECO:0000501"}, ""),
    ({"pub": "2999-01"}, "dates of publication that cannot be: 1, the first is 2999-01"),
    ({"doi": "11.1/x"}, "DOIs that are none: 1, the first is 11.1/x"),
    ({"t": "Asthma@english"}, "languages that no code is of: 1, the first is Asthma@english"),
    ({"t": "Asthme@xx"}, "languages that no code is of: 1, the first is Asthme@xx"),
    ({"t": "Asthma@pt-BR"}, ""),
    ({"t": "Asthma@fil"}, ""),
    ({"s": "1.7"}, "scores outside 0 to 1: 1, the first is 1.7"),
    ({"s": "1"}, ""),
    ({"f": "12/10"}, "frequency outside what a frequency can be: 1, the first is 12/10"),
    ({"f": "3 of 0"}, "frequency outside what a frequency can be: 1, the first is 3 of 0"),
    ({"f": "130%"}, "frequency outside what a frequency can be: 1, the first is 130%"),
    ({"f": "HP:0040281"}, ""),
    ({"p": "-3"}, "percent outside what a percent can be: 1, the first is -3"),
    ({"p": "12.5 %"}, ""),
    ({"c": "95"}, "confidence outside what a share can be: 1, the first is 95"),
    ({"c": "high"}, ""),
    ({"d": "2021-02-29"}, "modified outside what a date can be: 1, the first is 2021-02-29"),
    ({"d": "20211301"}, "modified outside what a date can be: 1, the first is 20211301"),
    ({"d": "last year"}, ""),
    ({"u": "see leaflet"}, "addresses that are none: 1, the first is see leaflet"),
    ({"u": "javascript:alert(1)"}, "addresses that are none: 1, the first is javascript:alert(1)"),
]


@pytest.fixture
def table(tmp_path):
    """Writes the mapping, and a table with a row that differs from a sound one."""

    def write(said):
        cells = SOUND | said
        (tmp_path / "m.yaml").write_text(MAPPING)
        (tmp_path / "t.tsv").write_text("\t".join(cells) + "\n" + "\t".join(cells.values()) + "\n")
        return tmp_path / "m.yaml", tmp_path / "t.tsv"

    return write


@pytest.mark.parametrize(("said", "remark"), ROWS)
def test_each_kind_has_a_remark_and_is_kept(table, said, remark):
    mapping, path = table(said)
    source = from_file(mapping)
    items = list(judged_values(source.records(path), source.info))
    wanted = [f"values that cannot be: {remark}"] if remark else []
    texts = [item.text for item in items if isinstance(item, Remark) and item.text.startswith("values")]
    assert texts == wanted
    records = repr([item.record for item in items if not isinstance(item, Remark)])
    assert all(value in records for value in said.values())


USED = {"s": ("score", None), "pub": ("published", ""), "doi": ("doi", "")}


@pytest.mark.parametrize("said", [{"s": "1.7"}, {"pub": "2999-01"}, {"doi": "11.1/x"}])
def test_what_the_graph_would_reckon_with_is_a_property_beside(table, said):
    mapping, path = table(said)
    source = from_file(mapping)
    ((cell, value),) = said.items()
    name, nothing = USED[cell]
    rows = [item.record for item in judged_values(source.records(path), source.info) if not isinstance(item, Remark)]
    (record,) = (one for one in rows if any(key == f"said_{name}" for key, _ in one.properties))
    assert str(dict(record.properties)[f"said_{name}"]) == value
    assert getattr(record, name) == nothing


@pytest.mark.parametrize(
    ("source", "name", "text", "remark"),
    [
        ("references", "a.txt", "1|t|A\n1|a|B\n1\t0\t1\tA\tDisease\tNOSUCH:1\n", "the prefix 'NOSUCH' is unknown"),
        ("do-xrefs", "a.tsv", "id\tlabel\txref\nDOID:2841\ta\tNOSUCH:1\n", "the prefix 'NOSUCH' is unknown"),
        ("rdf", "a.ttl", f"{TURTLE}ex:1 a owl:Class ; rdfs:label 'a' .", ""),  # which the file explains
        ("obo", "a.obo", "[Term]\nid: https://a.example/1\nname: a\n", "addresses like 'https://a.example/1' stand"),
        ("disease-tables", "t.csv", "disease,symptoms\nGout,Pain\n", ""),
        ("question-tables", "t.csv", "question,answer,q_type\nWhat is it?,Gout,informashun\n",
         "values that cannot be: types of sections that the graph does not know: 1, the first is informashun (t:"),
    ],
)  # fmt: skip
def test_unknown_prefixes_and_types_are_told_of_whatever_reads_them(settings, tmp_path, source, name, text, remark):
    (tmp_path / name).write_text(text)
    wish = LoadOptions() if source == "do-xrefs" else LoadOptions(name="mine", licence="CC0-1.0")
    task = task_of(settings, source, tmp_path / name, wish)
    texts = [item.text[: len(remark)] for item in task.items() if isinstance(item, Remark)]
    assert texts == [remark] * bool(remark)


def test_a_check_a_load_and_the_audit_tell_of_them(table, database, settings):
    mapping, path = table({"id": "MONDO:7", "s": "1.7"})
    texts = [remark.text.removeprefix("values that cannot be: ") for remark in try_out(mapping, path).remarks]
    assert texts == [ROWS[0][1], next(remark for said, remark in ROWS if said == {"s": "1.7"})]
    assert load_named(database, settings, str(mapping), path, dry_run=True).remarks == 2
    report = load_named(database, settings, str(mapping), path)
    assert (report.remarks, report.rejected) == (2, 0)
    found = audit(database, only=["impossible_values", "unread"]).findings
    assert [(one.check, one.what, one.count) for one in found] == [
        ("impossible_values", "ids that none of MONDO is like", 3),
        ("impossible_values", "scores outside 0 to 1", 1),
    ]


@given(st.text(max_size=30), st.sampled_from(["HP", "mesh", "OMIM", "UniProtKB", "GO", "x"]))
def test_what_may_be_meant_is_an_id_of_the_prefix(local, start):
    if misfit := prefixes.misfit(f"{start}:{local}"):
        assert not misfit[1] or prefixes.misfit(misfit[1]) is None
