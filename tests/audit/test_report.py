"""An audit as Markdown."""

from dataclasses import replace

from medgraph.audit import report
from medgraph.audit.findings import Audit, Finding, Result
from tests.support.audits import AUDIT


def test_markdown():
    text = report.markdown(AUDIT)
    assert "1 errors, 0 warnings, 0 notes." in text
    assert "| one | 1 | 0 | 0 | 2 |" in text
    assert "| two | 0 | 0 | 0 | 0 |" in text
    assert "It could not be run: went wrong" in text
    assert "- **error** bad \\| \\<b\\>: 2 (s) `" in text
    assert "  - x\\_y" in text
    assert "## two" not in text


def test_a_count_that_the_words_begin_with_is_not_said_twice():
    finding = Finding("one", "error", "s", ("a",), "1,200 entities are rings", 1200)
    others = [replace(finding, what="12 entities are rings"), replace(finding, count=1)]
    text = report.markdown(Audit("", [Result("one", "What.", "mend it", 0.1, [finding, *others])]))
    assert "- **error** 1,200 entities are rings (s) `" in text
    assert "- **error** 12 entities are rings: 1,200 (s) `" in text
    assert "- **error** 1,200 entities are rings: 1 (s) `" in text
