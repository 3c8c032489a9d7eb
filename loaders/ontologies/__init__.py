"""Ontologies: OBO, RDF and OBO Graphs, and the terms that they share.

One ontology gives the same records from each of its files, but for what a format cannot say:

- OBO Graphs has no qualifiers of relations that limit or deny them, and leaves such relations out unnamed; it may leave
  out what is said of statements (descriptions of cross-references, notes on definitions), as its writer decides.
- OBO has no languages: `xml:lang` as a qualifier is read, and what a writer left out is not there. It does not tell
  `oboInOwl:xref` from `oboInOwl:hasDbXref`, so that both are cross-references everywhere.
- OBO says by `gci_relation` that a relation holds for a part of its term, RDF by an axiom on an expression; both are
  left out. How many there are (`cardinality="2"`) OBO Graphs does not say, and has no such relation.
- Statements of what is not so are relations in none of them (see `loaders/polarity.py`); what is an annotation in OWL,
  such as `never_in_taxon`, is a property of its term.
- RDF lists ids that were merged into a term as classes of their own; they are passed over, for the term lists them.
- Remarks say what each file holds that is passed over, and so differ.
"""
