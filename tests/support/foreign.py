"""Small files of other programs' formats, and what a reader says of them, a line each."""

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.schema.records import Entity, SourceInfo

LAB = "https://one.example/entities/"
HP = "http://purl.obolibrary.org/obo/HP_"
OIO = "http://www.geneontology.org/formats/oboInOwl#"
W3 = "http://www.w3.org/"
NAMESPACES = {
    "HP": HP, "LAB": LAB, "oio": OIO, "owl": f"{W3}2002/07/owl#", "rdf": f"{W3}1999/02/22-rdf-syntax-ns#",
    "rdfs": f"{W3}2000/01/rdf-schema#", "skos": f"{W3}2004/02/skos/core#", "xl": f"{W3}2008/05/skos-xl#",
    "obo": "http://purl.obolibrary.org/obo/", "efo": "http://www.ebi.ac.uk/efo/", "ex": "http://example.org/",
    "ncit": "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#", "schema": "http://schema.org/",
    "dcterms": "http://purl.org/dc/terms/",
}  # fmt: skip
TURTLE = "".join(f"@prefix {name}: <{base}> .\n" for name, base in NAMESPACES.items())


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


def obo(*lines, header=""):
    return {"a.obo": f"format-version: 1.2\n{header}\n[Term]\nid: HP:1\nname: a\n" + "".join(f"{x}\n" for x in lines)}


def ttl(*lines, name="a.ttl"):
    """A class in Turtle, with whatever is said of it besides."""
    return {name: TURTLE + 'HP:1 a owl:Class ; rdfs:label "a" .\n' + "".join(f"{line} .\n" for line in lines)}
