"""scispaCy over names that are handed to it, run by an interpreter that has it: `linking_quality.py` starts it.

Its linker looks candidates up by runs of three letters, its models are left out: mentions are found by spaCy's phrase
matcher over the same names, in small letters except what is all capitals, the longest of those that overlap, and short
forms by its detector of abbreviations.
"""

import json
import resource
import sys
import time

import nmslib
import numpy as np
import scipy.sparse
import spacy
from scispacy.abbreviation import AbbreviationDetector  # noqa: F401 - makes the pipe known
from scispacy.candidate_generation import CandidateGenerator
from scispacy.linking_utils import Entity, KnowledgeBase
from sklearn.feature_extraction.text import TfidfVectorizer
from spacy.matcher import PhraseMatcher
from spacy.util import filter_spans


def generator(kb):
    """Build scispaCy's index, which its own function refuses to build with newer releases of scipy."""
    aliases = sorted(kb.alias_to_cuis)
    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), min_df=10, dtype=np.float64)
    vectors = vectorizer.fit_transform(aliases)
    kept = [number for number, size in enumerate(vectors.getnnz(axis=1)) if size]
    index = nmslib.init(method="hnsw", space="cosinesimil_sparse", data_type=nmslib.DataType.SPARSE_VECTOR)
    index.addDataPointBatch(scipy.sparse.csr_matrix(vectors[kept]))
    index.createIndex({"M": 100, "indexThreadQty": 2, "efConstruction": 400, "post": 0}, print_progress=False)
    index.setQueryTimeParams({"efSearch": 200})
    return CandidateGenerator(index, vectorizer, [aliases[number] for number in kept], kb)


def best(candidates):
    """Choose as scispaCy's linker does: the concept with the likest name."""
    ranked = sorted(candidates, key=lambda candidate: (-max(candidate.similarities), candidate.concept_id))
    return ranked[0].concept_id if ranked and max(ranked[0].similarities) > 0.7 else ""


def main():
    """Read concepts, texts and names; print what is found in the texts, and what the names stand for."""
    given = json.load(sys.stdin)
    started = time.perf_counter()
    kb = KnowledgeBase([Entity(key, names[0], names[1:]) for key, names in given["concepts"].items()])
    find = generator(kb)
    nlp = spacy.blank("en")
    nlp.add_pipe("abbreviation_detector")
    matcher, short_forms = PhraseMatcher(nlp.vocab, attr="LOWER"), PhraseMatcher(nlp.vocab)
    short = {name for name in kb.alias_to_cuis if name.isupper()}  # else every `is` and `at` would be a condition
    short_forms.add("NAME", [doc for doc in nlp.tokenizer.pipe(sorted(short)) if len(doc)])
    longer = sorted({name.lower() for name in kb.alias_to_cuis.keys() - short})
    matcher.add("NAME", [doc for doc in nlp.tokenizer.pipe(longer) if len(doc)])
    built = time.perf_counter() - started
    started = time.process_time()
    found = []
    for text in given["texts"]:
        doc = nlp(text)
        spans = {
            (span.start, span.end): span
            for _, first, last in [*matcher(doc), *short_forms(doc)]
            for span in [doc[first:last]]
        }
        said = {(span.start, span.end): span.text for span in spans.values()}
        for short in doc._.abbreviations:
            if short._.long_form is not None:
                spans[short.start, short.end] = doc[short.start : short.end]
                said[short.start, short.end] = short._.long_form.text
        chosen = filter_spans(list(spans.values()))
        surfaces = [said[span.start, span.end] for span in chosen]
        keys = list(map(best, find(surfaces, 30))) if surfaces else []
        found.append([(span.start_char, span.end_char, key) for span, key in zip(chosen, keys, strict=True) if key])
    texts_cpu = time.process_time() - started
    started = time.process_time()
    names = [best(candidates) for name in given["names"] for candidates in find([name], 30)]
    figures = {
        "built": built,
        "texts": texts_cpu,
        "names": time.process_time() - started,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
    }
    json.dump({"found": found, "named": names, "figures": figures}, sys.stdout)


if __name__ == "__main__":
    main()
