// name: parts_without_whole
// Sections without a document, chunks without a section, questions that nothing answers, concepts without entities, terms
// that no section tells of, claims that no answer makes, and loads without a source.
// :param source => ''
// :param examples => 5
// mends: `medgraph unload` the source and load it again
// fault: MATCH ()-[r:HAS_SECTION]->() DELETE r
// returns: severity, source, keys, what, count, examples
CALL () {
  MATCH (n:Section) WHERE NOT EXISTS { (n)<-[:HAS_SECTION]-(:Document) }
  RETURN n.id AS id, coalesce(n.source, '') AS source, 'sections without a document' AS what
  UNION ALL
  MATCH (n:Chunk) WHERE NOT EXISTS { (n)<-[:HAS_CHUNK]-(:Section) }
  RETURN n.id AS id, coalesce(n.source, '') AS source, 'chunks without a section' AS what
  UNION ALL
  MATCH (n:Question) WHERE NOT EXISTS { (n)-[:ANSWERED_BY]->(:Section) } AND NOT EXISTS { (n)-[:ANSWERED_AT]->(:Document) }
  RETURN n.id AS id, coalesce(n.source, '') AS source, 'questions without a section or a document' AS what
  UNION ALL
  MATCH (n:Concept) WHERE NOT EXISTS { (n)<-[:HAS_CUI|MEANS]-(:Entity) }
  RETURN n.cui AS id, '' AS source, 'concepts without an entity' AS what
  UNION ALL
  MATCH (n:Term) WHERE NOT EXISTS { (n)<-[:TELLS_OF]-(:Section) }
  RETURN n.id AS id, '' AS source, 'terms that no section tells of' AS what
  UNION ALL
  MATCH (n:Claim) WHERE NOT EXISTS { (n)<-[:MAKES]-(:Answer) }
  RETURN n.id AS id, '' AS source, 'claims without an answer' AS what
  UNION ALL
  MATCH (n:Load) WHERE NOT EXISTS { (n)-[:FROM]->(:Source) }
  RETURN toString(n.id) AS id, coalesce(n.source, '') AS source, 'loads without a source' AS what
}
WITH id, source, what WHERE $source = '' OR source = $source
WITH id, source, what ORDER BY id
RETURN 'error' AS severity, source, [what, source] AS keys, what, count(*) AS count, collect(id)[..$examples] AS examples
