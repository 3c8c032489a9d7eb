"""Files of others through the graph's records and out again: every word that is theirs stays as they wrote it."""

import csv
import json
import re
import string
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.exports import kgx as kgx_export
from medgraph.exports import sssom as sssom_export
from medgraph.exports.export import write_nquads
from medgraph.loaders.base import Row
from medgraph.loaders.exchange import kgx, nquads, sssom, sssom_rows
from medgraph.schema.records import Relation, SourceInfo
from tests.support.statements import SLOW

LOCAL = st.text(st.sampled_from("aZ09._-~é日ß/(),;=@'"), min_size=1, max_size=6)
CODED = st.builds("{}%{:02X}{}".format, LOCAL, st.integers(0x20, 0x7E), LOCAL)
BASE = st.sampled_from(["https://one.example/e/", "https://two.example/é#", "http://three.example/x?y=", "urn:uuid:"])
IRI = st.builds("{}{}".format, BASE, LOCAL | CODED)
ID = st.one_of(
    st.sampled_from(["MONDO:1", "HP:0001250", "XYZ:1", "WIKIPEDIA:A_%28b%29", "GO:1"]),
    st.builds("{}:{}".format, st.sampled_from(["XYZ", "LAB.x", "Ä.x"]), LOCAL | CODED),
    IRI,
)
SEVERAL = st.lists(ID, min_size=1, max_size=3, unique=True)
EDGE = st.fixed_dictionaries(
    {
        "subject": ID,
        "predicate": st.sampled_from([f"biolink:{word}" for word in (
            "has_phenotype", "contraindicated_in", "contraindicated_for", "treats", "in_cohort_with", "subclass_of",
            "has_contraindication", "prevented_by", "has_preventative_intervention", "related_to", "close_match",
        )]),
        "object": ID,
    },
    optional={
        "id": st.just("urn:uuid:e1"),
        "primary_knowledge_source": st.sampled_from(["infores:a", "infores:t-a", "infores:hpo-annotations"]),
        "knowledge_level": st.sampled_from(["prediction", "knowledge_assertion"]),
        "agent_type": st.sampled_from(["manual_agent", "text_mining_agent"]),
        "frequency_qualifier": st.sampled_from(["HP:0040283", "HP:0040281"]),
        "onset_qualifier": st.just("HP:0003577"),
        "anatomical_context_qualifier": SEVERAL,
        "qualifiers": SEVERAL,
        "has_evidence": st.lists(st.sampled_from(["ECO:0000304", "ECO:1"]), min_size=1, max_size=2, unique=True),
        "publications": st.lists(IRI | st.just("DOI:10.1/a%2Fb"), min_size=1, max_size=2, unique=True),
        "has_confidence_score": st.floats(0, 1),
        "license": st.sampled_from(["CC0-1.0", "https://creativecommons.org/licenses/by/4.0/"]),
    },
)  # fmt: skip


def rows(items):
    found = list(items)
    return [("" if isinstance(row.record, SourceInfo) else row.source, row.record) for row in found]


def own_words(edge):
    return {name.removeprefix("medgraph:"): value for name, value in edge.items()}


@pytest.mark.parametrize("between", ["kgx", "nquads"])
@SLOW
@given(edge=EDGE)
def test_an_edge_of_others_comes_out_in_their_words(tmp_path_factory, between, edge):
    folder = tmp_path_factory.mktemp("g")
    (folder / "nodes.jsonl").write_text(json.dumps({"id": "MONDO:1", "category": ["biolink:Disease"], "name": "x"}))
    (folder / "edges.jsonl").write_text(json.dumps(edge))
    whole = SourceInfo("t", "T", "1", "CC0-1.0", "")
    read = [("t", whole)] + [
        (record.id if isinstance(record, SourceInfo) else source or "t", record)
        for source, record in rows(item for item in kgx.records(folder, "t") if isinstance(item, Row))
    ]
    read.sort(key=lambda pair: not isinstance(pair[1], SourceInfo))
    if between == "nquads":
        write_nquads(folder / "all.nq", read)
        again = [item.record for item in nquads.records(folder / "all.nq")]
        assert again[-2:] == [record for _, record in read[-2:]]
    kgx_export.write(folder / "out", read)
    (out,) = map(json.loads, (folder / "out" / "edges.jsonl").read_text().splitlines())
    assert {name: own_words(out)[name] for name in edge} == edge
    assert [item.record for item in kgx.records(folder / "out") if isinstance(item, Row)][-1] == read[-1][1]


MAPPING = st.fixed_dictionaries(
    {
        "subject_id": st.sampled_from(["LAB:1", "LAB:%28a%29", "HP:0001250", "wiki:A_%28b%29"])
        | st.builds("{}:{}".format, st.sampled_from(["LAB", "OTH", "NIX"]), LOCAL | CODED),
        "predicate_id": st.sampled_from(["skos:exactMatch", "owl:equivalentClass", "LAB:like", "RO:1"]),
        "object_id": st.sampled_from(["MONDO:1", "OTH:a%20b", "NCIT:C1"]),
        "mapping_justification": st.sampled_from(["semapv:LexicalMatching", "semapv:ManualMappingCuration"]),
    },
    optional={
        "author_id": st.sampled_from(["orcid:0000-0001", "LAB:me", "orcid:0000-0001|LAB:me"]),
        "license": st.just("https://creativecommons.org/licenses/by/4.0/"),
        "confidence": st.sampled_from(["0.5", "1.0"]),
        "subject_source": st.sampled_from(["LAB:all", "obo:hp"]),
        "comment": st.sampled_from(["=x", "a|b"]),
    },
)  # fmt: skip
BASES = {
    "LAB": "https://one.example/entities/", "OTH": "https://two.example/items#", "orcid": "https://orcid.org/",
    "RO": "http://purl.obolibrary.org/obo/RO_", "wiki": "https://en.wikipedia.org/wiki/", "obo": "http://purl.obolibrary.org/obo/",
    "HP": "http://purl.obolibrary.org/obo/HP_",
    "MONDO": "http://purl.obolibrary.org/obo/MONDO_", "NCIT": "http://purl.obolibrary.org/obo/NCIT_",
}  # fmt: skip


def table(path):
    """The mappings of a file, with all CURIEs in full by its own prefixes."""
    header = sssom_rows.load_header(path)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return header, [
        {name: header.full(cell.removeprefix("'")) for name, cell in row.items() if cell}
        for row in csv.DictReader(lines, delimiter="\t")
    ]


@SLOW
@given(said=MAPPING)
def test_a_mapping_of_others_comes_out_with_their_addresses(tmp_path_factory, said):
    path = tmp_path_factory.mktemp("m") / "a.sssom.tsv"
    known = "".join(f"#  {name}: {base}\n" for name, base in BASES.items())
    path.write_text(f"#curie_map:\n{known}" + "\t".join(said) + "\n" + "\t".join(said.values()) + "\n")
    relations = [row.record for row in sssom.records(path) if isinstance(row, Row) and isinstance(row.record, Relation)]
    out = path.with_name("out.sssom.tsv")
    sssom_export.write(out, [sssom.describe(path)], [sssom_export.Mapping("a", relation) for relation in relations])
    (before,), (after,) = table(path)[1], table(out)[1]
    header = table(out)[0]
    declared = {name: re.sub(r"^NIX:", "urn:medgraph:id:NIX:", text) for name, text in before.items()}
    coded = {name: quote(text, safe=string.punctuation + " ") for name, text in declared.items()}
    assert {name: after[name] for name in before} == coded
    assert not any(base.startswith("urn:medgraph:id:") and name in BASES for name, base in header.prefixes.items())
    again = [row.record for row in sssom.records(out) if isinstance(row, Row) and isinstance(row.record, Relation)]
    assert again == relations
