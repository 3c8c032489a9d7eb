// name: write_terms
// Replaces the terms that sections tell of; the relations of conditions to them follow from `fold_terms`.
// :param rows => [{section: 'a1#1', terms: [{id: 'term:silvery-scales', name: 'silvery scales', relation: 'HAS_SYMPTOM', start: 0, end: 14, surface: 'silvery scales', method: 'bullet', score: 0.9}]}]
// returns:
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
CALL (s) {
  MATCH (s)-[old:TELLS_OF]->(t:Term)
  SET t.stale = true
  DELETE old
}
UNWIND row.terms AS term
MERGE (t:Term {id: term.id})
  ON CREATE SET t.name = term.name
SET t.stale = true
CREATE (s)-[:TELLS_OF {relation: term.relation, start: term.start, end: term.end, surface: term.surface,
                       method: term.method, score: term.score}]->(t)
