"""An audit as Markdown."""

from medgraph.audit.findings import markdown
from tests.support.audits import AUDIT


def test_markdown():
    text = markdown(AUDIT)
    assert "1 errors, 0 warnings, 0 notes." in text
    assert "| one | 1 | 0 | 0 | 2 |" in text
    assert "| two | 0 | 0 | 0 | 0 |" in text
    assert "It could not be run: went wrong" in text
    assert "- **error** bad \\| \\<b\\>: 2 (s) `" in text
    assert "  - x\\_y" in text
    assert "## two" not in text
