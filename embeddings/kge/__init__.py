"""GRAPH → VECTORS: triples between concepts, models that learn from them, and how well these predict."""
