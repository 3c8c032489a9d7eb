// name: corroborated
// Relations that sources state and texts tell as well: those with the most voices and sections first.
// :param relation => 'TREATED_BY'
// :param limit => 25
// returns: head, relation, tail, stated_by, told_by, sections, evidence
CYPHER 25
MATCH (h:Concept)-[r:$($relation)]->(t:Concept)
WHERE r.stated <> [] AND r.told <> []
RETURN h.name AS head, type(r) AS relation, t.name AS tail, r.stated AS stated_by, r.told AS told_by, r.section_count AS sections,
       r.sections[..5] AS evidence
ORDER BY size(r.stated) + size(r.told) DESC, sections DESC, head, tail LIMIT $limit
