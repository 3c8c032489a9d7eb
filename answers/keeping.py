"""Answers kept in the graph: how they came about, their claims, and the passages that speak for and against these.

Nothing but `medgraph ask --keep` writes them; the service never does.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from ..embeddings.candidate_sentences import said
from ..graph import catalogue
from ..queries.voices import STATED
from .answer import CONTRADICTED, SUPPORTED
from .verify.claims import SUPPORTS, Chances, claims_of
from .verify.rules import compare
from .verify.verifier import judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..graph.database import Database
    from .answer import Answer, Citation, CitedFact, Claim, Sentence
    from .answer_runs import AnswerRun
    from .verify.reader import ClaimReader


def keep(database: Database, answer: Answer, run: AnswerRun, reader: ClaimReader | None = None) -> tuple[str, int]:
    """Store an answer with its claims, in place of what was kept of the same question, asked in the same way.

    The run that gave it is stored beside those that gave it before.

    Args:
        reader: What read its claims together with their evidence; None where they were judged by words.

    Returns:
        Its id, and how many claims it makes; none where nothing is answered.
    """
    whole = answer.understood or " ".join(answer.question.split())
    asked = json.dumps([whole, run.composer, json.loads(run.filters)], sort_keys=True)
    name = f"answer:{hashlib.blake2b(asked.encode(), digest_size=8).hexdigest()}"
    stored = {
        "id": name,
        "question": answer.question,
        "understood": whole,
        "status": answer.status,
        "confidence": answer.confidence,
        "composer": run.composer,
        "precision": run.precision,
        "text": " ".join(sentence.text for sentence in answer.sentences),
    }
    chances = Chances(reader)
    rows = [row for sentence in answer.sentences for row in _rows(sentence, chances)]
    for number, row in enumerate(rows, 1):
        row["properties"] |= {"id": f"{name}#{number}", "position": number}
    kept = database.write(catalogue.get("keep_answer"), answer=stored, claims=rows, run=run.stored)
    return name, kept[0]["kept"]


def forget(database: Database, answers: Sequence[str], *, everything: bool = False) -> int:
    """Remove answers that were kept, with their claims and runs.

    Args:
        answers: Their ids; what is not there is no mistake.
    """
    removed = database.write(catalogue.get("forget_answers"), ids=list(answers), all=everything)
    return int(removed[0]["forgotten"])


def _rows(sentence: Sentence, chances: Chances) -> Iterator[dict[str, Any]]:
    for place, claim in enumerate(sentence.claims):
        fact = sentence.facts[place] if sentence.facts else None
        properties = {
            "text": claim.text,
            "sentence": sentence.text,
            "verdict": claim.verdict,
            "probability": claim.probability,
            "sources": list(_stating(fact)) if fact else [],
            "documents": _documents(sentence, fact),
        }
        yield {
            "properties": properties,
            "spans": list(_spans(claim, sentence, chances)),
            "facts": list(_told(fact)) if fact else [],
        }


def _spans(claim: Claim, sentence: Sentence, chances: Chances) -> Iterator[dict[str, Any]]:
    """Give what decides on a claim, and what other documents say of it."""
    if claim.span and claim.verdict in {SUPPORTED, CONTRADICTED}:
        span = claim.span
        yield _span(span.section, span.start, span.end, span.quote, claim.probability, claim.verdict == SUPPORTED)
    for other in sentence.agreeing:
        verdict, sure = judge(claim.text, said(other.quote), chances)
        if verdict == SUPPORTED:
            yield _span(other.section, other.start, other.end, other.quote, round(sure, 3), True)
    for other in sentence.contradicting:
        if _is_of(claim, other, sentence, chances):
            _, sure = judge(claim.text, said(other.quote), chances)
            yield _span(other.section, other.start, other.end, other.quote, round(sure, 3), False)


def _is_of(claim: Claim, other: Citation, sentence: Sentence, chances: Chances) -> bool:
    """Tell whether it is this claim of a sentence that a passage contradicts; of one claim it is that."""
    if len(sentence.claims) == 1:
        return True
    compared = [(part, compare(claim.text, part)) for part in claims_of(said(other.quote))]
    if chances.reads:
        return any(chances.of(claim.text, part, found)[1] >= SUPPORTS for part, found in compared)
    return any(found.opposed for _, found in compared)


def _span(section: str, start: int, end: int, quote: str, score: float, supports: bool) -> dict[str, Any]:
    return {"section": section, "start": start, "end": end, "quote": quote, "score": score, "supports": supports}


def _stating(fact: CitedFact) -> Iterator[str]:
    return (source for voice in fact.said if voice.method == STATED for source in voice.sources)


def _documents(sentence: Sentence, fact: CitedFact | None) -> list[str]:
    """Give what a claim rests on: pages that are cited, and publications that sources state a fact by."""
    stated = (voice for voice in (fact.said if fact else ()) if voice.method == STATED)
    cited = (citation.document for citation in sentence.citations)
    return list(dict.fromkeys((*cited, *(name for voice in stated for name in voice.evidence))))


def _told(fact: CitedFact) -> Iterator[dict[str, Any]]:
    for voice in fact.said:
        if voice.method != STATED:
            yield from ({"section": section, "object": fact.object, "score": voice.score} for section in voice.evidence)
