"""Questions that name entities of a test's choice, or none."""

from dataclasses import replace

from medgraph.queries.entities import Mention


def naming(retriever, entities, text="asthma", filters=None):
    """Make a question that is said to name entities of these ids, whatever its words are."""
    mentions = [Mention(name, "Disease", name, name, name, 1.0, (), 1) for name in entities]
    return replace(retriever.question(text, filters), linker=lambda words: mentions)
