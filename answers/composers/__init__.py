"""From evidence to sentences: one file a way of writing an answer."""
