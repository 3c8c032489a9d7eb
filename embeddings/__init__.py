"""Text into vectors, and vectors into the graph."""
