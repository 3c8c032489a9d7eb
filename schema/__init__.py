"""Schema of the graph: records, vocabulary and numbered migrations."""
