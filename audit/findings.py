"""Findings and results of an audit, and its report; ids of findings are stable from one audit to the next."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from ..errors import InputError
from ..text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

Severity = Literal["error", "warning", "note"]

SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a curator should look at."""

    check: str
    # `error`: the graph says something false or cannot account for it; `warning`: probably so; `note`: worth knowing.
    severity: Severity
    source: str  # the source that says so; empty where it is none, or several
    keys: tuple[str, ...]  # what it is about; with the check, these make its id
    what: str
    count: int
    examples: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A short name that is the same in every audit that finds this."""
        text = json.dumps([self.check, *self.keys], ensure_ascii=True)
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    @property
    def counts_itself(self) -> bool:
        """Whether its words begin with the count, which need not be said again then."""
        return self.what.startswith(f"{self.count:,} ")

    def as_dict(self) -> dict[str, Any]:
        """Give the finding as plain data."""
        return {"id": self.id, **asdict(self)}


@dataclass(slots=True)
class Result:
    """What became of one check: what it found, the worst first, or why it could not be run."""

    check: str
    purpose: str
    remedy: str
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)
    failure: str = ""


@dataclass(slots=True)
class Audit:
    """A whole audit, of one source or all, in the order of the checks."""

    source: str
    results: list[Result]

    @property
    def findings(self) -> list[Finding]:
        """All findings, in the order of the checks."""
        return [finding for result in self.results for finding in result.findings]

    def counts(self) -> dict[str, int]:
        """Count the findings of each severity, and the checks that could not be run."""
        severities = [finding.severity for finding in self.findings]
        failed = sum(1 for result in self.results if result.failure)
        return {**{name: severities.count(name) for name in SEVERITIES}, "failed": failed}

    @property
    def summary(self) -> str:
        """How many findings of each severity there are, in words."""
        return ", ".join(counted(number, name) for name, number in self.counts().items() if name in SEVERITIES)

    def as_dict(self) -> dict[str, Any]:
        """Give the audit as plain data."""
        rows = [
            {
                "check": r.check,
                "purpose": r.purpose,
                "remedy": r.remedy,
                "failure": r.failure,
                "seconds": round(r.seconds, 2),
                "findings": [finding.as_dict() for finding in r.findings],
            }
            for r in self.results
        ]
        return {"source": self.source, **self.counts(), "checks": rows}

    def failing(self, threshold: str, known: Mapping[str, int]) -> list[Finding]:
        """Choose the findings for which the audit counts as failed.

        Args:
            threshold: `error`, `warning` or `never`.
            known: Counts by id of findings that were there before; only one that has grown since counts again.
        """
        worst = SEVERITIES[: SEVERITIES.index(threshold) + 1] if threshold in SEVERITIES else ()
        return [f for f in self.findings if f.severity in worst and f.count > known.get(f.id, -1)]


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Put the worst findings first: by severity, number of elements, source and keys."""
    return sorted(findings, key=lambda f: (SEVERITIES.index(f.severity), -f.count, f.source, f.keys))


def load_known(path: Path | None) -> dict[str, int]:
    """Read what an earlier `medgraph audit --json` printed; nothing of None, InputError for any other file."""
    if path is None:
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {row["id"]: int(row["count"]) for check in data["checks"] for row in check["findings"]}
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not what `medgraph audit --json` printed: {error!r}") from error


_MARKUP = re.compile(r"([\\`*_\[\]<>|#&])")


def markdown(audit: Audit) -> str:
    """Write an audit as Markdown: a table of the checks, and a chapter for each that found something."""
    lines = [f"# Audit of {plain(audit.source or 'the graph')}", "", f"{audit.summary}.", ""]
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
