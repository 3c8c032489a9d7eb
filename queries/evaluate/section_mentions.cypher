// name: section_mentions
// Sections of pages about a condition, with what they mention: what roles are learned from, and told of.
// :param after => ''
// :param limit => 500
// returns: id, document, text, title, type, focus, heads, mentions
MATCH (s:Section)
WHERE s.id > $after AND s.linked IS NOT NULL AND s.source <> 'graph'
  AND EXISTS { (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Disease)-[:MEANS]->(h:Concept)
               WHERE h.label IN ['Disease', 'Symptom', 'Phenotype', 'SideEffect'] }
WITH s ORDER BY s.id LIMIT $limit
MATCH (s)<-[:HAS_SECTION]-(d:Document)
RETURN s.id AS id, min(d.id) AS document, s.text AS text, s.title AS title, s.type AS type,
       COLLECT { MATCH (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Disease)-[:MEANS]->(c:Concept)
                 WHERE c.label IN ['Disease', 'Symptom', 'Phenotype', 'SideEffect'] RETURN DISTINCT c.cui } AS focus,
       COLLECT { MATCH (s)-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->(c:Concept)
                 RETURN {concept: c.cui, label: c.label, name: c.name, start: m.start, end: m.end, surface: m.surface,
                         score: m.score, method: m.method, negated: m.negated, uncertain: m.uncertain, family: m.family}
                 ORDER BY m.start } AS mentions
ORDER BY id
