// name: told_relations
// All relations between concepts that sections tell, to draw from.
// returns: relation, head, tail, score, evidence
MATCH (head:Concept)-[r {method: 'section'}]->(tail:Concept)
RETURN type(r) AS relation, head.cui AS head, tail.cui AS tail, r.score AS score, r.evidence AS evidence
ORDER BY relation, head, tail
