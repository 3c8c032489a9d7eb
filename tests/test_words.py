"""Names and docstrings are plain technical English: one sense a word, and none of those below."""

import ast
import re

import pytest

from tests.support.tree import MODULES, ROOT

# Banned part of a name → what to write, by its sense.
NAMES = {
    "asked": "requested, a question's focus, or the noun: question",
    "begun": "load run",
    "beside": "neighbours, second, staged, off topic",
    "fit": "train, calibrate",
    "given": "arguments, parameters",
    "heeds": "mentions",
    "once": "unique, cached",
    "said": "attributes, statement, text",
    "told": "stated, described, predicted",
    "undone": "pending",
    "unlike": "near duplicates",
}
WHOLE = {"read": "load a file, parse a text, score a pair", "reads": "has_", "says": "restates", "tells": "the verb"}
# `Database.write` has its pair, CONTRIBUTING.md shows `tables.read`, and the API's description has `Asked`.
KEPT = {
    "graph/database.py: Database.read",
    "loaders/files/tables.py: read",
    "queries/question.py: Asked",
}
AT_ONCE = re.compile(r"at_once", re.IGNORECASE)  # an adverb of its own

INDIRECT = {"How", "What", "Where", "Whether", "Which", "Who", "Whom"}
PHRASES = re.compile(
    r"\b(what is (no|said to) |only comes |comes? (near|close)(?! the )\b|[Ww]hatever takes|keeps to\b|is wished|"
    r"flatter|is said to\b|refused or went away)|^ *database: The graph\.$",
    re.MULTILINE,
)


def parts(name):
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", AT_ONCE.sub("", name))]


def banned(name):
    """Find what to write instead of a name: a constant may be called `READ` for what is taken from a file."""
    own = name.rpartition(".")[2]
    whole = None if own.isupper() else WHOLE.get(own.strip("_").lower())
    return whole or next((NAMES[part] for part in parts(own) if part in NAMES), None)


def names(tree, inside=""):
    """Yield the name and line of every function, class and constant of a module; a method's begins with its class."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield f"{inside}{node.name}", node.lineno
            yield from names(node, f"{node.name}." if isinstance(node, ast.ClassDef) else inside)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(tree, ast.Module):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((one.id, node.lineno) for one in targets if isinstance(one, ast.Name))
        else:
            yield from names(node, inside)


def docstrings(tree):
    """Yield every docstring with the line of what it describes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module) and (
            text := ast.get_docstring(node)
        ):
            yield text, getattr(node, "lineno", 1)


@pytest.fixture(scope="module")
def trees():
    return {path.relative_to(ROOT): ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def test_no_name_has_a_banned_word(trees):
    found = [
        f"{path}:{line}: {name}: write {instead}"
        for path, tree in trees.items()
        for name, line in names(tree)
        if (instead := banned(name)) and f"{path}: {name}" not in KEPT
    ]
    assert found == []


def test_no_module_docstring_begins_with_an_indirect_question(trees):
    told = {path: ast.get_docstring(tree) or "" for path, tree in trees.items()}
    assert [str(path) for path, text in told.items() if INDIRECT & {*text.split(maxsplit=1)[:1]}] == []


def test_no_docstring_has_a_banned_phrase(trees):
    found = [
        f"{path}:{line}: {match[0]}"
        for path, tree in trees.items()
        for text, line in docstrings(tree)
        if (match := PHRASES.search(text))
    ]
    assert found == []


def test_what_is_kept_is_there(trees):
    assert {f"{path}: {name}" for path, tree in trees.items() for name, _ in names(tree)} >= KEPT
