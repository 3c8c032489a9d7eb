"""What sources say, by kind of statement and form of file: each row is a small file and what has to become of it."""

import json

import pytest

from medgraph.loaders import registry
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.commands import LoadOptions, task_of
from medgraph.schema.records import Entity, SourceInfo
from medgraph.settings import Settings

NODES = "id\tcategory\tname\n"
EDGES = "subject\tpredicate\tobject\t"
SSSOM = "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
LAB = "https://one.example/entities/"


def told(items):
    """Everything that items say, a line each."""
    for item in items:
        if isinstance(item, Remark):
            yield f"remark: {item.text}"
        elif isinstance(item, Reject):
            yield f"reject: {item.reason}"
        elif isinstance(item, Row) and not isinstance(item.record, SourceInfo):
            yield from _record(item.record)


def _record(record):
    about = record.id if isinstance(record, Entity) else f"{record.subject} {record.type} {record.object}"
    names = set(type(record).__slots__) - {"id", "subject", "type", "object", "properties"}
    yield about
    for name, value in [*((name, getattr(record, name)) for name in names), *record.properties]:
        for one in value if isinstance(value, tuple) else [value]:
            if one not in ("", None, False, ()):
                yield f"{about} {name}={one}"


def laid(folder, files):
    """Write files; give the one that there is, or the folder."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / next(iter(files)) if len(files) == 1 else folder


def kgx(nodes, *edges):
    """A graph of JSON Lines."""
    lines = [{"category": ["biolink:Disease"], "name": node["id"]} | node for node in nodes]
    return {"nodes.jsonl": "\n".join(map(json.dumps, lines)), "edges.jsonl": "\n".join(map(json.dumps, edges))}


def kgx_table(nodes, header, *edges):
    return {"nodes.tsv": NODES + nodes, "edges.tsv": f"{EDGES}{header}\n" + "".join(f"{edge}\n" for edge in edges)}


def edge(**said):
    return {"subject": "MONDO:1", "predicate": "biolink:has_phenotype", "object": "HP:1"} | said


ONE, TWO = {"id": "MONDO:1"}, {"id": "MONDO:2"}

ROWS = [
    # kind, source, files, what is told, what is not
    ("predicates", "kgx", kgx([ONE], edge(predicate="biolink:contraindicated_for", object="MONDO:2")),
     ["MONDO:1 CONTRAINDICATED_IN MONDO:2 predicate=biolink:contraindicated_for"], []),
    ("predicates", "kgx", kgx([ONE], edge(predicate="biolink:exacerbates_condition")),
     ["HP:1 WORSENED_BY MONDO:1 stated_predicate=biolink:exacerbates_condition"], []),
    ("predicates", "kgx", kgx_table(
        "", "primary_knowledge_source\tknowledge_level\tagent_type\tonset_qualifier\thas_evidence",
        "MONDO:1\tbiolink:has_phenotype\tHP:1\tinfores:a\tprediction\tmanual_agent\tHP:0003577\tECO:1"),
     [f"MONDO:1 HAS_SYMPTOM HP:1 {said}" for said in (
         "primary_knowledge_source=infores:a", "knowledge_level=prediction", "agent_type=manual_agent",
         "onset_qualifier=HP:0003577", "has_evidence=ECO:1",
         "predicate=biolink:has_phenotype (onset_qualifier=HP:0003577)")], []),
    ("what is held", "kgx", kgx([ONE | {"count": 12345678901234567890}], edge()),
     ["MONDO:1 count=12345678901234567890", "remark: count is 12345678901234567890, a number",
      "MONDO:1 HAS_SYMPTOM HP:1"], ["reject"]),
    ("what is held", "kgx", kgx([ONE], edge(score=10**400, publications=["PMID:1", "x" * 600], note="\x01")),
     ["MONDO:1 HAS_SYMPTOM HP:1 evidence=PMID:1", "remark: the id 'xxx", "remark: the property note holds the control"],
     ["reject"]),
    ("what is held", "kgx", kgx_table("", "confidence_score", "MONDO:1\tbiolink:has_phenotype\tHP:1\tnan"),
     ["MONDO:1 HAS_SYMPTOM HP:1 confidence_score=nan"], ["reject"]),
    ("ids", "sssom", {"a.sssom.tsv": f"#curie_map:\n#  LAB: {LAB}\n{SSSOM}LAB:1\tskos:exactMatch\tHP:1\tsemapv:X\n"},
     [f"{LAB}1 EXACT_MATCH HP:1"], ["LAB:1", "remark: the prefix"]),
    ("ids", "sssom", {"a.sssom.tsv": f"#curie_map:\n#  HP: {LAB}\n{SSSOM}HP:1\tskos:exactMatch\tMONDO:1\tsemapv:X\n"},
     [f"{LAB}1 EXACT_MATCH MONDO:1"], ["HP:1"]),
    ("ids", "sssom", {"a.sssom.json": json.dumps(
        {"@context": {"LAB": {"@id": LAB, "@prefix": True}}, "mapping_set_id": "https://x.example/s", "mappings": [
            {"subject_id": "LAB:1", "predicate_id": "skos:exactMatch", "object_id": "HP:1",
             "mapping_justification": "semapv:LexicalMatching"}]})},
     [f"{LAB}1 EXACT_MATCH HP:1"], ["LAB:1"]),
    ("ids", "sssom", {"a.sssom.tsv": f"#curie_map:\n#  wiki: https://en.wikipedia.org/wiki/\n{SSSOM}"
                                     "HP:1\tskos:exactMatch\twiki:A_%28b%29\tsemapv:X\n"},
     ["HP:1 EXACT_MATCH WIKIPEDIA:A_%28b%29"], []),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "source", "files", "wanted", "unwanted"), ROWS)
def test_what_a_file_says_is_told(tmp_path, kind, source, files, wanted, unwanted):
    lines = list(told(registry.get(source).records(laid(tmp_path, files))))
    for text in wanted:
        assert any(line.startswith(text) for line in lines), f"{kind} in {source}: no {text!r} in\n" + "\n".join(lines)
    for text in unwanted:
        assert not [line for line in lines if line.startswith(text)], f"{kind} in {source}"


def test_parts_follow_their_source(tmp_path):
    files = kgx_table("", "primary_knowledge_source", "MONDO:1\tbiolink:has_phenotype\tHP:1\tinfores:hpo")
    (tmp_path / "g").mkdir()
    wish = LoadOptions(name="t", licence="CC0-1.0", title="Mine", version="7")
    task = task_of(Settings.from_environment({}), "kgx", laid(tmp_path / "g", files), wish)
    (part,) = [item.record for item in task.items() if isinstance(item.record, SourceInfo)]
    assert (part.id, part.licence, part.title, part.version) == ("t-hpo", "CC0-1.0", "Mine: infores:hpo", "7")
