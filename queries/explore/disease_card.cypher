// name: disease_card
// One disease: its names, concepts, and the sections that describe it.
// :param name => 'Asthma'
// returns: disease, synonyms, concepts, document, section, type, heading
MATCH (e:Entity:Disease)<-[:ABOUT]-(d:Document)-[:HAS_SECTION]->(s:Section)
WHERE e.name IN [$name, toLower($name), toUpper($name), toUpper(left($name, 1)) + toLower(substring($name, 1))]
RETURN coalesce(e.name, e.id) AS disease, coalesce(e.synonyms, []) AS synonyms, COLLECT { MATCH (e)-[:HAS_CUI]->(c) RETURN c.cui } AS concepts,
       d.id AS document, s.id AS section, s.type AS type, s.heading AS heading
ORDER BY document, s.position
