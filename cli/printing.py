"""Prints results of commands: answers, tables and findings for people, JSON for programs."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING, Any, Final

import click

from ..text import plain_question

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..answers.answer import Answer, Citation, PipelineTrace, Sentence
    from ..answers.outline import CitedSection
    from ..audit.findings import Audit, Result
    from ..doctor.machine import Finding as DoctorFinding
    from ..queries.voices import RelationSource


LONGEST_PATH: Final = 200  # characters of a path that a table shows


def as_json(data: Any) -> None:
    """Print data as JSON."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2, default=str))


def result(data: Any, in_json: bool, show: Callable[..., None], *arguments: Any) -> None:
    """Print data as JSON, or let `show` print for people what it is of."""
    if in_json:
        as_json(data)
    else:
        show(*arguments)


def heading(name: str, rest: str) -> None:
    """Print a name, and beside it what and which it is."""
    click.secho(name, bold=True, nl=False)
    click.echo(f"  {rest}")


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None, longest: int = 80) -> None:
    """Print rows as a table, by default with all columns of the first; a text of more than `longest` letters is cut."""
    if not rows:
        click.echo("Nothing was found.")
        return
    names = list(columns or rows[0])
    cells = [[_cell(row.get(name), longest) for name in names] for row in rows]
    widths = [max([len(name), *(len(line[i]) for line in cells)]) for i, name in enumerate(names)]
    numeric = [all(isinstance(row.get(name), int | float) for row in rows) for name in names]
    for line in [names, ["-" * width for width in widths], *cells]:
        padded = [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(line, widths, numeric, strict=True)]
        click.echo("  ".join(padded).rstrip())


def figures(
    rows: Sequence[Mapping[str, Any]],
    *,
    in_json: bool,
    made_with: Mapping[str, str] | None = None,
    **others: Sequence[Mapping[str, Any]],
) -> None:
    """Print rows as a table, or as JSON by `rows`; `others` are more rows, each a table of its own under its name."""
    if in_json:
        as_json({"rows": rows, **others, **(made_with or {})})
        return
    table(rows)
    for name, more in others.items():
        click.echo(f"\n{name}")
        table(more)


def findings(rows: Sequence[DoctorFinding]) -> None:
    """Print what the doctor found, the worst first."""
    colours = {"broken": "red", "warning": "yellow", "ok": "green"}
    for row in rows:
        click.secho(f"{row.level:8}", fg=colours[row.level], nl=False)
        click.echo(f"{row.id}: {' '.join(row.what.split())}  ", nl=False)
        click.secho(f"[{row.where}]", dim=True)
        if row.remedy:
            click.echo(f"        to mend it: {row.remedy}")


def audit(data: Audit, limit: int = 10) -> None:
    """Print what an audit found."""
    for result in data.results:
        if result.failure:
            click.secho(f"\n{result.check}: could not be run: {result.failure}", fg="red")
        if result.findings:
            _result(result, limit)
    sound = sum(1 for result in data.results if not result.findings and not result.failure)
    click.echo(f"\n{data.summary}; {sound} of {len(data.results)} checks found nothing")


def _result(result: Result, limit: int) -> None:
    colours = {"error": "red", "warning": "yellow", "note": None}
    click.secho(f"\n{result.check}", bold=True, nl=False)
    click.echo(f": {result.purpose}")
    for row in result.findings[:limit]:
        click.secho(f"  {row.severity:8}", fg=colours[row.severity], nl=False)
        count = "" if row.counts_itself else f": {row.count:,}"
        click.echo(f"{row.what}{count}{f' [{row.source}]' if row.source else ''}  ", nl=False)
        click.secho(row.id, dim=True)
        for example in row.examples:
            click.secho(f"           {textwrap.shorten(example, 150, placeholder=' …')}", dim=True)
    if len(result.findings) > limit:
        click.echo(f"  and {len(result.findings) - limit:,} more; --markdown FILE or --json has them all")
    click.echo(f"  to mend it: {result.remedy}")


def _cell(value: Any, longest: int) -> str:
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, str):
        return textwrap.shorten(value, longest, placeholder=" …")
    return textwrap.shorten(json.dumps(value, ensure_ascii=False, default=str), longest, placeholder=" …")


def wrapped(text: str, indent: int) -> str:
    """Wrap a text for the terminal, indented; line breaks in it do not count."""
    width = min(shutil.get_terminal_size().columns, 100)
    blank = " " * indent
    return textwrap.fill(" ".join(text.split()), width, initial_indent=blank, subsequent_indent=blank)


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
    _print_ask_back(given)
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
    from ..answers.outline import model_notes, written_by

    if told := " ".join(filter(None, (*model_notes(given), written_by(given)))):
        click.secho(f"\n{wrapped(told, 0)}", dim=True)
    for remark in given.generation.remarks if given.generation else ():
        click.secho(wrapped(remark, 0), fg="yellow")


def _print_ask_back(given: Answer) -> None:
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
    for sections in documents:
        _document(sections)
    for relations in relations_of(given):
        _cited(relations.source)
        click.echo(f"    [{relations.number}] relations")
    _agreeing(given)
    shown = [*(sections[0].citation.cypher for sections in documents[:1]), *_facts(given)]
    _elsewhere(given)
    if shown:
        click.secho("\nSee it in Neo4j Browser:", dim=True)
        click.secho(textwrap.indent(shown[0], "  "), dim=True)


def _unanswered(given: Answer) -> None:
    from ..answers.outline import unanswered_of

    for said in unanswered_of(given):
        click.echo(f"{wrapped(said, 0)}\n")


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


def _cited(one: Citation | RelationSource, notices: Sequence[str] = (), study: str = "") -> None:
    origin = ", ".join(filter(None, (one.source, one.licence, one.dated, study)))
    click.echo(f"{one.title} ({origin})")
    for notice in notices:
        click.secho(f"    {notice}", fg="yellow")
    _address(one, 4)


def _document(sections: Sequence[CitedSection]) -> None:
    first = sections[0].citation
    _cited(first, first.notices, first.study)
    for section in sections:
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


def _address(cited: Citation | RelationSource, indent: int) -> None:
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
        click.echo(f"  {plain_question(page.question or page.title)}\n    {page.answered_at}")
        _marked(page.retired, 4)


def pipeline_trace(told: PipelineTrace) -> None:
    """Print stages, candidates, hypothesis and paths of a pipeline."""
    click.secho(f"\nPipeline {told.name} ({told.paper})", bold=True)
    if told.stand_in:
        click.secho(wrapped(f"What can be quoted stands in for a language model: {told.stand_in}.", 2), fg="yellow")
    if told.parameters:
        click.echo(wrapped(" ".join(f"{name}={value}" for name, value in told.parameters.items()), 2))
    click.echo()
    table(
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
