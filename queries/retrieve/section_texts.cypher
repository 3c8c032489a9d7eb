// name: section_texts
// Whole sections with their documents, the entities those are about, and how near their nearest chunk is to a vector.
// :param sections => ['medquad:GARD_0000001#1']
// :param vector => [0.1, 0.2]
// returns: section, document, title, aliases, url, source, licence, type, heading, question, text, cosine, entities, concepts
UNWIND $sections AS id
MATCH (d:Document)-[:HAS_SECTION]->(s:Section {id: id})
CALL (s) {
  MATCH (s)-[:HAS_CHUNK]->(c:Chunk)
  WHERE size(c.embedding) = size($vector)
  RETURN max(vector.similarity.cosine(c.embedding, $vector)) AS near
}
RETURN s.id AS section, d.id AS document, d.title AS title, coalesce(s.aliases, []) AS aliases, d.url AS url,
       s.source AS source, coalesce([(d)-[:FROM]->(s0:Source) | s0.licence][0], '') AS licence, s.type AS type,
       s.heading AS heading, s.question AS question, s.text AS text,
       2 * coalesce(near, 0.5) - 1 AS cosine,
       COLLECT { MATCH (d)-[:ABOUT]->(e:Entity) RETURN e.id } AS entities,
       COLLECT { MATCH (d)-[:ABOUT]->(:Entity)-[:HAS_CUI|MEANS]->(c:Concept) RETURN DISTINCT c.cui } AS concepts
