// name: corroborated
// Relations that sources state and texts tell as well: those with the most voices and sections first.
// :param relation => 'TREATED_BY'
// :param limit => 25
// returns: head, relation, tail, stated_by, told_by, sections, evidence
MATCH (h:Concept)-[f]->(t:Concept)
WHERE f.method = 'section' AND type(f) = $relation
MATCH (h)<-[:MEANS]-(:Entity)-[r]->(:Entity)-[:MEANS]->(t)
WHERE type(r) = $relation
WITH h, t, f, collect(DISTINCT r.source) AS stated_by
RETURN h.name AS head, type(f) AS relation, t.name AS tail, stated_by,
       f.sources AS told_by, f.sections AS sections, f.evidence[..5] AS evidence
ORDER BY size(stated_by) + size(f.sources) DESC, sections DESC, head, tail LIMIT $limit
