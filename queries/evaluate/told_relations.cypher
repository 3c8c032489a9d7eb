// name: told_relations
// All relations between concepts that sections tell, to draw from.
// returns: relation, head, tail, score, evidence
MATCH (head:Concept)-[r]->(tail:Concept)
WHERE r.told <> []
RETURN type(r) AS relation, head.cui AS head, tail.cui AS tail, r.told_score AS score, r.sections AS evidence
ORDER BY relation, head, tail
