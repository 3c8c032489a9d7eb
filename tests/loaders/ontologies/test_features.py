"""Each feature of ontologies means the same in OBO, OWL and OBO Graphs; those that cannot are named with the reason."""

import json
import re

import pytest
import yaml

from medgraph.loaders.base import Row
from medgraph.schema.records import Entity
from tests.support.ontologies import SMALL, reader

FEATURES = {
    name: said
    for feature in yaml.safe_load((SMALL / "features.yaml").read_text(encoding="utf-8"))
    for name, said in feature.items()
}
SPACES = {
    "": "http://purl.obolibrary.org/obo/",
    "obo": "http://purl.obolibrary.org/obo/",
    "oio": "http://www.geneontology.org/formats/oboInOwl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
RELATED = {"sub": "obo:X_1", "pred": "obo:R_1", "obj": "obo:Y_1"}


def obo(said):
    lines = said.get("obo", "relationship: R:1 Y:1")
    types = f"[Typedef]\nid: R:1\n{said['relation']}" if "relation" in said else said.get("types", "")
    head = f"format-version: 1.4\nontology: made\n{said.get('head', '')}\n"
    return f"{head}\n[Term]\nid: X:1\n{lines}\n\n{types}\n"


def owl(said):
    text = said.get("owl", "")
    first = "http://example.org/X/1" if "http://example.org/X/1" in text else SPACES[""] + "X_1"
    text += f"\n<{SPACES['obo']}made.owl> a owl:Ontology . "
    if "http://example.org/other/1" not in text:
        text += f"<{first}> a owl:Class ."
    if "relation" in said:
        text += ":R_1 a owl:ObjectProperty . :X_1 rdfs:subClassOf "
        text += "[a owl:Restriction; owl:onProperty :R_1; owl:someValuesFrom :Y_1] ."
    axiom = r"\1 \2 \3 . [a owl:Axiom; owl:annotatedSource \1; owl:annotatedProperty \2; owl:annotatedTarget \3; \4] ."
    text = re.sub(r"<< (\S+) (\S+) (.+) >> (.+)", axiom, text)
    return "".join(f"@prefix {name}: <{base}> .\n" for name, base in SPACES.items()) + text


def graphs(said):
    graph = {"id": "obo:made.owl", "nodes": [], "edges": []}
    if "label" in said or "meta" in said:
        graph["nodes"].append({"id": "obo:X_1", "lbl": said.get("label"), "type": "CLASS", "meta": said.get("meta")})
    if "relation" in said:
        kept = said.get("property")
        kept = {"lbl": kept} if isinstance(kept, str) else {"meta": kept}
        graph["nodes"].append({"id": "obo:R_1", "type": "PROPERTY", **kept})
        graph["edges"].append(RELATED)
    for key, parts in said.get("graph", {}).items():
        graph.setdefault(key, []).extend(parts)
    text = json.dumps({"@context": said.get("context", {}), "graphs": [graph]})
    return re.sub(r'"(obo|oio|skos):', lambda found: f'"{SPACES[found[1]]}', text)


def read(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    path = folder / name
    found = {item.record for item in reader(path).records(path) if isinstance(item, Row)}
    return found - {Entity(record.id) for record in found if isinstance(record, Entity)}


@pytest.mark.parametrize("name", FEATURES)
def test_three_readings_are_equal(tmp_path, name):
    """Terms of which a file gives no more than the id are not compared: OWL declares more of them than OBO can."""
    said = FEATURES[name]
    one, two, three = (
        read(tmp_path, file, write(said)) for file, write in (("a.obo", obo), ("a.ttl", owl), ("a.json", graphs))
    )
    assert one == two
    assert (one == three) == ("differs" not in said)
