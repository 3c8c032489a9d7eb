"""The page of an answer: its address holds the question, and it comes as it is written where a model writes."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, redirect, render_template, request, stream_template, url_for

from ..answers.answer import ANSWERED, CONTRADICTED, NO_EVIDENCE, RELATED, Answer, Citation, CitedFact, Sentence
from ..answers.dialogue import MOST_PREVIOUS, carried
from ..answers.outline import (
    CLOSEST_HEADING,
    agreeing_of,
    facts_of,
    model_notes,
    nearest_of,
    nothing_of,
    numbers_of,
    offering_of,
    pages_of,
    parts_of,
    quoted_in,
    relating,
    relations_of,
    sections_of,
    unanswered_of,
    understood_of,
    voice_of,
    written,
    written_by,
)
from ..answers.pipelines.catalogue import PIPELINES
from ..errors import MedgraphError
from ..pictures.relations import picture_of_answer
from . import problems
from .pages import drawn, link
from .request import from_body
from .resources.answers import AnswerRequest, answer
from .resources.answers import streamed as told
from .routes import DONE, Event, closing, events_of, service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from werkzeug import Response as Redirect

    from ..graph.database import Row
    from .service import Service

asking = Blueprint("asking", __name__)

# Characters of an address that all browsers, proxies and messengers pass on whole; what is longer is answered where it
# was sent.
LONGEST: Final = 2000
_SINGLE: Final = ("since", "until", "pipeline")
# Fields of `AnswerRequest` that a question may be limited to or answered by; pages take one value of each.
_FILTERS: Final = ("sources", "types", "licences", "authors", "journals", "concepts", "mesh", *_SINGLE)


@asking.route("/ask", methods=("GET", "POST"))
def page_ask() -> tuple[str, int] | Response | Redirect:
    """Show an answer; a form that is sent is answered at the answer's address."""
    question, previous, asked = _form_values()
    address = url_for("asking.page_ask", q=question, previous=previous, **asked)
    if request.method == "POST" and len(address) <= LONGEST:
        return redirect(address, 303)
    if "q" not in request.values:
        return redirect(url_for("pages.page"))
    page = {"question": question, "before": carried(previous, None), "asked": asked, "choices": {}}
    try:
        served = service()
        page |= {"choices": _choices(served), "notice": served.notice}
        wanted = {name: value if name in _SINGLE else [value] for name, value in asked.items()}
        checked = from_body({"question": question, "previous": previous} | wanted, AnswerRequest)
        if served.writes:
            return _written(served, checked, previous, page)
        done = _done(served, previous, answer(served, checked))
        return render_template("ask.html", draft=(), done=done, **page), 200
    except MedgraphError as error:
        status, problem = problems.status_of(error)
        return render_template("ask.html", draft=(), done={"problem": problem}, **page), status


def _form_values() -> tuple[str, list[str], dict[str, Any]]:
    sent = request.form if request.method == "POST" else request.args
    filters = {name: value for name in _FILTERS if (value := sent.get(name, "").strip())}
    previous = sent.getlist("previous")[: MOST_PREVIOUS + 1]  # one too many is told
    return sent.get("q", "").strip(), previous, filters


def _choices(served: Service) -> Mapping[str, Sequence[str]]:
    choices: Mapping[str, Sequence[str]] = {}
    with suppress(MedgraphError):  # what to do in an emergency is told without the database
        choices = served.choices()
    return {**choices, "pipeline": tuple(PIPELINES)} if served.writes else choices


def _written(served: Service, checked: AnswerRequest, previous: Sequence[str], page: Mapping[str, Any]) -> Response:
    """Send the page as the answer is written; the head waits for what happens first, so that a problem has a status."""
    events = events_of(told(served, checked))
    first, done = next(events), dict[str, Any]()
    draft = _draft(first, events, done, lambda given: _done(served, previous, given))
    sent = stream_template("ask.html", draft=draft, done=done, **page)
    headers = {"X-Accel-Buffering": "no"}
    return closing(Response(sent, content_type="text/html; charset=utf-8", headers=headers), events)


def _draft(
    first: Event, events: Iterator[Event], done: dict[str, Any], whole: Callable[[Answer], dict[str, Any]]
) -> Iterator[Event]:
    """Give what is shown while the answer is written; then fill in what the page shows last."""
    yield first
    try:
        for name, value in events:
            if name == DONE:
                done.update(whole(value))
            elif name == "error":
                done["problem"] = value.detail
            else:
                yield name, value
    except MedgraphError as error:  # of looking up what it cites
        _, done["problem"] = problems.status_of(error)


def _done(served: Service, previous: Sequence[str], given: Answer) -> dict[str, Any]:
    rows, named = served.evidence(given) if given.sentences else ([], [])
    return {"answer": shown(given, rows, named), "so_far": carried(previous, given)}


_MEANS: Final = {
    CONTRADICTED: "Checked: its source says otherwise",
    NO_EVIDENCE: "Checked: its source does not say so",
}
_AROUND: Final = 240  # characters of a section that a card shows before the first quoted span and behind the last one
_BETWEEN: Final = 600  # characters between two quoted spans that a card shows; of more, it leaves out the middle


def shown(given: Answer, rows: Sequence[Row], named: Sequence[Row]) -> dict[str, Any]:
    """Make what the answer's page shows, of the rows of `answer_graph` and of `answer_facts` of what it cites.

    A section that was taken out meanwhile has no row. The picture is empty where nothing answers, or where it names
    nothing else than is asked about.
    """
    numbers, relations = numbers_of(given), relations_of(given)
    names = {one.source.source: one.source.title for one in relations}
    picture = picture_of_answer(named, link) if given.status == ANSWERED else None
    parts = [
        {
            "asked": part.asked,
            "blocks": _blocks(part.sentences, numbers, names),
            "beside": CLOSEST_HEADING if part.beside else "",
        }
        for part in parts_of(given)
    ]
    return {
        "given": given,
        "is_related": given.status == RELATED,
        "nearest": nearest_of(given),
        "understood": understood_of(given),
        "parts": parts,
        "nothing": "" if parts else nothing_of(given),
        "unanswered": unanswered_of(given),
        "cards": _cards(given, numbers, {row["section"]: row for row in rows}),
        "relations": relations,
        "facts": list(map(_fact, facts_of(given))),
        "agreeing": agreeing_of(given),
        "pages": pages_of(given),
        "sections": () if parts else sections_of(given),
        "offering": offering_of(given),
        "written": " ".join(filter(None, (*model_notes(given), written_by(given)))),
        "picture": drawn(picture) if picture else "",
    }


def _fact(fact: CitedFact) -> dict[str, Any]:
    sources = list(dict.fromkeys(source for voice in fact.said for source in voice.sources))
    return {
        "text": fact.text,
        "sources": sources,
        "voices": [voice_of(voice) for voice in fact.said],
        "cypher": fact.cypher,
    }


def _blocks(
    sentences: Sequence[Sentence], numbers: Mapping[str, int], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Set sentences out as blocks: `lines` of a paragraph, or the one that leads to items `listed`.

    One whose quotation has several lines is a block by itself. What a sentence rests on, and what checking it found,
    stands with its last line or item alone. `names` says what sources of relations are called.
    """
    blocks: list[dict[str, Any]] = []
    for one in written(sentences, numbers):
        cited = list(_references(one.sentence, numbers, names))
        first, *items = one.said
        *others, last = (item.removeprefix("- ") for item in items or [first])
        ending = {"text": last, "references": cited, "sentence": one.sentence, "gloss": one.gloss}
        ending["means"] = _MEANS.get(one.sentence.verdict, "")
        if items:
            listed = [*({"text": other} for other in others), ending]
            blocks.append({"lines": [{"text": first, "lead": one.lead}], "listed": listed})
            continue
        if not blocks or blocks[-1]["listed"]:
            blocks.append({"lines": [], "listed": []})
        blocks[-1]["lines"].append(ending | {"text": first, "lead": one.lead})
    return blocks


def _references(sentence: Sentence, numbers: Mapping[str, int], names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for cited in sentence.citations:
        number = numbers[cited.section]
        yield {"number": number, "title": cited.title, "place": f"p{number}-{cited.start}"}
    for source in relating(sentence):
        number = numbers[source]
        yield {"number": number, "title": names.get(source, source), "place": f"source-{number}"}


def _cards(answer: Answer, numbers: Mapping[str, int], rows: Mapping[str, Row]) -> list[dict[str, Any]]:
    """Make a card of each section that an answer quotes, by number, with its first passage that is quoted."""
    quoted: dict[str, list[Citation]] = {}
    for citation in (c for sentence in quoted_in(answer) for c in sentence.citations):
        quoted.setdefault(citation.section, []).append(citation)
    return [
        {
            "number": numbers[section],
            "citation": citations[0],
            "kind": row.get("type") or row.get("question", ""),
            "source": row.get("source") or citations[0].source,
            "pieces": list(_pieces(row.get("text", ""), citations)),
        }
        for section, citations in quoted.items()
        for row in [rows.get(section, {})]
    ]


def _pieces(text: str, citations: Iterable[Citation]) -> Iterator[dict[str, Any]]:
    """Cut a text at the quoted spans, each with its `start`; of spans that overlap, the later one is what is left."""
    end = 0
    for start, stop in sorted({(citation.start, citation.end) for citation in citations}):
        if stop > len(text):
            return
        if start > end or not end:
            yield {"text": _between(text[end:start], first=not end), "start": None}
        yield {"text": text[max(start, end) : stop], "start": start}
        end = max(end, stop)
    yield {"text": _shortened(text[end:]), "start": None}


def _between(text: str, *, first: bool) -> str:
    """Shorten what stands before a quoted span: the beginning to its end, and what is between two in the middle."""
    if first:
        return _shortened(text[::-1])[::-1]
    if len(text) <= _BETWEEN:
        return text
    return f"{_shortened(text)} {_shortened(text[::-1])[::-1]}"


def _shortened(text: str) -> str:
    return text if len(text) <= _AROUND else f"{text[:_AROUND].rpartition(' ')[0]} \u2026"
