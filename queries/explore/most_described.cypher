// name: most_described
// The diseases that most sections describe.
// returns: disease, documents, sections, types
MATCH (e:Entity:Disease)<-[:ABOUT]-(d:Document)-[:HAS_SECTION]->(s:Section)
RETURN coalesce(e.name, e.id) AS disease, count(DISTINCT d) AS documents, count(s) AS sections, count(DISTINCT s.type) AS types
ORDER BY sections DESC, disease
LIMIT 50
