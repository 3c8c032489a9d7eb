"""The published ways to answer: one file a pipeline, each a list of named stages over one state."""
