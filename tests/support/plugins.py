"""The code of a package that brings a source."""

GOOD = """
from medgraph.loaders.base import Source
from medgraph.schema.records import SourceInfo
SOURCE = Source(SourceInfo("{id}", "T", "1", "CC0-1.0", ""), lambda path: iter(()))
"""
