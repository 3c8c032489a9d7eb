"""Sources into records, and records into the graph."""
