// name: asking_sections
// Sections that say what they answer, with what their documents are about: what training questions are made from.
// :param source => 'medquad'
// returns: id, question, type, collection, entities
MATCH (d:Document {source: $source})-[:HAS_SECTION]->(s:Section)
WHERE s.question <> '' AND s.type <> ''
MATCH (d)-[:ABOUT]->(e:Entity)
RETURN s.id AS id, coalesce(s.question, '') AS question, s.type AS type, s.collection AS collection,
       collect(DISTINCT e.id) AS entities
ORDER BY id
