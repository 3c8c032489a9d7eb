"""What files of other formats, cut off ones, and parts of releases that few read become, a row an expectation."""

import gzip
import json

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.judged import judged_values
from medgraph.loaders.mapping.source import from_file
from tests.support.foreign import NAMESPACES, OIO, laid, obo, told, ttl

SKOS = "a skos:Concept ; skos:prefLabel"
GAF, GPAD1, GPAD2 = "!gaf-version: 2.2\n", "!gpa-version: 1.2\n", "!gpad-version: 2.0\n"
IN_GAF = "UniProtKB\tP1\tAAA1\t{}\tGO:1\tPMID:1\tIDA\t\tP\ta protein\t\tprotein\ttaxon:9606\t20200101\tUniProt\t\t\n"
IN_GPAD1 = "MGI\tMGI:2\tenables\tGO:2\tPMID:3\tECO:1\t\t\t20200101\tMGI\t\t\n"
IN_GPAD2 = "MGI:3\t\tRO:0002331\tGO:1\tPMID:1\tECO:1\t\t\t2020-01-01\tMGI\t\t\n"
CLASSIFIED = (
    "<JDBOR><ClassificationList><Classification><Name lang='en'>Rare</Name><ClassificationNodeRootList>"
    "<ClassificationNode><Disorder><OrphaCode>9</OrphaCode><Name lang='en'>wide</Name></Disorder>"
    "<ClassificationNodeChildList><ClassificationNode><Disorder><OrphaCode>1</OrphaCode><Name lang='en'>a</Name>"
    "</Disorder></ClassificationNode></ClassificationNodeChildList></ClassificationNode></ClassificationNodeRootList>"
    "</Classification></ClassificationList></JDBOR>"
)


def disorder(inside):
    """A product of Orphanet with one disease."""
    return (
        f"<JDBOR><DisorderList><Disorder><OrphaCode>1</OrphaCode><Name lang='en'>a</Name>{inside}</Disorder>"
        "</DisorderList></JDBOR>"
    )


def rxnorm(**files):
    rows = [
        "1|ENG||||||1|1|1||RXNORM|IN|1|metformin||N|4096|",
        "1|ENG||||||2||D008687||MSH|MH|D008687|Metformin||N||",
        "9|ENG||||||3|3|9||RXNORM|SCD|9|old tablet||O|4096|",
    ]
    return {"RXNCONSO.RRF": "\n".join([*rows, ""]), **{f"{name}.RRF": f"{row}\n" for name, row in files.items()}}


EX, OBO, OWL, RDFS = "http://example.org/", NAMESPACES["obo"], NAMESPACES["owl"], NAMESPACES["rdfs"]
A = f"{NAMESPACES['rdf']}type"
TYPES = [
    {"id": f"{OBO}a#BRAND", "type": "PROPERTY", "meta": {"basicPropertyValues": [{"pred": pred, "val": scope}]}}
    for pred, scope in [(f"{OIO}hasScope", f"{OIO}hasExactSynonym")]
]
SYNONYMS = [
    {"val": "b", "synonymType": f"{OBO}a#BRAND"},
    {"val": "c", "synonymType": f"{OBO}a#BRAND", "pred": "hasNarrowSynonym"},
    {"val": "d", "synonymType": f"{OBO}a#BRAND", "pred": "hasRelatedSynonym"},
    {"val": "e"},
]
SAID = {"id": f"{OBO}HP_1", "type": "CLASS", "lbl": "a", "meta": {"synonyms": SYNONYMS}}
ODD_SYNONYMS = [{"pred": "hasOddSynonym", "val": "d"}, {"pred": "hasExactSynonym"}]
ODD = [
    {"id": f"{OBO}HP_1", "type": "CLASS", "lbl": ["a", "b"]},
    {"id": f"{OBO}HP_2", "type": "CLASS", "lbl": "c", "meta": {"deprecated": "perhaps", "synonyms": ODD_SYNONYMS}},
]
HPOA = "database_id disease_name qualifier hpo_id reference evidence onset frequency sex modifier aspect biocuration"
SSSOM = "subject_id\tsubject_label\tpredicate_id\tobject_id\tmapping_justification\n"
ROWS = [
    *(
        (
            "hpoa",
            {"phenotype.hpoa": "\t".join(HPOA.split()) + f"\n{row}\n"},
            [f"reject: {why!r} stands where an id does"],
            ["OMIM"],
        )
        for row, why in (
            ("OMIM\ta\t\tHP:1\tPMID:1\tPCS\t\t\t\t\tP\tx", "OMIM"),
            ("OMIM:1\ta\t\tHP:1\tsee\tPCS\t\t\t\t\tP\tx", "see"),
        )
    ),
    (
        "hpoa",
        {
            "phenotype.hpoa": "\t".join(HPOA.split())
            + "".join(
                f"\nOMIM:1\t\t{said}\tPMID:1\tPCS\t\t\t\t\tP\tx" for said in ("MAYBE\tHP:1", "\tHP:1 2", "\tHP:3")
            )
            + "\n"
        },
        [
            "reject: the qualifier 'MAYBE' is neither NOT nor empty",
            "reject: 'HP:1 2' is no HPO term",
            "OMIM:1 HAS_SYMPTOM HP:3",
        ],
        ["HP:1"],
    ),
    (
        "orphanet",
        {
            "en_product1.xml": disorder(
                "<ExternalReferenceList><ExternalReference><Source>OMIM</Source><Reference/></ExternalReference>"
                "<ExternalReference><Source>ICD-10</Source><Reference>Q 77</Reference></ExternalReference>"
                "</ExternalReferenceList>"
            ).replace("<Name lang='en'>a</Name>", ""),
            "en_product4.xml": disorder(
                "<HPODisorderAssociationList><HPODisorderAssociation><HPO><HPOId>0000001</HPOId><HPOTerm>t</HPOTerm>"
                "</HPO></HPODisorderAssociation></HPODisorderAssociationList>"
            ),
            "en_product6.xml": disorder(
                "<DisorderGeneAssociationList><DisorderGeneAssociation><Gene><Name>g</Name></Gene>"
                "</DisorderGeneAssociation></DisorderGeneAssociationList>"
            ),
        },
        [
            "Orphanet:1",
            "reject: an association of Orphanet:1 is left out: '0000001' is no HPO term",
            "reject: an association of Orphanet:1 is left out: its Gene has no id",
            "remark: external references without an id of the vocabulary are not read: 2, the first is OMIM:",
        ],
        ["0000001", "Orphanet:None", "Orphanet:1 xrefs"],
    ),
    *(
        ("sssom", {"a.sssom.tsv": SSSOM + f"{row}\n"}, [f"reject: {said}"], ["DOID:1 E", "DOID 1", "DOID: ", "gout"])
        for row, said in (
            ("DOID:1\tAsthma\tskos:exactMatch\tgout\tx", "DOID:1 skos:exactMatch gout: object_id is 'gout', no id"),
            ("DOID:\tAsthma\tskos:exactMatch\tMESH:D1\tx", "DOID: skos:exactMatch MESH:D1: subject_id is 'DOID:', no"),
            ("DOID 1\tAsthma\tskos:exactMatch\tMESH:D1\tx", "DOID 1 skos:exactMatch MESH:D1: subject_id is 'DOID 1'"),
        )
    ),
    (
        "sssom",
        {
            "a.sssom.tsv": SSSOM.replace("\n", "\tpredicate_modifier\n")
            + "DOID:1\tAsthma\tskos:exactMatch\tMESH:D1\tsemapv:LexicalMatching\tNope\n"
        },
        ["remark: statements of which it is not told whether they are negated are left out: 1"],
        ["DOID:1 E"],
    ),
    (
        "sssom",
        {"a.sssom.tsv": SSSOM + "EFO_0000270\tAsthma\tskos:exactMatch\tMONDO_0004979\tsemapv:LexicalMatching\n"},
        ["EFO:0000270 name=Asthma", "EFO:0000270 EXACT_MATCH MONDO:0004979"],
        ["reject", "remark", "EFO_", "MONDO_"],
    ),
    (
        "kgx",
        {
            "nodes.tsv": "id\tcategory\tname\nDOID:1\tbiolink:Disease\tAsthma\nHP:1\tbiolink:Disease\tWheeze\n",
            "edges.tsv": "subject\tpredicate\tobject\tnegated\nDOID:1\tbiolink:has_phenotype\tHP:1\tperhaps\n"
            "DOID:1\tbiolink:related_to\tHP:1\tfalse\n",
        },
        [
            "DOID:1 RELATED_TO HP:1",
            "remark: statements of which it is not told whether they are negated are left out: 1",
        ],
        ["DOID:1 HAS_SYMPTOM"],
    ),
    (
        "rxnorm",
        {"RXNCONSO.RRF": "x|ENG||||||1|1|1||RXNORM|IN|x|foo||N|4096|\n", "RXNDOC.RRF": "x|\n"},
        ["reject: the RXCUI 'x' is no number"],
        ["RXNORM"],
    ),
    (
        "gaf",
        {"a.gaf": GAF + IN_GAF.format("NOT|") + IN_GAF.format("enables") + GPAD1 + IN_GPAD1},
        ["UniProtKB:P1 name=AAA1", "UniProtKB:P1 PARTICIPATES_IN GO:1 predicate=enables", "MGI:2 PARTICIPATES_IN GO:2"],
        ["reject", "MGI:MGI"],
    ),
    (
        "gaf",
        {"a.gpad": GPAD2 + IN_GPAD2 + GPAD1 + IN_GPAD1},
        ["MGI:3 PARTICIPATES_IN GO:1 predicate=involved_in", "MGI:2 PARTICIPATES_IN GO:2 predicate=enables"],
        ["reject"],
    ),
    (
        "hpoa",
        {"phenotype.hpoa": "\t".join(HPOA.split()) + "\nOMIM:1\ta\t\tHP:1\tPMID:1\tPCS\t\toften\t\t\tP\tx\n"},
        [
            "OMIM:1 HAS_SYMPTOM HP:1 frequency=often",
            "remark: frequencies are neither terms, n/m nor percentages: 1, the first is often",
        ],
        ["reject"],
    ),
    (
        "gaf",
        {"a.gpi": "!gpi-version: 1.2\nA\tS1\ta\t\t\tblorp\ttaxon:4\nA\tS2\tb\t\t\ttRNA\ttaxon:4\n"},
        ["remark: types of genes and products are unknown, and taken as Gene: 1, the first is blorp"],
        ["reject"],
    ),
    (
        "gaf",
        {"a.gpad": GPAD2 + IN_GPAD2.replace("RO:0002331", "RO:0002264")},
        ["MGI:3 PARTICIPATES_IN GO:1 predicate=acts_upstream_of_or_within"],
        ["reject"],
    ),
    *(
        ("gaf", {"a.gaf": text}, ["reject: " + why], ["UniProtKB", "MGI"])
        for text, why in (
            (GAF + IN_GPAD1, "has 12 cells where gaf has 15 to 17"),
            (GAF + "UniProtKB\tP1\tAAA1\tenables\tGO:1\n", "has 5 cells where gaf has 15 to 17"),
            (GAF + IN_GAF.replace("\tP\t", "\tX\t"), "the aspect 'X' is not one of F, P, C"),
            (GAF + IN_GAF.replace("PMID:1", "see"), "'see' stands where gaf has an id"),
            (GAF + IN_GAF.replace("GO:1", "apoptosis"), "'apoptosis' stands where gaf has an id"),
            (GAF + IN_GAF.format("perhaps_in"), "the qualifier 'perhaps_in' is none of GO's relations"),
            (GPAD2 + IN_GPAD1, "'MGI' stands where gpad 2 has an id"),
            (GPAD1 + IN_GPAD2, "'' stands where gpad 1 has an id"),
        )
    ),
    (
        "gaf",
        {
            "a.gpi": "!gpi-version: 2.0\nMGI:3\tAaa1\ta gene\tA1|Aone\tSO:0001217\tNCBITaxon:10090\tMGI:7\t\t\t"
            "UniProtKB:P1\t\n",
            "b.gpad": GPAD2 + IN_GPAD2,
        },
        [
            "MGI:3 name=Aaa1",
            "MGI:3 synonyms=a gene",
            "MGI:3 synonyms=Aone",
            "MGI:3 taxon=NCBITaxon:10090",
            "MGI:3 label=Gene",
            "MGI:3 xrefs=UniProtKB:P1",
            "MGI:3 RELATED_TO MGI:7 predicate=encoded_by",
            "MGI:3 PARTICIPATES_IN GO:1",
        ],
        ["reject"],
    ),
    (
        "gaf",
        {"a.gpi": "!gpi-version: 1.2\nPomBase\tSPAC9.01\tsmp1\t\t\tprotein\ttaxon:4896\n"},
        ["PomBase:SPAC9.01 label=Protein", "PomBase:SPAC9.01 name=smp1"],
        ["reject"],
    ),
    (
        "orphanet",
        {"en_product3_9.xml": CLASSIFIED},
        ["Orphanet:1 IS_A Orphanet:9", "Orphanet:1 IS_A Orphanet:9 classification=Rare", "Orphanet:9 name=wide"],
        ["reject"],
    ),
    (
        "orphanet",
        {
            "en_product1.xml": disorder("<DisorderFlagList><DisorderFlag/></DisorderFlagList>"),
            "en_product7.xml": disorder(
                "<DisorderDisorderAssociationList><DisorderDisorderAssociation><TargetDisorder><OrphaCode>9</OrphaCode>"
                "<Name lang='en'>wide</Name></TargetDisorder><DisorderDisorderAssociationType>"
                "<Name>Preferential parent</Name>"
                "</DisorderDisorderAssociationType></DisorderDisorderAssociation></DisorderDisorderAssociationList>"
            ),
            "en_product9_ages.xml": disorder(
                "<AverageAgeOfOnsetList><AverageAgeOfOnset><Name>Infancy</Name></AverageAgeOfOnset></AverageAgeOfOnsetList>"
                "<TypeOfInheritanceList><TypeOfInheritance><Name>X-linked</Name></TypeOfInheritance></TypeOfInheritanceList>"
            ),
            "en_product9_prev.xml": disorder(
                "<PrevalenceList><Prevalence><Source>7[PMID]</Source><PrevalenceType><Name>Point prevalence</Name>"
                "</PrevalenceType><ValMoy>2.5</ValMoy><PrevalenceValidationStatus><Name>Not yet validated</Name>"
                "</PrevalenceValidationStatus></Prevalence></PrevalenceList>"
            ),
            "fr_product1.xml": disorder("").replace("'en'>a", "'fr'>un"),
        },
        [
            "Orphanet:1 name=a",
            "Orphanet:1 IS_A Orphanet:9 predicate=preferential parent",
            "Orphanet:1 age_of_onset=Infancy",
            "Orphanet:1 inheritance=X-linked",
            "Orphanet:1 prevalence=Point prevalence; mean 2.5; Not yet validated; PMID:7",
            "Orphanet:1 translations=un@fr",
            "remark: DisorderFlagList of disorders is not read: 1",
        ],
        ["reject"],
    ),
    (
        "rxnorm",
        rxnorm(RXNSAT="1|||1|CUI|1|||NDC|RXNORM|00093104801|N|4096|", RXNCUI="9|RXNORM|1|1|1|1|", RXNDOC="x|"),
        [
            "RXNORM:1 xrefs=MESH:D008687",
            "RXNORM:1 xrefs=NDC:00093104801",
            "RXNORM:1 alternative_ids=RXNORM:9",
            "remark: names by other vocabularies are not read (MSH): 1",
            "remark: suppressed names are left out: 1",
            "remark: rows of RXNDOC are not read: 1",
        ],
        ["reject"],
    ),
    (
        "rxnorm",
        rxnorm(RXNSAT="1|||1|CUI|1|||RXN_STRENGTH|RXNORM|5 MG|N|4096|\n1|||1|CUI|1|||X|MTHSPL|y|N|4096|"),
        ["RXNORM:1 strength=5 MG", "remark: attributes in RXNSAT are not read (X): 1"],
        ["reject"],
    ),
    (
        "obo",
        obo(
            'synonym: "b" BRAND []',
            'synonym: "c" LOOSE []',
            'synonym: "d" FREE []',
            'synonym: "e" NARROW BRAND []',
            header='synonymtypedef: BRAND "brand name" EXACT\nsynonymtypedef: LOOSE "loose" broad\n'
            'synonymtypedef: FREE "f"',
        ),
        [
            "HP:1 synonyms=b",
            "HP:1 broad_synonyms=c",
            "HP:1 related_synonyms=d",
            "HP:1 narrow_synonyms=e",
            "HP:1 synonym_types=BRAND b",
        ],
        ["remark", "HP:1 synonyms=e"],
    ),
    (
        "obographs",
        {"a.json": json.dumps({"graphs": [{"id": f"{OBO}a.owl", "edges": [], "nodes": [*TYPES, SAID]}]})},
        [
            "HP:1 synonyms=b",
            "HP:1 narrow_synonyms=c",
            "HP:1 related_synonyms=d",
            "HP:1 related_synonyms=e",
            "HP:1 synonym_types=BRAND b",
        ],
        ["remark"],
    ),
    (
        "obo",
        obo("is_obsolete: maybe", "is_a: HP:1"),
        ["HP:1 said_obsolete=maybe"],
        ["HP:1 obsolete"],
    ),
    (
        "obographs",
        {"a.json": json.dumps({"graphs": [{"id": f"{OBO}a.owl", "edges": [], "nodes": ODD}]})},
        [
            "reject: lbl is ['a', 'b'], and no text. The rest of http://purl.obolibrary.org/obo/HP_1 is kept",
            "reject: val is None, and no text",
            "HP:2 related_synonyms=d",
            "HP:2 said_obsolete=perhaps",
            "remark: synonyms of the kind hasOddSynonym are taken as related: 1",
        ],
        ["HP:1 name", "HP:2 obsolete"],
    ),
    (
        "kgx",
        {
            "nodes.tsv": "id\tcategory\tname\nDOID:1\tbiolink:Ship\tA\n",
            "edges.tsv": "subject\tpredicate\tobject\n",
        },
        ["DOID:1 label=Disease", "remark: the category 'biolink:Ship' is unknown; the prefix of 'DOID:1' tells"],
        [],
    ),
    *(
        ("rdf", {name: text}, ["http://example.org/g name=Gout", *more], ["reject"])
        for name, text, more in (
            (
                "a.nq",
                f'<{EX}g> <{A}> <{OWL}Class> <{EX}1> .\n<{EX}g> <{RDFS}label> "Gout" <{EX}2> .\n',
                ["remark: statements stand in 2 named graphs, which are read as one"],
            ),
            ("a", f'<{EX}1> {{ <{EX}g> a <{OWL}Class> ; <{RDFS}label> "Gout" . }}', []),
            ("a.txt", f'<{EX}g> <{A}> <{OWL}Class> <{EX}1> .\n<{EX}g> <{RDFS}label> "Gout" <{EX}1> .\n', []),
            ("a.trig", f'<{EX}1> {{ <{EX}g> a <{OWL}Class> ; <{RDFS}label> "Gout" . }}', []),
            ("a.json", json.dumps([{"@id": f"{EX}g", "@type": f"{OWL}Class", f"{RDFS}label": "Gout"}]), []),
        )
    ),
    (
        "rdf",
        ttl(
            "ex:D a owl:Class ; rdfs:subClassOf skos:Concept",
            "ex:s a skos:ConceptScheme ; skos:hasTopConcept ex:p",
            'ex:p skos:prefLabel "Pain" ; skos:narrower ex:h',
            f'ex:h {SKOS} "Headache" ; skos:broader ex:p',
            'ex:m a ex:D ; skos:prefLabel "Migraine" ; skos:broader ex:h',
            'ex:o skos:prefLabel "Aura" ; skos:inScheme ex:s',
            'ex:x skos:prefLabel "Alone"',
        ),
        [
            *(f"http://example.org/{name}" for name in ("p name=Pain", "m name=Migraine", "o name=Aura")),
            "http://example.org/h IS_A http://example.org/p",
            "http://example.org/m IS_A http://example.org/h",
            "remark: 1 without a type are concepts",
        ],
        ["reject", "http://example.org/D", "http://example.org/x", "skos:Concept"],
    ),
]

HEAD = 'source: {id: m, title: M, version: "1", licence: CC0-1.0}\n'
CODE = 'entities: [{id: "m:{code}", label: Disease, name: "{name}"'
ADDS = 'entities: [{id: "m:{code}", synonyms: "{name}", group_by: code}]'
NESTED = "<r><d><name>A</name><code>1</code><d><name>B</name><code>2</code></d></d></r>"
GROUPS = (
    '{"g": [{"s": "x", "e": [{"code": "1", "t": [{"name": "A"}]}, '
    '{"code": "2", "t": [{"name": "B"}, {"name": "C"}]}]}]}'
)
MARKED = "<r><d><code>1</code><t><p>No <b>a</b> here.</p><list><item>One</item><item>Two</item></list></t></d></r>"
DOCUMENT = (
    'documents: [{id: "m:{code}", title: "{title}", published: {value: "{on}", format: "%m/%d/%Y"}, '
    'sections: [{html: "{page}"}]}]'
)
MAPPED = [
    (
        "t.csv",
        "table: {ragged: true}\n" + CODE + "}]",
        "code,name,x\n1,A\n2,B,y\n",
        ["m:1 name=A", "m:2 name=B", "remark: rows lack cells at their end, which are empty: 1"],
        ["reject"],
    ),
    ("t.csv", CODE + "}]", "code,name,x\n1,A\n", ["reject: has 2 cells where the header has 3"], ["m:1"]),
    (
        "t.csv",
        CODE + "}]",
        "code,name\n1,A\ncode,name\n2,B\n",
        ["m:1 name=A", "reject: says what the header says", "m:2 name=B"],
        ["m:code"],
    ),
    (
        "t.tsv",
        "table: {header: [code, name], rest: more}\n" + CODE + ', synonyms: "{more}"}]',
        "1\tA\tx\ty\n2\tB\n",
        ["m:1 synonyms=x", "m:1 synonyms=y", "m:2 name=B"],
        ["reject"],
    ),
    (
        "t.xml",
        'table: {rows: "r//d"}\n' + CODE + ', xrefs: "m:{^d.code}"}]',
        NESTED,
        ["m:1 name=A", "m:2 name=B", "m:2 xrefs=m:1"],
        ["m:1 xrefs", "reject"],
    ),
    (
        "t.xml",
        "table: {rows: r/d}\n" + CODE + "}]",
        NESTED,
        ["m:1 name=A", "remark: objects or elements d in rows"],
        ["m:2"],
    ),
    (
        "t.json",
        'table: {rows: g.e.t}\nentities: [{id: "m:{..code}-{name}", label: Disease, name: "{^g.s} {name}"}]',
        GROUPS,
        ["m:1-A name=x A", "m:2-B name=x B", "m:2-C name=x C"],
        ["reject"],
    ),
    (
        "t.json",
        'table: {rows: "*"}\nentities: [{id: "m:{@key}", label: Disease, name: "{name}"}]',
        '{"S1": {"name": "A"}, "S2": {"name": "B"}}',
        ["m:S1 name=A", "m:S2 name=B"],
        ["reject"],
    ),
    (
        "t.jsonl",
        CODE + ', synonyms: "{s.t}"}]',
        '{"code": "1", "name": "A", "s": [{"t": ["x"]}, {"t": ["y", "z"]}]}',
        ["m:1 synonyms=x", "m:1 synonyms=y", "m:1 synonyms=z"],
        ["reject"],
    ),
    (
        "t.jsonl",
        CODE + ', synonyms: "{s.t} {s.u}"}]',
        '{"code": "1", "name": "A", "s": [{"t": ["x"], "u": "a"}, {"t": ["y"], "u": "b"}]}',
        ["reject: the columns s.t, s.u hold lists of lists"],
        ["m:1"],
    ),
    ("t.csv", ADDS, "code,name\n1,B\n1,C\n", ["m:1 synonyms=B", "m:1 synonyms=C"], ["m:1 name", "reject"]),
    *(
        (
            "t.json",
            CODE.replace("{name}", "{n|" + step + "}") + "}]",
            '[{"code": "1", "n": ["A", "B"]}]',
            ["m:1 name=" + name],
            [],
        )
        for step, name in (("first", "A"), ("last", "B"))
    ),
    (
        "t.json",
        'columns: {name: {then: [{join: ", "}]}}\n' + CODE + "}]",
        '[{"code": "1", "name": ["A", "B"]}]',
        ["m:1 name=A, B"],
        [],
    ),
    (
        "t.json",
        CODE + ", each: name}]",
        '[{"code": "1", "name": []}, {"code": "2", "name": ["b"]}]',
        ["m:2", "remark: rows are passed over in entities, since each: name has no item: 1"],
        ["m:1"],
    ),
    *(
        (
            "t.xml",
            "table: {rows: r/d}\n" + CODE.replace("{name}", "{t|text}") + more,
            MARKED,
            ["m:1 name=No a here.\nOne\nTwo"],
            ["reject"],
        )
        for more in ("}]", ", group_by: code}]")
    ),
    (
        "t.xml",
        "table: {rows: r/d}\n" + CODE.replace("{name}", "{t}") + "}]",
        MARKED,
        ["reject: the column 't' holds {\"p\""],
        ["m:1"],
    ),
    (
        "t.csv",
        CODE.replace("{name}", "{name|html}") + "}]",
        "code,name\n1,<h3>A &amp; b</h3><ul><li>c</li></ul>\n",
        ["m:1 name=A & b\nc"],
        [],
    ),
    (
        "t.csv",
        CODE.replace("m:{code}", "{code|curie}") + "}]",
        "code,name\nEFO_0000270,A\nmy_code_1,B\nGO_1,C\n",
        [
            "EFO:0000270 name=A",
            "my_code_1 name=B",
            "GO_1 name=C",
            "remark: an id has no prefix: ids like 'my_code_1' are kept as they are written; write them as PREFIX:ID",
        ],
        [],
    ),
    (
        "t.csv",
        'prefixes: {HOUSE: "https://house.example/"}\n' + CODE.replace("m:", "HOUSE:") + "}]",
        "code,name\n1,A\n",
        ["HOUSE:1 name=A"],
        ["remark"],
    ),
]


LINES = '{"code": "1", "name": "A"}\n\n{"code": "2", "name": "B"}\n'
CONTENTS = [
    *((name, LINES.encode()) for name in ("t.json", "t.txt", "t", "t.csv", "t.JSONL")),
    *((name, gzip.compress(LINES.encode())) for name in ("t.json", "t.jsonl", "t.tsv")),
    ("t.csv", gzip.compress(b"code,name\n1,A\n2,B\n")),
    ("t.txt", b'[{"code": "1", "name": "A"},\n {"code": "2", "name": "B"}]'),
]


@pytest.mark.parametrize(("name", "content"), CONTENTS, ids=[f"{n}-{name}" for n, (name, _) in enumerate(CONTENTS)])
def test_a_table_is_read_by_its_content_under_any_name(tmp_path, name, content):
    (tmp_path / "m.yaml").write_text(HEAD + CODE + "}]")
    (tmp_path / name).write_bytes(content)
    found = list(told(from_file(tmp_path / "m.yaml").records(tmp_path / name)))
    assert [line for line in found if "name=" in line or line.startswith("re")] == ["m:1 name=A", "m:2 name=B"]


def judge(lines, wanted, unwanted):
    for text in wanted:
        assert any(line.startswith(text) for line in lines), f"no {text!r} in\n" + "\n".join(lines)
    for text in unwanted:
        assert not [line for line in lines if line.startswith(text)], "\n".join(lines)


@pytest.mark.parametrize(("source", "files", "wanted", "unwanted"), ROWS)
def test_a_format_says_what_its_files_say(tmp_path, source, files, wanted, unwanted):
    judge(list(told(registry.get(source).records(laid(tmp_path, files)))), wanted, unwanted)


@pytest.mark.parametrize(("name", "text", "table", "wanted", "unwanted"), MAPPED)
def test_a_mapping_reaches_what_a_table_says(tmp_path, name, text, table, wanted, unwanted):
    (tmp_path / "m.yaml").write_text(HEAD + text)
    (tmp_path / name).write_text(table)
    source = from_file(tmp_path / "m.yaml")
    judge(list(told(judged_values(source.records(tmp_path / name), source.info))), wanted, unwanted)


def test_a_date_is_read_as_its_form_says_and_html_is_parted(tmp_path):
    (tmp_path / "m.yaml").write_text(HEAD + DOCUMENT)
    (tmp_path / "t.csv").write_text(
        "code,title,on,page\n1,A,12/20/2001,<h3>Why?</h3><p>So.</p><h3>How?</h3><p>Thus.</p>\n"
    )
    (row,) = from_file(tmp_path / "m.yaml").records(tmp_path / "t.csv")
    assert row.record.published == "2001-12-20"
    assert [(part.heading, part.text) for part in row.record.sections] == [("Why?", "So."), ("How?", "Thus.")]


@pytest.mark.parametrize(
    ("way", "said"), [("g.x", "g is an object with 's', 'e'"), ("g.s.x", "g.s is a text"), ("h", "the document")]
)
def test_a_way_that_leads_nowhere_says_where_it_ends(tmp_path, way, said):
    (tmp_path / "m.yaml").write_text(f"{HEAD}table: {{rows: {way}}}\n{CODE}}}]")
    (tmp_path / "t.json").write_text(GROUPS)
    with pytest.raises(SourceFileError, match=f"has no list {way}: {said}"):
        list(from_file(tmp_path / "m.yaml").records(tmp_path / "t.json"))
