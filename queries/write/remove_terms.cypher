// name: remove_terms
// Removes what documents tell of terms, before these documents go; `fold_terms` has to follow.
// :param ids => ['medquad:GARD_0000001']
// returns: term
UNWIND $ids AS id
MATCH (:Document {id: id})-[:HAS_SECTION]->(:Section)-[told:TELLS_OF]->(t:Term)
DELETE told
RETURN DISTINCT t.id AS term
