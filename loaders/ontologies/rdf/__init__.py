"""Ontologies and vocabularies in RDF."""
