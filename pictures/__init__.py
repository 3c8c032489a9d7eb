"""Graphs as pictures: SVG and PNG."""
