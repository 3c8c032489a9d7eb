"""A relation between concepts that sections tell, as indexing writes it, for graphs that tests make by hand."""


def told(sections, sources=("pages",), score=0.9, surfaces=("x",)):
    """Give the properties of a relation that only these sections tell."""
    sure = score * (1 - 0.5 / len(sections))
    said = {"sources": list(sources), "told": list(sources), "stated": [], "surfaces": list(surfaces)}
    counts = {"sections": list(sections), "section_count": len(sections), "told_score": sure, "score": sure}
    return said | counts | {"polarity": "affirmed"}
