"""What the graph may hold: records, vocabulary and numbered migrations."""
