"""Pages elsewhere, questions about them, and what finds them, by hand."""

from types import SimpleNamespace


def row(title="Watery eyes", *, about=False, asked=(("causes", 0.4, 0.5), ("information", 0.2, 0.3))):
    """A page as the statement gives it."""
    questions = [
        {"type": kind, "text": f"{kind} {title}?", "near": near, "found": found} for kind, near, found in asked
    ]
    return {
        "document": title,
        "title": title,
        "url": f"http://{title}",
        "source": "x",
        "licence": "CC0",
        "about": about,
        "questions": questions,
    }


def question(text, *names, intents=()):
    mentions = [SimpleNamespace(name=name, matched=name.lower()) for name in names]
    return SimpleNamespace(mentions=mentions, spelt=text, intents=intents)


class Given:
    """A retriever that finds given pages and notes what it was asked for."""

    def __init__(self, *rows):
        self.rows = rows

    def asked_alike(self, question, top_k):
        hits = [SimpleNamespace(document=one["document"], section=None) for one in self.rows]
        return [*hits, SimpleNamespace(document="told", section="told#1")]

    def pages(self, question, documents):
        self.documents = documents
        return self.rows
