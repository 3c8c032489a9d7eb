"""An audit as Markdown, for people who were not there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .findings import Audit, Finding, Result

_MARKUP = re.compile(r"([\\`*_\[\]<>|#&])")


def markdown(audit: Audit) -> str:
    """Write an audit as Markdown.

    Returns:
        A table of the checks, and a chapter for each that found something.
    """
    counts = audit.counts()
    lines = [f"# Audit of {plain(audit.source or 'the graph')}", ""]
    lines += [f"{counts['error']:,} errors, {counts['warning']:,} warnings, {counts['note']:,} notes.", ""]
    lines += ["| check | errors | warnings | notes | elements |", "| --- | ---: | ---: | ---: | ---: |"]
    for result in audit.results:
        severities = [finding.severity for finding in result.findings]
        cells = [f"{severities.count(name):,}" for name in ("error", "warning", "note")]
        cells += [f"{sum(finding.count for finding in result.findings):,}"]
        lines.append(
            f"| {result.check} | {' | '.join(cells if not result.failure else ['could not be run', '', '', ''])} |"
        )
    for result in audit.results:
        if result.findings or result.failure:
            lines += _chapter(result)
    return "\n".join(lines) + "\n"


def plain(text: str) -> str:
    """Write a text so that Markdown shows it as it is."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _chapter(result: Result) -> Iterator[str]:
    yield from ("", f"## {result.check}", "", plain(result.purpose), "")
    if result.failure:
        yield f"It could not be run: {plain(result.failure)}"
        return
    yield from (f"To mend it: {plain(result.remedy)}.", "")
    for finding in result.findings:
        yield from _entry(finding)


def _entry(finding: Finding) -> Iterator[str]:
    source = f" ({plain(finding.source)})" if finding.source else ""
    count = "" if finding.counts_itself else f": {finding.count:,}"
    yield f"- **{finding.severity}** {plain(finding.what)}{count}{source} `{finding.id}`"
    for example in finding.examples:
        yield f"  - {plain(example)}"
