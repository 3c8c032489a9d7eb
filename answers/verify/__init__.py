"""Verifies statements of an answer against their citations, and compares them with other evidence."""
