"""Prints the result of `medgraph ask`: an answer, related passages, or why there is none, and a pipeline's trace."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from ..text import asked_plainly
from . import printing
from .printing import wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..answers.answer import Answer, Citation, PipelineTrace, Sentence
    from ..answers.outline import CitedDocument
    from ..queries.voices import RelationSource


def answer(given: Answer) -> None:
    """Print an answer with numbered citations."""
    for urgent in given.urgent:
        click.secho(urgent.title, bold=True, fg="red")
        calls = "; ".join(f"{call.number} ({call.where})" if call.where else call.number for call in urgent.calls)
        click.echo(f"{wrapped(urgent.text, 2)}\n{wrapped(f'Call: {calls}', 2)}\n  {urgent.source}: {urgent.url}\n")
    _understood(given)
    if given.sentences:
        _quoted(given)
    else:
        _nothing(given)
    _generated(given)
    _asked_back(given)
    click.echo(f"\n{given.notice}")


def event(name: str, told: object) -> None:
    """Print a sentence that a language model wrote once it is checked, ahead of the whole answer."""
    from ..answers.answer import Sentence
    from ..answers.outline import mark_of

    if name == "sentence" and isinstance(told, Sentence):
        titles = ", ".join(dict.fromkeys(citation.title for citation in told.citations)) or "relations"
        click.echo(wrapped(f"{told.text} [{titles}] {mark_of(told)}", 2))


def _generated(given: Answer) -> None:
    """Say which model wrote, or why the extractive answer is shown instead."""
    from ..answers.outline import read_by, written_by

    if told := " ".join(filter(None, (*read_by(given), written_by(given)))):
        click.secho(f"\n{wrapped(told, 0)}", dim=True)
    for remark in given.generation.remarks if given.generation else ():
        click.secho(wrapped(remark, 0), fg="yellow")


def _asked_back(given: Answer) -> None:
    if given.ask_back:
        click.secho(f"\n{wrapped(given.ask_back.question, 0)}", bold=True)
        for number, reply in enumerate(given.ask_back.replies, 1):
            click.echo(wrapped(f"{number}  {reply.question}", 2))
    elif given.follow_ups:
        from ..answers.outline import offering_of

        click.secho(f"\n{offering_of(given)}:", bold=True)
        for number, question in enumerate(given.follow_ups, 1):
            click.echo(wrapped(f"{number}  {question}", 2))


def _understood(given: Answer) -> None:
    from ..answers.outline import understood_of

    if asked := understood_of(given):
        click.echo(wrapped(f"You ask: {' '.join(asked)}", 0) + "\n")
    if given.understood_as:
        click.echo(f"understood as: {given.understood_as}", err=True)


def _quoted(given: Answer) -> None:
    from ..answers.answer import RELATED
    from ..answers.outline import CLOSEST_HEADING, documents_of, nearest_of, numbers_of, parts_of, relations_of, written

    near, numbers, documents = given.status == RELATED, numbers_of(given), documents_of(given)
    if near:
        click.secho(f"{nearest_of(given)}\n", bold=True)
    for part in parts_of(given):
        if part.asked:
            click.secho(wrapped(part.asked, 0), bold=True)
        if part.beside:
            click.echo(wrapped(CLOSEST_HEADING, 0))
        indent = 4 if near or part.beside else 0
        for one in written(part.sentences, numbers):
            first, *others = one.lines(marked=True)
            click.echo("\n".join([wrapped(first, indent), *(wrapped(line, indent + 2) for line in others)]))
            _otherwise(one.sentence)
        click.echo()
    _unanswered(given)
    for document in documents:
        _document(document)
    for relations in relations_of(given):
        _cited(relations.source)
        click.echo(f"    [{relations.number}] relations")
    _agreeing(given)
    shown = [*(document.sections[0].citation.cypher for document in documents[:1]), *_facts(given)]
    _elsewhere(given)
    if shown:
        click.secho("\nSee it in Neo4j Browser:", dim=True)
        click.secho(textwrap.indent(shown[0], "  "), dim=True)


def _unanswered(given: Answer) -> None:
    from ..answers.outline import unanswered_of

    for asked in unanswered_of(given):
        click.echo(f"Not answered: {asked}\n")


def _facts(given: Answer) -> list[str]:
    """Print the relations that an answer rests on, with who says so; give statements that show them."""
    from ..answers.outline import facts_of, voice_of

    facts = facts_of(given)
    if facts:
        click.echo("Relations that this rests on:")
    for fact in facts:
        click.echo(f"{wrapped(fact.text, 2)}")
        for voice in fact.said:
            click.echo(wrapped(voice_of(voice), 6))
    return [fact.cypher for fact in facts]


def _otherwise(sentence: Sentence) -> None:
    for other in sentence.contradicting:
        quote = " ".join(other.quote.split())
        click.secho(wrapped(f"but {other.title} ({_origin(other)}) says: \u201c{quote}\u201d", 4), fg="yellow")
        click.echo(f"    section {other.section}" + (f", {other.url}" if other.url else ""))
        _marked(other.retired, 4)


def _cited(one: CitedDocument | RelationSource, notices: Sequence[str] = ()) -> None:
    origin = ", ".join(filter(None, (one.source, one.licence, one.dated)))
    click.echo(f"{one.title} ({origin})")
    for notice in notices:
        click.secho(f"    {notice}", fg="yellow")
    _address(one, 4)


def _document(document: CitedDocument) -> None:
    _cited(document, document.notices)
    for section in document.sections:
        kind = f"{section.kind}, " if section.kind else ""
        click.echo(f"    [{section.number}] {kind}section {section.citation.section}")


def _agreeing(given: Answer) -> None:
    """Print where other documents say the same, which are not cited themselves."""
    from ..answers.outline import agreeing_of

    others = agreeing_of(given)
    if others:
        click.echo("Others that say the same:")
    for other in others:
        click.echo(wrapped(f"{other.title} ({_origin(other)}), section {other.section}", 4))
        _address(other, 6)


def _origin(cited: Citation) -> str:
    return ", ".join(filter(None, (cited.source, cited.dated)))


def _address(cited: Citation | CitedDocument | RelationSource, indent: int) -> None:
    if cited.url:
        click.echo(f"{' ' * indent}{cited.url}")
        _marked(cited.retired, indent)


def _marked(retired: str, indent: int) -> None:
    """Say beneath an address that its site is retired."""
    if retired:
        click.secho(wrapped(retired, indent), fg="yellow")


def _nothing(given: Answer) -> None:
    from ..answers.outline import nothing_of, sections_of

    if given.urgent and not given.remark:
        # Who reads what to do first is not told what the graph lacks.
        return
    click.echo(wrapped(given.remark or nothing_of(given), 0))
    _unanswered(given)
    _elsewhere(given)
    if sections := sections_of(given):
        click.echo("Nearest sections found:")
    for item in sections:
        click.echo(f"  {item.title} [{item.type or 'text'}] {item.section}" + f", {item.dated}" * bool(item.dated))


def _elsewhere(given: Answer) -> None:
    from ..answers.outline import pages_of

    if pages := pages_of(given):
        click.echo("\nPages elsewhere that may help:")
    for page in pages:
        click.echo(f"  {asked_plainly(page.question or page.title)}\n    {page.answered_at}")
        _marked(page.retired, 4)


def pipeline_trace(told: PipelineTrace) -> None:
    """Print stages, candidates, hypothesis and paths of a pipeline."""
    click.secho(f"\nPipeline {told.name} ({told.paper})", bold=True)
    if told.stand_in:
        click.secho(wrapped(f"What can be quoted stands in for a language model: {told.stand_in}.", 2), fg="yellow")
    if told.parameters:
        click.echo(wrapped(" ".join(f"{name}={value}" for name, value in told.parameters.items()), 2))
    click.echo()
    printing.table(
        [
            {
                "stage": f"{stage.name} (left out)" if stage.left_out else stage.name,
                "ms": f"{stage.milliseconds:,.0f}",
                "of the model": f"{stage.model_milliseconds:,.0f}",
                "calls": stage.calls,
                "tokens": f"{stage.prompt_tokens:,} + {stage.reply_tokens:,}" if stage.calls else "",
                "note": stage.note,
            }
            for stage in told.stages
        ]
    )
    _texts("Entities", [", ".join(told.entities)] if told.entities else [])
    _texts("Hypothesis, by which things were looked up; it is no answer", [told.hypothesis] if told.hypothesis else [])
    _texts("Searched for", told.queries)
    _texts("Names of the subgraph", [told.subgraph] if told.subgraph else [])
    _texts("Background", told.background.splitlines())
    _texts("Paths", told.paths)
    for number, one in enumerate(told.candidates, 1):
        score = "" if one.score is None else f", ROUGE-L F1 {one.score:.3f}"
        chosen = ", chosen" if one.chosen else ""
        source = f" from {one.section}" if one.section else ", from no source"
        _texts(f"Candidate {number}{source}{score}{chosen}, as it was written", [one.text])


def _texts(heading: str, texts: list[str] | tuple[str, ...]) -> None:
    if texts:
        click.secho(f"\n{heading}", bold=True)
        for text in texts:
            click.echo(wrapped(text, 2))
