// name: find_entities
// Entities of these ids, and those whose names hold such words: what is called exactly so first, then the best matches.
// :param ids => ['sample:gout']
// :param text => 'gout'
// :param lucene => 'name:"gout" synonyms:"gout"'
// :param limit => 10
// returns: id, label, name, synonyms, matched, documents, concepts
CALL () {
  MATCH (e:Entity) WHERE e.id IN $ids
  RETURN e, e.id AS matched, 0 AS rank, 0.0 AS score
  UNION ALL
  CALL db.index.fulltext.queryNodes('entity_name', $lucene) YIELD node AS e, score
  WITH e, score, toLower($text) AS wanted
  WITH e, score, [name IN [e.name] + coalesce(e.synonyms, []) WHERE toLower(name) = wanted][0] AS matched
  RETURN e, matched, CASE WHEN matched IS NULL THEN 2 ELSE 1 END AS rank, score
}
WITH e, matched, rank, score ORDER BY rank, score DESC, e.id
WITH e, collect({matched: matched, rank: rank, score: score})[0] AS best
ORDER BY best.rank, best.score DESC, e.id LIMIT $limit
RETURN e.id AS id, coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity') AS label, e.name AS name,
       coalesce(e.synonyms, []) AS synonyms, best.matched AS matched,
       COUNT { MATCH (e)<-[:ABOUT]-(d:Document) RETURN DISTINCT d } AS documents,
       COLLECT { MATCH (e)-[:HAS_CUI]->(c:Concept) RETURN DISTINCT c.cui AS cui ORDER BY cui } AS concepts
ORDER BY best.rank, best.score DESC, id
