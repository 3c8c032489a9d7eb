// name: write_terms
// Replaces the terms that sections tell of, with the relations that the conditions which their documents are about have to
// them: one a section, so that it goes with its section.
// :param rows => [{section: 'a1#1', terms: [{id: 'term:silvery-scales', name: 'silvery scales', relation: 'HAS_SYMPTOM', start: 0, end: 14, surface: 'silvery scales', method: 'bullet', score: 0.9}]}]
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
CALL (s) {
  MATCH (s)-[old:TELLS_OF]->(t:Term)
  OPTIONAL MATCH (:Concept)-[r]->(t) WHERE r.evidence = [s.id]
  DELETE old, r
}
CALL (s, row) {
  UNWIND row.terms AS term
  MERGE (t:Term {id: term.id})
    ON CREATE SET t.name = term.name
  CREATE (s)-[:TELLS_OF {relation: term.relation, start: term.start, end: term.end, surface: term.surface,
                         method: term.method, score: term.score}]->(t)
  WITH s, term, t
  MATCH (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Disease)-[:MEANS]->(head:Concept)
  WHERE head.label IN ['Disease', 'Symptom', 'Phenotype', 'SideEffect']
  WITH DISTINCT s, term, t, head
  CREATE (head)-[:$(term.relation) {method: 'term', evidence: [s.id], sections: 1, sources: [s.source],
                                    surfaces: [term.surface], start: term.start, end: term.end, score: term.score}]->(t)
}
