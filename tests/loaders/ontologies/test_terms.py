"""The same ontology, whatever file it comes in, gives the same records."""

import itertools
from pathlib import Path

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.base import INFOS, Reject, Remark, Row
from medgraph.loaders.judged import judged_values
from medgraph.loaders.polarity import NEGATED
from medgraph.loaders.registry import SOURCES
from medgraph.schema.checks import IMPOSSIBLE
from medgraph.schema.records import Entity, Relation
from tests.support.ontologies import SMALL, reader


def texts_of(items):
    """The remarks, but for those that count what only one of the formats has."""
    return [item.text for item in items if isinstance(item, Remark) and " are not read" not in item.what]


def read(path, **options):
    return list(reader(path).records(path, **options))


def records(items):
    """The records of items, each once: RDF cannot say a thing twice."""
    found = [item.record for item in items if isinstance(item, Row)]
    assert len(found) == len(set(found))
    return {(type(r).__name__, getattr(r, "id", None) or (r.subject, r.type, r.object, r.predicate)): r for r in found}


def differences(one, other):
    return {key: (one.get(key), other.get(key)) for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


@pytest.mark.parametrize("suffix", [".owl", ".json"])
def test_every_feature_means_the_same_in_each_format(suffix):
    assert not differences(records(read(SMALL / "lungs.obo")), records(read(SMALL / f"lungs{suffix}")))


def test_what_a_file_denies_is_no_relation_in_any_format():
    wanted = records(read(SMALL / "denied.obo"))
    assert {key[1] for key in wanted if key[0] == "Relation"} == {
        ("GO:0005634", "PART_OF", "CL:0000003", ""),
        ("CL:0000232", "IS_A", "CL:0000003", ""),
        ("MONDO:0004979", "WORSENED_BY", "CHEBI:15365", ""),  # said from the other end
        ("CHEBI:15365", "CONTRAINDICATED_IN", "MONDO:0004979", ""),
    }
    assert wanted["Entity", "GO:0005634"].properties == (("never_in_taxon", ("NCBITaxon:2",)),)
    for suffix in (".owl", ".json"):
        assert not differences(wanted, records(read(SMALL / f"denied{suffix}")))
    said = [
        f"{NEGATED}: 1, the first is CL:0000232 part of GO:0005634",
        *(
            f"statements of what is not so ({name}) are left out: 1, the first is {subject} {name} {target}"
            for subject, name, target in (
                ("CL:0000232", "lacks_part", "GO:0005634"),
                ("CL:0000232", "not located in", "GO:0005634"),
                ("MONDO:0004979", "Disease_Excludes_Finding", "NCIT:C4"),
            )
        ),
    ]
    for suffix in (".obo", ".owl", ".json"):
        noticed = texts_of(read(SMALL / f"denied{suffix}"))
        assert set(said) <= set(noticed)
        assert len(noticed) == len(said) + 2 * (suffix == ".owl")  # a complement and a negative assertion
    lines = {
        item.line for item in read(SMALL / "denied.obo") if isinstance(item, Remark) and item.what in "".join(said)
    }
    assert lines == {18, 19, 20, 25}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "files",
    [
        ("symp/symp.obo", "symp/symp.owl", "symp/symp.json"),
        ("doid/DO_infectious_disease_slim.owl", "doid/DO_infectious_disease_slim.json"),
    ],
    ids=["symp", "infectious"],
)
def test_real_ontologies_mean_the_same_in_each_format(data, files):
    read_files = [records(read(data / file)) for file in files]
    for one, other in itertools.combinations(read_files, 2):
        assert not differences(one, other)
    described = [reader(data / file).describe(data / file) for file in files]
    assert len({(info.id, info.version) for info in described}) == 1
    if files[0].startswith("symp"):
        assert [len([r for r in read_files[0].values() if isinstance(r, kind)]) for kind in (Entity, Relation)] == [
            1020,
            898,
        ]
        assert described == [described[0]] * 3
        assert (described[0].id, described[0].version, described[0].licence) == ("symp", "2026-07-30", "CC0-1.0")


@pytest.mark.thorough
def test_three_files_of_one_import_differ_only_in_what_a_release_changed(data):
    obo, owl, graph = (
        records(read(data.parent / "peers" / "hp" / f"nbo_import.{end}")) for end in ("obo", "owl", "json")
    )
    assert obo == graph
    assert owl == {key: record for key, record in obo.items() if key in owl}  # two months later, with fewer terms
    assert [len([key for key in found if key[0] == "Entity"]) for found in (obo, owl)] == [163, 148]
    dates = [dict(record.properties)["dc_date"] for record in obo.values() if "dc_date" in dict(record.properties)]
    assert len(dates) == 152
    assert not [date for date in dates if "xsd:" in "".join(date)]


def test_what_becomes_of_each_feature():
    found = records(read(SMALL / "lungs.obo"))
    entities = {key: record for (kind, key), record in found.items() if kind == "Entity"}
    others = ["UBERON:1", "GO:1", "GO:2", "XYZZY:1", "MONDO:6", "UBERON:9"]
    assert list(entities) == [*(f"DOID:{n}" for n in range(1, 7)), *others]
    labels = [*["Disease"] * 4, "", "", "Anatomy", "BiologicalProcess", "CellularComponent", "Topic", "", ""]
    assert [entity.label for entity in entities.values()] == labels
    assert entities["DOID:1"] == Entity(
        id="DOID:1",
        label="Disease",
        name="lung disease",
        concepts=("C0000009", "C0024115"),
        xrefs=("SNOMEDCT:19829001", "XYZZY:7", "http://example.org/lung"),
        properties=(
            ("close_matches", ("MESH:D008171",)),
            ("comments", ("First of two\nlines {not qualifiers}",)),
            ("created_by", "ada"),
            ("creation_date", "2020-01-31T10:00:00Z"),
            ("exact_matches", ("DOID:2", "UMLS:C0000009")),
            ("iao_0000233", ("https://example.org/issues/1",)),
            ("namespace", "lungs"),
            ("subsets", ("common",)),
            ("xref_notes", ("label=its page http://example.org/lung",)),
            ("xref_sources", ("DOID:99 XYZZY:7", "MONDO:equivalentTo XYZZY:7")),
        ),
    )
    assert entities["DOID:2"] == Entity(
        id="DOID:2",
        label="Disease",
        name='asthma {"wheeze"} ! C:\\lung',
        synonyms=("BA", "ba", "bronchial asthma"),
        definition='Airways "narrow" {at times} ! and open.',
        narrow_synonyms=("asthma attack",),
        broad_synonyms=("airway disease",),
        related_synonyms=("wheezing",),
        xrefs=("OMIMPS:600807",),
        alternative_ids=("DOID:22", "DOID:23"),
        properties=(
            ("definition_notes", ("comments=kept apart",)),
            ("definition_xrefs", ("ISBN:3", "PMID:1", "http://example.org/a,b")),
            ("namespace", "lungs"),
            ("synonym_types", ("OMO:0003012 BA", "abbreviation ba")),
            ("synonym_xrefs", ("MESH:D001249 BA", "PMID:2 wheezing", "PMID:3 wheezing")),
        ),
    )
    gone = entities["DOID:3"]
    assert (gone.obsolete, gone.replaced_by, dict(gone.properties)["consider"]) == (
        True,
        ("DOID:4",),
        ("DOID:1", "DOID:2"),
    )
    assert entities["DOID:5"] == Entity("DOID:5", "", "", obsolete=True, properties=(("namespace", "lungs"),))
    assert entities["UBERON:1"].translations == ("Lunge@de",)


def test_what_becomes_of_each_relation():
    found = [record for record in records(read(SMALL / "lungs.obo")).values() if isinstance(record, Relation)]
    assert found == [
        Relation("DOID:1", "EXACT_MATCH", "DOID:2"),
        Relation("DOID:2", "PART_OF", "DOID:1"),
        Relation(
            "DOID:2",
            "LOCATED_IN",
            "UBERON:1",
            "RO:0004026",
            evidence=("PMID:6",),
            properties=(("predicate_name", "disease has location"),),
        ),
        Relation(
            "DOID:2", "RELATED_TO", "DOID:4", "RO:0009501", properties=(("predicate_name", "realized in response to"),)
        ),
        Relation(
            "DOID:2",
            "IS_A",
            "DOID:1",
            evidence=("PMID:4", "PMID:5"),
            properties=(("comments", ("as ever",)), ("is_inferred", ("true",))),
        ),
        Relation("DOID:2", "EXACT_MATCH", "MONDO:2", "owl:equivalentClass"),
        Relation("DOID:4", "IS_A", "DOID:1"),
        Relation("DOID:4", "IS_A", "DOID:2"),
        Relation("DOID:4", "IS_A", "DOID:404"),  # in no file: the writer says so
        Relation("DOID:6", "EXACT_MATCH", "MONDO:6", "owl:equivalentClass"),
        Relation("XYZZY:1", "IS_A", "GO:2"),
    ]


@pytest.mark.parametrize("suffix", [".obo", ".owl", ".json"])
def test_what_a_curator_should_look_at_is_said_once(suffix):
    items = list(judged_values(read(SMALL / f"lungs{suffix}"), INFOS["obo"]))
    assert not [item for item in items if isinstance(item, Reject)]
    texts = sorted(text.partition(", the first is ")[0] for text in texts_of(items))
    unknown = [text for text in texts if text.startswith("the prefix 'XYZZY' is unknown: ids like 'XYZZY:")]
    assert [text for text in texts if text not in unknown and not text.startswith(IMPOSSIBLE)] == [
        "individuals are passed over, for only terms are read: 1",
        "logical definitions are passed over, for they are neither relations nor texts: 1",
        "of terms such as UBERON:9 the file gives the id alone; they are stubs until a source names them",
        *(
            [
                "relations that do not say that there is one are left out (at most, all, only, or): 1",
                "relations that say that there is none are left out (cardinality 0, a complement): 1",
                "statements that classes have nothing in common are passed over: 1",
            ]
            if suffix != ".json"  # where they are not written at all
            else []
        ),
        *(["subsets and types of synonyms are passed over, for they are no terms: 1"] if suffix == ".json" else []),
        "the file imports http://example.org/elsewhere.owl, which is not followed; load it as a source of its own",
        *(
            ["what holds for a part of the term only is left out (gci_relation, axioms on expressions): 1"]
            if suffix != ".json"
            else []
        ),
    ]
    assert len(unknown) == 1
    kinds = [type(item.record) for item in items if isinstance(item, Row)]
    assert kinds == sorted(kinds, key=[Entity, Relation].index)


def test_files_are_recognised_by_name_and_beginning(data, tmp_path):
    formats = {name: SOURCES[name].recognise for name in ("obo", "rdf", "obographs")}
    for path in sorted(file for folder in (data, SMALL) for file in folder.rglob("*") if file.is_file()):
        expected = {".obo": "obo", ".owl": "rdf", ".ttl": "rdf"}.get(path.suffix)
        if path.suffix == ".json" and path.stem in {"symp", "DO_infectious_disease_slim", "lungs", "denied"}:
            expected = "obographs"
        assert [name for name, recognise in formats.items() if recognise(path)] == ([expected] if expected else []), (
            path
        )
    for name, text in (
        ("a.obo", "<html>"),
        ("a.owl", "<html>"),
        ("a.json", '{"a": 1}'),
        ("a.ttl", "no"),
        ("b.obo", ""),
    ):
        (tmp_path / name).write_text(text)
        assert not any(recognise(tmp_path / name) for recognise in formats.values())
    assert not any(recognise(tmp_path) for recognise in formats.values())


@pytest.mark.parametrize("suffix", [".obo", ".owl", ".json"])
def test_a_field_of_a_million_characters_and_a_circle(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    text = (SMALL / f"lungs{suffix}").read_text()
    path.write_text(text.replace("lung disease", "x" * 1_000_000))
    (reject,) = [item for item in read(path) if isinstance(item, Reject)]
    assert "has more than 8,000 bytes" in reject.reason
    assert len(reject.reason) < 500
    swap = {
        ".obo": ("is_a: GO:2", "is_a: XYZZY:1"),
        ".json": ("obo/GO_2", "obo/XYZZY_1"),
        ".owl": ("obo/GO_2", "obo/XYZZY_1"),
    }
    path.write_text(text.replace(*swap[suffix]))
    assert ("Relation", ("XYZZY:1", "IS_A", "XYZZY:1", "")) in records(read(path))


@pytest.mark.parametrize("suffix", [".obo", ".owl", ".json"])
def test_a_control_character_costs_the_term_alone(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    bad = {".obo": "\x1b", ".json": "\\u001b", ".owl": "\x7f"}[suffix]
    path.write_text((SMALL / f"lungs{suffix}").read_text().replace("tuberculosis", f"tuber{bad}culosis"))
    items = read(path)
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert "'DOID:4' is left out: the name holds the control character U+00" in reject.reason.replace(
        "the term 'http://purl.obolibrary.org/obo/DOID_4'", "'DOID:4'"
    )
    assert len(records(items)) == 22


@pytest.mark.parametrize("suffix", [".obo", ".owl", ".json"])
class TestFilesThatCannotBeUsed:
    def test_an_empty_file(self, tmp_path, suffix):
        path = tmp_path / f"a{suffix}"
        path.touch()
        with pytest.raises(SourceFileError, match=rf"a\{suffix}: is empty; fetch it again"):
            read(path)

    def test_a_folder(self, tmp_path, suffix):
        path = tmp_path / f"a{suffix}"
        path.mkdir()
        with pytest.raises(SourceFileError, match=r"is a folder; give a file"):
            read(path)

    def test_a_missing_file(self, tmp_path, suffix):
        with pytest.raises(SourceFileError, match="cannot be read: No such file"):
            read(tmp_path / f"a{suffix}")

    def test_a_gzip_and_one_that_is_none_or_cut_off(self, tmp_path, suffix):
        import gzip

        module, path = reader(Path(f"a{suffix}")), tmp_path / f"a{suffix}.gz"
        whole = (SMALL / f"lungs{suffix}").read_bytes()
        path.write_bytes(gzip.compress(whole, mtime=0))
        assert module.recognise(path)
        assert records(list(module.records(path))) == records(read(SMALL / f"lungs{suffix}"))
        path.write_bytes(whole)
        with pytest.raises(SourceFileError, match=r"is called \.gz and is not packed with gzip; fetch it again"):
            list(module.records(path))
        path.write_bytes(gzip.compress(whole, mtime=0)[:-50])
        with pytest.raises(SourceFileError, match=r"is cut off after .* unpacked bytes; fetch it again"):
            list(module.records(path))

    def test_utf_16(self, tmp_path, suffix):
        path = tmp_path / f"a{suffix}"
        path.write_bytes((SMALL / f"lungs{suffix}").read_text().encode("utf-16"))
        with pytest.raises(SourceFileError, match="UTF-8"):
            read(path)

    def test_any_bytes_are_refused_or_read_and_nothing_else(self, tmp_path, suffix):
        whole = (SMALL / f"lungs{suffix}").read_bytes()
        path = tmp_path / f"a{suffix}"
        for cut in range(1, len(whole), max(1, len(whole) // 60)):
            for content in (whole[:cut], whole[:cut] + b"\x00\xff" + whole[cut:], whole[cut:]):
                path.write_bytes(content)
                items, refusal = [], str(path)
                try:
                    items = read(path)
                except SourceFileError as error:
                    refusal = str(error)
                assert str(path) in refusal
                assert all(isinstance(item, Row | Reject | Remark) for item in items)
