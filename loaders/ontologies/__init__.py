"""Ontologies: OBO, RDF and OBO Graphs, and the terms that they share."""
