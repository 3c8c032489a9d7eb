// name: well_described
// Entities that most sections describe, with the types of these among some; topics are left out.
// :param types => ["information", "symptoms", "treatment"]
// :param limit => 30
// returns: id, name, label, types, sections
MATCH (e:Entity)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(s:Section)
WHERE s.type IN $types AND e.name IS NOT NULL AND NOT e:Topic AND NOT coalesce(e.obsolete, false)
WITH e, s.type AS type, count(s) AS sections ORDER BY type
WITH e, collect(type) AS types, sum(sections) AS sections
ORDER BY sections DESC, size(types) DESC, e.id
LIMIT $limit
RETURN e.id AS id, e.name AS name, coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity') AS label, types, sections
