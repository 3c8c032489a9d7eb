// name: cross_source_questions
// Questions of one collection with the sections of others that answer the same about the same entity.
// :param source => 'medquad'
// returns: id, question, type, collection, name, synonyms, relevant
MATCH (s:Section)<-[:HAS_SECTION]-(d:Document {source: $source})-[:ABOUT]->(e:Entity)
WHERE s.question <> '' AND s.type <> ''
CALL (s, d, e) {
  MATCH (e)<-[:ABOUT]-(d2:Document)-[:HAS_SECTION]->(x:Section)
  WHERE d2.collection <> d.collection AND x.type = s.type
  RETURN x.id AS other
  UNION
  MATCH (e)-[:HAS_CUI]->(:Concept)<-[:HAS_CUI]-(:Entity)<-[:ABOUT]-(d2:Document)-[:HAS_SECTION]->(x:Section)
  WHERE d2.collection <> d.collection AND x.type = s.type
  RETURN x.id AS other
}
WITH s, d, e, collect(DISTINCT other) AS relevant
RETURN s.id AS id, coalesce(s.question, '') AS question, s.type AS type, d.collection AS collection, e.name AS name,
       coalesce(e.synonyms, []) AS synonyms, relevant
ORDER BY id
