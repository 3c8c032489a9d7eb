"""Finds names and texts that are damaged or not English, and everyday words by which texts are linked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..linking.judging import EVERYWHERE, usual
from ..linking.words import words
from ..patterns import threshold
from ..schema.languages import foreign_language
from .findings import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..graph.database import Database

AROUND: Final = 40
LONGEST_NAME: Final = 200
CAPITALS: Final = "capital letters only"
SHORT: Final = "one character"
# Kinds of names, and what is usual in them: there is a gene called T.
HARMLESS: Final = {"symbols": (CAPITALS, SHORT), "synonyms": (CAPITALS,)}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a text."""

    name: str
    severity: Severity
    pattern: str  # what it looks like, in what Java's and Python's regular expressions have in common
    place: str = "whole"  # `anywhere`, `end` or `whole`: which part of the text looks so
    # Texts of which one is in every text that has the fault; looking for them is faster than the pattern.
    hints: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """The pattern of a whole text that has the fault, as Cypher wants it."""
        if self.place == "whole":
            return f"(?s){self.pattern}"
        return f"(?s).*(?:{self.pattern}){'.*' if self.place == 'anywhere' else ''}"

    def excerpt(self, text: str) -> str:
        """Cut out where the fault is."""
        match = re.search(f"(?s)(?:{self.pattern})$" if self.place == "end" else f"(?s){self.pattern}", text)
        start, end = match.span() if match else (0, 0)
        begin, stop = max(0, start - AROUND), min(len(text), max(end, start + AROUND) + AROUND)
        stop = min(stop, start + 3 * AROUND)
        cut = " ".join(text[begin:stop].split())
        return f"{'…' * (begin > 0)}{cut}{'…' * (stop < len(text))}"


_BROKEN: Final = (
    Fault("replacement or control characters", "error", r"[\ufffd\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", "anywhere"),
    Fault(
        "letters in a wrong encoding",
        "error",
        # UTF-8 read as Latin-1 or Windows-1252: é as Ã©, ° as Â°, an apostrophe as â€™, the byte order mark as ï»¿.
        r"[\u00c3\u00d0\u00d1][\u0080-\u009f\u00a1-\u00bf]|\u00c3\u00a0|\u00c2[\u00a0-\u00bf]"
        r"|\u00e2\u20ac[\u0080-\u009f\u00a2\u00a6\u0153\u017e\u02dc\u201c\u201d\u2122]|\u00ef\u00bb\u00bf|\u00ef\u00bf\u00bd",
        "anywhere",
        ("\u00c3", "\u00d0", "\u00d1", "\u00c2", "\u00e2\u20ac", "\u00ef\u00bb", "\u00ef\u00bf"),
    ),
    Fault(
        "HTML left over",
        "warning",
        r"</?(?i:p|br|div|span|b|i|em|strong|a|ul|ol|li|sup|sub|table|tr|td|th|h[1-6]|img|font|script|style)"
        r"(?:\s[^<>]{0,300})?/?>|&(?:amp|lt|gt|nbsp|quot|apos|[lr]squo|[lr]dquo|[mn]dash|hellip|#x?[0-9a-fA-F]{2,6});"
        r"|<!\[CDATA\[",
        "anywhere",
        ("<", "&"),
    ),
)

TEXT_FAULTS: Final = (
    *_BROKEN,
    Fault(
        "cut off",
        "note",
        r"(?:[,;:(]|\s[a-z-]*-|\.\.\.|\u2026|\s(?:a|an|the|of|and|or|with|from|that|which|including|such as))\s*",
        "end",
    ),
    Fault(CAPITALS, "note", "(?=[^a-z]{40,}$)(?:[^A-Z]*[A-Z]){20}.*"),
    Fault("no letter", "warning", r"(?![^\u0000-\u024f]*[\u0370-\uffff])[^A-Za-z\u00c0-\u024f]*"),
)

NAME_FAULTS: Final = (
    *_BROKEN,
    Fault("empty", "error", r"\s*"),
    Fault(SHORT, "warning", r"\s*\S\s*"),
    Fault("digits and punctuation only", "warning", r"(?=.*\S.*\S)[^A-Za-z\u00c0-\uffff]+"),
    Fault(
        "a placeholder",
        "warning",
        r"\s*(?i:unknown|n/?a|none|null|nan|nil|test|todo|tbd|untitled|undefined|no name)\s*",
    ),
    Fault(f"longer than {LONGEST_NAME} characters", "note", rf".{{{LONGEST_NAME + 1},}}"),
    Fault(CAPITALS, "note", r"(?=.*\b[A-Z]{4,}\b.*\b[A-Z]{4,}\b)[^a-z]+"),
    Fault("blanks at its ends, or several in a row", "note", r"\s.*|.*\s|.*\s\s.*"),
)


def names(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find names that look wrong: a finding for each fault, source, and kind of name."""
    for finding in _findings(database, "suspicious_names", NAME_FAULTS, scope):
        _, kind, fault = finding.keys
        if fault in HARMLESS.get(kind, ()):
            continue
        milder = kind == "synonyms" and finding.severity != "error"
        yield replace(finding, severity="note") if milder else finding


def texts(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find texts that look wrong: a finding for each fault, source, and kind of text."""
    yield from _findings(database, "suspicious_texts", TEXT_FAULTS, scope)


def _findings(database: Database, check: str, faults: Sequence[Fault], scope: Mapping[str, Any]) -> Iterator[Finding]:
    by_name = {fault.name: fault for fault in faults}
    patterns = [
        {"fault": fault.name, "pattern": fault.whole, "hints": list(fault.hints), "end": fault.place == "end"}
        for fault in faults
    ]
    rows = database.stream(catalogue.get(check), patterns=patterns, source=scope["source"], examples=scope["examples"])
    for row in rows:
        fault = by_name[row["fault"]]
        examples = tuple(f"{key}: {fault.excerpt(text)}" for key, text in row["examples"])
        keys = (row["source"], row["field"], fault.name)
        yield Finding(
            check, fault.severity, row["source"], keys, f"{row['field']}: {fault.name}", row["count"], examples
        )


# A text with two of these is English enough, and is left on the server.
_COMMON: Final = (" the ", " of ", " and ", " is ", " to ", " with ", " for ", " are ", " in a ", " or ")
_CHARACTERS: Final = 600
_WORDS: Final = 40  # words of a text that are looked at: a sentence or two
_SURE: Final = threshold("audit.texts.sure")


@dataclass(slots=True)
class _Tally:
    count: int = 0
    sureness: float = 0.0
    examples: list[str] = field(default_factory=list)


def foreign(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find texts that are not English: a finding for each source and language."""
    query = catalogue.get("foreign_texts")
    tallies: dict[tuple[str, str], _Tally] = {}
    for row in database.stream(query, source=scope["source"], words=list(_COMMON), characters=_CHARACTERS):
        name, sure = foreign_language(" ".join(row["text"].split()[:_WORDS]))
        if not name:
            continue
        tally = tallies.setdefault((row["source"], name), _Tally())
        tally.count += 1
        tally.sureness += sure
        if len(tally.examples) < scope["examples"]:
            tally.examples.append(f"{row['id']}: {' '.join(row['text'][:80].split())}… ({sure:.0%})")
    for (source, name), tally in tallies.items():
        sure = tally.sureness / tally.count
        what = f"texts in {name}, by a guess that is {sure:.0%} sure"
        severity: Severity = "warning" if sure >= _SURE else "note"
        yield Finding(query.name, severity, source, (source, name), what, tally.count, tuple(tally.examples))


_CONTEXTS: Final = 3
_SCALE: Final = 9  # the logarithm of the number of words among which they are counted


def ordinary(database: Database, scope: Mapping[str, Any]) -> Iterator[Finding]:
    """Find words of everyday English that stand for something in texts: a finding for words and a concept.

    It is a warning where the concept is called otherwise, and the words stand everywhere.
    """
    query = catalogue.get("ordinary_names")
    examples = min(scope["examples"], _CONTEXTS)
    for row in database.stream(query, source=scope["source"], examples=examples):
        surface, name = row["surface"], row["name"]
        each = [usual(word) for word in surface.split()]
        how_usual = sum(each) - _SCALE * (len(each) - 1)  # as if words stood together by chance
        if all(each):
            called = _normal(surface) == _normal(name)
            severity: Severity = "warning" if how_usual >= EVERYWHERE and not called else "note"
            what = f"“{surface}” as {name} (how usual: {how_usual:.1f})"
            keys, contexts = (surface, row["concept"]), tuple(" ".join(text.split()) for text in row["examples"])
            yield Finding("ordinary_names", severity, scope["source"], keys, what, row["count"], contexts)


def _normal(text: str) -> list[str]:
    return [word.normal for word in words(text)]
