"""Module docstrings say what a module does."""

import ast

from tests.support.tree import MODULES, ROOT

INDIRECT = {"How", "What", "Where", "Whether", "Which", "Who", "Whom"}


def test_no_module_docstring_begins_with_an_indirect_question():
    told = {path: ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "" for path in MODULES}
    assert [str(path.relative_to(ROOT)) for path in MODULES if INDIRECT & {*told[path].split(maxsplit=1)[:1]}] == []
