// name: said_to_be_absent
// Where texts say that something is not there, or of a relative's illness: mentions that count for no relation.
// :param name => 'Asthma'
// :param limit => 25
// returns: document, section, surface, negated, family, context
MATCH (e:Entity)-[:MEANS]->(c:Concept)
WHERE toLower(e.name) = toLower($name) OR any(s IN e.synonyms WHERE toLower(s) = toLower($name))
WITH DISTINCT c
MATCH (c)<-[m:MENTIONS]-(:Chunk)<-[:HAS_CHUNK]-(s:Section)<-[:HAS_SECTION]-(d:Document)
WHERE m.negated OR m.family
WITH DISTINCT d, s, m.start AS start, m.end AS end, m.surface AS surface, m.negated AS negated, m.family AS family
RETURN d.title AS document, s.id AS section, surface, negated, family,
       substring(s.text, CASE WHEN start > 60 THEN start - 60 ELSE 0 END, end - start + 120) AS context
ORDER BY document, section, start LIMIT $limit
