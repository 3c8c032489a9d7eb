"""Rerankers: what reads a question and a passage together."""
