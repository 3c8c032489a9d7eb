// name: condition_pages
// Pages of a source that are about a condition, with their sections, by the concept that it stands for.
// :param source => 'medquad'
// returns: document, concept, sections, texts
MATCH (d:Document {source: $source})-[:ABOUT]->(:Entity:Disease)-[:MEANS]->(c:Concept:Disease)
WHERE NOT EXISTS { MATCH (d)-[:ABOUT]->(:Entity)-[:MEANS]->(other:Concept) WHERE other <> c }
WITH DISTINCT d, c
MATCH (d)-[:HAS_SECTION]->(s:Section)
WITH d, c, s ORDER BY s.position, s.id
WITH d, c, collect(s.id) AS sections, collect(s.text) AS texts
RETURN d.id AS document, c.cui AS concept, sections, texts
ORDER BY document
