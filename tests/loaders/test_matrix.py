"""What sources say, by kind of statement and form of file: each row is a small file and what has to become of it."""

import json

import pytest

from medgraph.exports import kgx as kgx_export
from medgraph.exports.export import write_nquads
from medgraph.loaders import registry
from medgraph.loaders.base import Row
from medgraph.loaders.commands import LoadOptions, task_of
from medgraph.schema.exchange.sssom import OURS
from medgraph.schema.records import Entity, SourceInfo
from medgraph.settings import Settings
from tests.support.exchange import STATEMENTS
from tests.support.foreign import HP, LAB, NAMESPACES, OIO, W3, laid, obo, told, ttl

NODES = "id\tcategory\tname\n"
EDGES = "subject\tpredicate\tobject\t"
SSSOM = "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
AXIOM = "[] a owl:Axiom ; owl:annotatedSource HP:1 ; owl:annotatedProperty oio:hasExactSynonym ; "
XMLNS = " ".join(f'xmlns:{name}="{base}"' for name, base in NAMESPACES.items())


def kgx(nodes, *edges):
    """A graph of JSON Lines."""
    lines = [{"category": ["biolink:Disease"], "name": node["id"]} | node for node in nodes]
    return {"nodes.jsonl": "\n".join(map(json.dumps, lines)), "edges.jsonl": "\n".join(map(json.dumps, edges))}


def kgx_table(nodes, header, *edges):
    return {"nodes.tsv": NODES + nodes, "edges.tsv": f"{EDGES}{header}\n" + "".join(f"{edge}\n" for edge in edges)}


def xml(*lines):
    """A class in RDF/XML, with what is said of it and what else there is."""
    inside, *outside = lines
    start = f'<?xml version="1.0"?>\n<rdf:RDF {XMLNS}>\n<owl:Class rdf:about="{HP}1"><rdfs:label>a</rdfs:label>'
    return {"a.owl": f"{start}{inside}</owl:Class>\n" + "\n".join(outside) + "\n</rdf:RDF>\n"}


def jsonld(**said):
    context = {"HP": HP, "LAB": LAB, "owl": f"{W3}2002/07/owl#", "rdfs": f"{W3}2000/01/rdf-schema#", "oio": OIO}
    return {
        "a.jsonld": json.dumps({"@context": context, "@id": "HP:1", "@type": "owl:Class", "rdfs:label": "a"} | said)
    }


def graphs(meta, edges=(), node="HP:1", **more):
    nodes = [{"id": node.replace("HP:", HP), "type": "CLASS", "lbl": "a", "meta": meta}]
    return {"a.json": json.dumps(more | {"graphs": [{"id": "x", "nodes": nodes, "edges": list(edges)}]})}


def hpoa(*rows):
    columns = (
        "database_id disease_name qualifier hpo_id reference evidence onset frequency sex modifier aspect biocuration"
    )
    return {"phenotype.hpoa": "\n".join(["\t".join(columns.split()), *rows, ""])}


def orphanet(*phenotypes):
    """A disease with its phenotypes and their frequencies."""
    said = "".join(
        f"<HPODisorderAssociation><HPO><HPOId>{term}</HPOId></HPO><HPOFrequency><Name>{often}</Name></HPOFrequency>"
        "</HPODisorderAssociation>"
        for term, often in phenotypes
    )
    inside = (
        f"<Disorder><OrphaCode>58</OrphaCode><HPODisorderAssociationList>{said}</HPODisorderAssociationList></Disorder>"
    )
    for tag in ("HPODisorderSetStatus", "HPODisorderSetStatusList", "JDBOR"):
        inside = f"<{tag}>{inside}</{tag}>"
    return {"en_product4.xml": inside}


def edge(**said):
    return {"subject": "MONDO:1", "predicate": "biolink:has_phenotype", "object": "HP:1"} | said


ONE, NAN = {"id": "MONDO:1"}, float("nan")

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
    ("predicates", "kgx", kgx([ONE], edge(qualifiers=[{"qualifier_value": "é"}])),
     ['MONDO:1 HAS_SYMPTOM HP:1 qualifiers={"qualifier_value": "é"}'], []),
    ("what is held", "kgx", kgx([ONE | {"count": 12345678901234567890}], edge()),
     ["MONDO:1 count=12345678901234567890", "remark: count is 12345678901234567890, a number",
      "MONDO:1 HAS_SYMPTOM HP:1"], ["reject"]),
    ("what is held", "kgx", kgx([ONE], edge(score=10**400, publications=["PMID:1", "x" * 600], note="\x01")),
     ["MONDO:1 HAS_SYMPTOM HP:1 evidence=PMID:1", "remark: the id 'xxx", "remark: the property note holds the control"],
     ["reject"]),
    ("what is held", "kgx", kgx_table("", "confidence_score", "MONDO:1\tbiolink:has_phenotype\tHP:1\tnan"),
     ["MONDO:1 HAS_SYMPTOM HP:1 confidence_score=nan"], ["reject"]),
    ("what is held", "kgx", {"nodes.jsonl": '{"id": "MONDO:1", "name": "a", "list": [1, NaN], "n": NaN}',
                             "edges.jsonl": json.dumps(edge())},
     ['MONDO:1 list=[1, "NaN"]', "MONDO:1 n=NaN", "MONDO:1 HAS_SYMPTOM HP:1"], ["reject"]),
    ("what is held", "obographs", graphs({"definition": {"val": "d"}, "basicPropertyValues": [
        {"pred": "ex:n", "val": NAN}, {"pred": "ex:m", "val": -NAN}, {"pred": "ex:t", "val": "NaN"}]}),
     ["HP:1 definition=d", "HP:1 ex_t=NaN", "remark: values NaN and Infinity, which are not JSON, are left out: 2"],
     ["HP:1 ex_n", "reject"]),
    ("what is held", "rdf", jsonld(**{"oio:n": NAN, "oio:m": [float("-inf"), 1], "oio:t": 'Infinity \\" NaN'}),
     ["HP:1 m=1", "HP:1 t=Infinity", "remark: values NaN and Infinity, which are not JSON, are left out: 2"],
     ["HP:1 n=", "reject"]),
    ("what is held", "kgx", kgx([ONE | {"description": {"text": "x"}, "synonym": ["b", {"c": 1}]}], edge()),
     ["MONDO:1 synonyms=b", "remark: 'description' is \"{'text': 'x'}\", not a text; it is left out, the rest",
      "remark: 'synonym' is"], ["reject", "MONDO:1 definition"]),
    ("what is held", "kgx", {"a.json": json.dumps({"x": NAN, "nodes": [ONE | {"n": NAN}], "edges": [edge()]})},
     ["MONDO:1 n=NaN", "MONDO:1 HAS_SYMPTOM HP:1"], ["reject"]),
    ("what is held", "sssom", {"a.sssom.tsv": "#extension_definitions:\n#- slot_name: n\n#  type_hint: xsd:integer\n"
                               f"{SSSOM[:-1]}\tconfidence\tn\nHP:1\tskos:exactMatch\tMONDO:1\tsemapv:X\tnan\t{10**20}\n"},
     ["HP:1 EXACT_MATCH MONDO:1 n=100000000000000000000", "HP:1 EXACT_MATCH MONDO:1 confidence=nan"],
     ["reject"]),
    ("what is held", "obo", obo('synonym: "b\x01" EXACT []', 'synonym: "c" EXACT []'),
     ["HP:1 name=a", "HP:1 synonyms=c", "reject: the synonym holds the control character"], []),
    ("unread", "obo", obo("is_anonymous: false", "\n[Typedef]\nid: p\nis_transitive: true", header="saved-by: me\n"),
     [f"remark: statements of {what} are not read: 1" for what in (
         "is_anonymous on terms", "is_transitive on relations (Typedef)", "saved-by on the header")], []),
    ("unread", "rdf", ttl('HP:1 a ex:Kind ; rdfs:isDefinedBy ex:o', "ex:o a owl:Ontology ; schema:author ex:me"),
     [f"remark: statements of {what} are not read: 1" for what in (
         "rdf:type on terms", "rdfs:isDefinedBy on terms", "schema:author on owl:Ontology")], []),
    ("unread", "rdf", ttl('ex:i a HP:1, owl:NamedIndividual ; ex:q "x", "y"', 'HP:1 ex:p [ ex:q "z" ]',
                          "[] a owl:AllDisjointClasses"),
     ["remark: statements of http://example.org/q on HP:1 and owl:NamedIndividual are not read: 2",
      "remark: statements of http://example.org/p on terms are not read: 1",
      "remark: nodes without an address of the type owl:AllDisjointClasses are not read: 1"], []),
    ("unread", "obo", obo(header='property_value: dc:title "t" xsd:string\nproperty_value: dc:creator "me"\n'),
     ["remark: statements of dc:creator on the header are not read: 1"], ["remark: statements of dc:title"]),
    ("unread", "obographs", {"a.json": json.dumps({"graphs": [{"meta": {"basicPropertyValues": [
        {"pred": "http://purl.org/dc/terms/creator", "val": "me"}]}, "nodes": [
            {"id": f"{HP}1", "lbl": "a", "type": "CLASS", "odd": 1}]}]})},
     ["remark: statements of dcterms:creator on graphs are not read: 1", "remark: statements of odd on terms"], []),
    ("unread", "obographs", {"a.json": json.dumps({"graphs": [{"domainRangeAxioms": [{"predicateId": "p"}], "nodes": [
        {"id": f"{HP}1", "lbl": "a", "type": "CLASS", "meta": {"odd": 1}}]}]})},
     ["remark: statements of domainRangeAxioms on graphs are not read: 1", "remark: statements of odd on terms"], []),
    ("unread", "kgx", kgx([ONE], edge()) | {"metadata.yaml": "x"},
     ["remark: files beside those of the graph are not read: 1, the first is metadata.yaml"], []),
    ("predicates", "kgx", kgx([ONE], edge(sources=[
        {"resource_id": "infores:a", "resource_role": "primary_knowledge_source"},
        {"resource_id": "infores:b", "resource_role": "aggregator_knowledge_source"}])),
     ["MONDO:1 HAS_SYMPTOM HP:1 primary_knowledge_source=infores:a"], []),
    ("unread", "kgx", {"a.json": json.dumps({"graph_version": "7", "nodes": [ONE], "edges": [edge()]})},
     ["remark: graph_version of the document is not read: 1, the first is 7"], []),
    ("unread", "sssom", {"a.sssom.tsv": f"#creator_id: orcid:1\n{SSSOM}HP:1\tskos:exactMatch\tMONDO:1\tsemapv:X\n"},
     ["remark: creator_id of the set of mappings is not read: 1"], []),
    ("what is held", "obographs", graphs({"basicPropertyValues": [{"pred": "ex:n", "val": 10**30}]}),
     ["HP:1 ex_n=1000000000000000000000000000000"], ["reject"]),
    ("what is held", "kgx", kgx([{"id": "MONDO:1", "name": 5}], edge()), ["MONDO:1 name=5"], ["reject"]),
    ("what is held", "kgx", kgx_table("\tbiolink:Disease\ta\n", "p", "MONDO:1\tbiolink:has_phenotype\t\tx"),
     ["reject: has no 'id'; give it one", "reject: has no 'object'; give it one"], ["remark"]),
    ("what is held", "hpoa", hpoa("OMIM:1\t\t\tHP:1\tPMID:1\tPCS\t\t\t\t\tP\tx"),
     ["OMIM:1 name=OMIM:1", "OMIM:1 HAS_SYMPTOM HP:1"], ["reject"]),
    ("unread", "hpoa", hpoa("OMIM:1\ta\t\tHP:1\tPMID:1\tPCS\t\t\t\t\tP\tx"),
     ["remark: columns are not read (biocuration): 1"], []),
    ("what is held", "orphanet", orphanet(("HP:1", "Frequent"), ("", "Frequent")),
     ["Orphanet:58 HAS_SYMPTOM HP:1", "HP:1 name=HP:1", "reject: an association of Orphanet:58 is left out"], []),
    ("denied", "kgx", kgx([ONE], *(edge(**said) for said in (
        {"frequency_qualifier": "HP_0040285"}, {"frequency_qualifier": "absent"}, {"modifiers": ["absent"]}))),
     [], ["MONDO:1 HAS_SYMPTOM"]),
    ("denied", "obo", obo("relationship: ruled_out_by HP:2", "relationship: CL:4030045 HP:2",
                          "relationship: RO_0002161 HP:2"), [], ["HP:1 RELATED_TO"]),
    ("ids", "sssom", {"a.sssom.tsv": f"#curie_map:\n#  ex: 'urn:medgraph:id:ex:'\n#other: {json.dumps(OURS)}\n{SSSOM}"
                                     "HP:1\tex:frobs\tMONDO:1\tsemapv:X\n"},
     ["HP:1 RELATED_TO MONDO:1 predicate=ex:frobs"], []),
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
    ("ids", "obo", obo("is_a: LAB:1", "xref: LAB:2", "alt_id: LAB:3", header=f"idspace: LAB {LAB} \"a lab\"\n"),
     [f"HP:1 IS_A {LAB}1", f"HP:1 xrefs={LAB}2", f"HP:1 alternative_ids={LAB}3"], ["HP:1 IS_A LAB"]),
    ("ids", "obo", obo("relationship: LAB:r LAB:1", header=f"idspace: LAB {LAB}\n"),
     [f"HP:1 RELATED_TO {LAB}1 predicate={LAB}r"], []),
    ("ids", "rdf", ttl("HP:1 rdfs:subClassOf LAB:1 ; oio:hasDbXref \"LAB:2\", <https://en.wikipedia.org/wiki/A_%28b%29>"),
     [f"HP:1 IS_A {LAB}1", f"HP:1 xrefs={LAB}2", "HP:1 xrefs=WIKIPEDIA:A_%28b%29"], []),
    ("ids", "rdf", jsonld(**{"rdfs:subClassOf": {"@id": "LAB:1"}, "oio:hasDbXref": "LAB:2"}),
     [f"HP:1 IS_A {LAB}1", f"HP:1 xrefs={LAB}2"], []),
    ("ids", "obographs", graphs({"xrefs": [{"val": "LAB:2"}]}, [{"sub": f"{HP}1", "pred": "is_a", "obj": "LAB:1"}],
                                **{"@context": {"LAB": LAB}}),
     [f"HP:1 IS_A {LAB}1", f"HP:1 xrefs={LAB}2"], []),
    ("denied", "obo", obo("relationship: never_in_taxon NCBITaxon:2", "relationship: lacks_part GO:1"),
     ["remark: statements of what is not so (never_in_taxon)", "remark: statements of what is not so (lacks_part)"],
     ["HP:1 RELATED_TO"]),
    ("denied", "kgx", kgx([ONE], edge(frequency_qualifier="HP:0040285"), edge(has_percentage="0"), edge(negated=True)),
     ["remark: statements that something is excluded", "remark: statements that are marked as negated"],
     ["MONDO:1 HAS_SYMPTOM"]),
    ("stated otherwise", "rdf", xml(
        "<oio:hasExactSynonym><oio:Synonym><rdfs:label>b</rdfs:label><oio:hasDbXref><oio:DbXref>"
        "<rdfs:label>PMID:7</rdfs:label></oio:DbXref></oio:hasDbXref></oio:Synonym></oio:hasExactSynonym>"
        "<oio:hasDefinition><oio:Definition><rdfs:label>What it is.</rdfs:label></oio:Definition></oio:hasDefinition>"
        '<oio:hasDbXref rdf:resource="http://purl.org/obo/owl/UMLS#UMLS_C0000002"/>',
        '<oio:DbXref rdf:about="http://purl.org/obo/owl/UMLS#UMLS_C0000002"><rdfs:label>UMLS:C0000002</rdfs:label>'
        "</oio:DbXref>"),
     ["HP:1 synonyms=b", "HP:1 synonym_xrefs=PMID:7 b", "HP:1 definition=What it is.", "HP:1 concepts=C0000002"], []),
    ("stated otherwise", "rdf", ttl(
        'HP:1 oio:hasExactSynonym "b" ; oio:hasDbXref [ oio:hasURI <http://purl.org/obo/owl/MSH#MSH_D1> ]',
        AXIOM + 'owl:annotatedTarget "b" ; oio:hasDbXref [ a oio:DbXref ; rdfs:label "PMID:7" ]',
        AXIOM + 'owl:annotatedTarget "c" ; oio:hasDbXref "PMID:8"'),
     ["HP:1 synonym_xrefs=PMID:7 b", "HP:1 xrefs=MESH:D1", "remark: annotations of statements that the file does not"],
     ["HP:1 synonyms=c"]),
    ("stated otherwise", "rdf", xml("", '<owl:Class rdf:about="http://purl.org/obo/owl/GO#GO_0000001"><rdfs:label>c'
                                    '</rdfs:label><rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource='
                                    '"http://purl.org/obo/owl/OBO_REL#part_of"/><owl:someValuesFrom rdf:resource='
                                    '"http://purl.org/obo/owl/HP#HP_1"/></owl:Restriction></rdfs:subClassOf></owl:Class>'),
     ["GO:0000001 name=c", "GO:0000001 PART_OF HP:1"], []),
    ("stated otherwise", "rdf", ttl(
        'HP:2 a skos:Concept ; xl:prefLabel [ xl:literalForm "two"@en ] ; xl:altLabel ex:l, [ xl:literalForm "b"@it ]',
        'ex:l a xl:Label ; xl:literalForm "zwo"', 'HP:2 skos:definition ex:d', 'ex:d rdf:value "It is two."'),
     ["HP:2 name=two", "HP:2 synonyms=zwo", "HP:2 translations=b@it", "HP:2 definition=It is two."], []),
    ("stated otherwise", "rdf", ttl(
        'HP:1 ncit:P90 "b" ; ncit:P97 "What it is." ; ncit:P207 "C0000002" ; efo:alternative_term "c" ; '
        'schema:alternateName "d" ; dcterms:description "More."'),
     ["HP:1 synonyms=b", "HP:1 synonyms=c", "HP:1 synonyms=d", "HP:1 definition=What it is.", "HP:1 concepts=C0000002",
      "HP:1 description=More."], []),
    ("stated otherwise", "rdf", ttl('HP:1 schema:description "More."'), ["HP:1 definition=More."], []),
    ("stated otherwise", "obo", obo(
        'property_value: NCIT:P90 "b" xsd:string', 'property_value: NCIT:P207 "C0000002" xsd:string',
        'property_value: http://www.ebi.ac.uk/efo/alternative_term "c" xsd:string'),
     ["HP:1 synonyms=b", "HP:1 synonyms=c", "HP:1 concepts=C0000002"], []),
    ("stated otherwise", "obographs", graphs({"basicPropertyValues": [
        {"pred": "http://purl.obolibrary.org/obo/NCIT_P97", "val": "What it is."},
        {"pred": "http://www.ebi.ac.uk/efo/alternative_term", "val": "c"}]}),
     ["HP:1 synonyms=c", "HP:1 definition=What it is."], []),
    *(("what is held", "rdf", files, ["HP:1 name=a", "reject: the statement of"], []) for files in (
        xml('<ex:p rdf:resource="http://example.org/File (1) &lt;x&gt;.jpg"/>'),
        jsonld(**{"ex:p": {"@id": "http://example.org/File (1).jpg"}, "@context": [
            {"ex": "http://example.org/", "HP": HP, "owl": f"{W3}2002/07/owl#", "rdfs": f"{W3}2000/01/rdf-schema#"}]}),
        ttl("HP:1 ex:p <http://example.org/File (1).jpg>"),
        ttl("HP:1 ex:p <http://example.org/File (1).jpg>", name="a.owl"))),
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
    (part,) = [item.record for item in task.items() if isinstance(item, Row) and isinstance(item.record, SourceInfo)]
    assert (part.id, part.licence, part.title, part.version) == ("t-hpo", "CC0-1.0", "Mine: infores:hpo", "7")


@pytest.mark.parametrize("form", ["kgx", "nquads"])
def test_the_parts_of_an_export_are_called_after_the_name_that_is_wished(tmp_path, form):
    path = tmp_path / "all.nq"
    _ = (write_nquads if form == "nquads" else kgx_export.write)(path, STATEMENTS)
    settings = Settings.from_environment({})
    for name, parts in ((None, ["one", "two"]), ("copy", ["copy-one", "copy-two"])):
        found = task_of(settings, form, path, LoadOptions(name=name, licence="CC0-1.0")).items()
        items = [item for item in found if isinstance(item, Row)]
        assert [item.record.id for item in items if isinstance(item.record, SourceInfo)] == parts
        assert {item.source for item in items if isinstance(item.record, Entity)} == {parts[0]}
