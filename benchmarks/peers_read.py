"""What a peer's tool reads of a file: run by its own Python as `peers_read.py PEER FILE…`, it prints a JSON object."""

from __future__ import annotations

import json
import sys
import warnings


def pronto(paths: list[str]) -> dict[str, int]:
    import pronto as tool

    ontology = tool.Ontology(paths[0], import_depth=0)
    return {"terms": sum(1 for _ in ontology.terms())}


def kgx(paths: list[str]) -> dict[str, int]:
    import kgx_peer  # noqa: F401 - points KGX at the model of its package
    from kgx.transformer import Transformer

    form = next(form for form in ("jsonl", "json", "csv", "tsv") if form in paths[0] or form == "tsv")
    packed = next((kind for kind in ("tar.gz", "tar") if paths[0].endswith(kind)), None)
    nodes, edges = set(), set()

    def look_at(kind, record):
        if kind.name == "NODE":
            nodes.add(record[0])
        else:  # rows that say the same count once; KGX makes up an id for those without
            edges.add(repr(sorted((name, str(value)) for name, value in record[3].items() if name != "id")))

    Transformer(stream=True).transform(
        {"filename": paths, "format": form, "compression": packed},
        {"format": "null", "filename": "-"},
        inspector=look_at,
    )
    return {"nodes": len(nodes), "edges": len(edges)}


def sssom(paths: list[str]) -> dict[str, int]:
    from sssom.parsers import parse_sssom_table, to_mapping_set_document
    from sssom.validators import validate

    found = parse_sssom_table(paths[0])
    validate(found)
    return {"mappings": len(to_mapping_set_document(found).mapping_set.mappings)}


def main() -> None:
    warnings.simplefilter("ignore")
    said = sys.stdout
    sys.stdout = sys.stderr  # where the peers' own words go
    try:
        found = {"pronto": pronto, "kgx": kgx, "sssom": sssom}[sys.argv[1]](sys.argv[2:])
    except BaseException as error:  # noqa: BLE001 - whatever it is, the peer cannot read the file
        found = {"error": " ".join(f"{type(error).__name__}: {error}".split())[:200]}
    print(json.dumps(found), file=said)


if __name__ == "__main__":
    main()
