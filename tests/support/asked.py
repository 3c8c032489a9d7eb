"""Questions and sections that no graph is needed for."""

from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import SectionText


def question(text, *named):
    """A question that names diseases, which stand for themselves."""
    places = {name: max(0, text.lower().find(name)) for name in named}
    mentions = [
        Mention(name, "Disease", name, name, name, 1.0, (f"C-{name}",), 1, start, start + len(name))
        for name, start in places.items()
    ]
    return Question(text, words_of(text), None, lambda _: mentions, lambda: None)


def section(title="Gout", text="Ice helps.", kind="treatment", entities=(), concepts=()):
    """A section of a page."""
    return SectionText(
        "s", "d", title, [], "", "test", "", "CC0-1.0", kind, "", "", text, list(entities), list(concepts)
    )
