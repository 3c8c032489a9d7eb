// name: find_entities
// Entities of these ids, and those whose names hold such words: what is called exactly so first, then the best matches.
// :param ids => ["sample:gout"]
// :param text => 'gout'
// :param lucene => 'name:"gout" synonyms:"gout"'
// :param lucene_others => 'narrow_synonyms:"gout" broad_synonyms:"gout" related_synonyms:"gout"'
// :param lucene_ids => 'alternative_ids:"sample:gout" xrefs:"sample:gout"'
// :param lucene_translations => 'translations:"gicht"'
// :param limit => 10
// returns: id, label, name, synonyms, matched, matched_by, documents, concepts, obsolete, concept, told, sources, other_names
CALL () {
  MATCH (e:Entity) WHERE e.id IN $ids
  RETURN e, e.id AS matched, 'id' AS by, 0 AS rank, 0.0 AS score
  UNION ALL
  CALL db.index.fulltext.queryNodes('entity_other_id', $lucene_ids, {limit: $limit}) YIELD node AS e, score
  WITH e, [id IN coalesce(e.alternative_ids, []) WHERE id IN $ids][0] AS former
  RETURN e, coalesce(former, [id IN e.xrefs WHERE id IN $ids][0]) AS matched,
         CASE WHEN former IS NULL THEN 'xref' ELSE 'alternative_id' END AS by,
         CASE WHEN former IS NULL THEN 4 ELSE 1 END AS rank, 0.0 AS score
  UNION ALL
  MATCH (c:Concept)<-[:HAS_CUI]-(e:Entity) WHERE c.cui IN [id IN $ids | replace(id, 'UMLS:', '')]
  RETURN DISTINCT e, c.cui AS matched, 'concept' AS by, 5 AS rank, 0.0 AS score
  UNION ALL
  CALL db.index.fulltext.queryNodes('entity_name', $lucene) YIELD node AS e, score
  WITH e, score, toLower($text) AS wanted
  WITH e, score, toLower(e.name) = wanted AS named,
       [name IN coalesce(e.synonyms, []) WHERE toLower(name) = wanted][0] AS synonym
  RETURN e, CASE WHEN named THEN e.name ELSE synonym END AS matched,
         CASE WHEN named THEN 'name' WHEN synonym IS NOT NULL THEN 'synonym' ELSE '' END AS by,
         CASE WHEN named THEN 2 WHEN synonym IS NOT NULL THEN 3 ELSE 7 END AS rank, score
  UNION ALL
  CALL db.index.fulltext.queryNodes('entity_other_name', $lucene_others) YIELD node AS e, score
  WITH e, score, toLower($text) AS wanted
  UNWIND [['narrow_synonym', e.narrow_synonyms], ['broad_synonym', e.broad_synonyms],
          ['related_synonym', e.related_synonyms]] AS kind
  WITH e, score, kind[0] AS by, [name IN coalesce(kind[1], []) WHERE toLower(name) = wanted][0] AS matched
  RETURN e, matched, CASE WHEN matched IS NULL THEN '' ELSE by END AS by,
         CASE WHEN matched IS NULL THEN 8 ELSE 6 END AS rank, score
  UNION ALL
  CALL db.index.fulltext.queryNodes('entity_translation', $lucene_translations, {limit: $limit}) YIELD node AS e, score
  WITH e, score, [name IN e.translations WHERE toLower(name) STARTS WITH toLower($text) + '@'][0] AS matched
  RETURN e, matched, CASE WHEN matched IS NULL THEN '' ELSE 'translation' END AS by,
         CASE WHEN matched IS NULL THEN 9 ELSE 5 END AS rank, score
}
WITH e, matched, by, rank, score ORDER BY rank, score DESC, e.id
WITH e, collect({matched: matched, by: by, rank: rank, score: score})[0] AS best
ORDER BY best.rank, best.score DESC, e.id LIMIT $limit
CALL (e) {
  RETURN e AS same
  UNION
  MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(same:Entity)
  RETURN same
}
WITH e, best, collect(same) AS all
RETURN e.id AS id, coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity') AS label, coalesce(e.name, e.id) AS name,
       coalesce(e.synonyms, []) AS synonyms, best.matched AS matched, best.by AS matched_by,
       COUNT { MATCH (e)<-[:ABOUT]-(d:Document) RETURN DISTINCT d } AS documents,
       COLLECT { MATCH (e)-[:HAS_CUI]->(c:Concept) RETURN DISTINCT c.cui AS cui ORDER BY cui } AS concepts,
       coalesce(e.obsolete, false) AS obsolete,
       coalesce(COLLECT { MATCH (e)-[:MEANS]->(c:Concept) RETURN c.cui }[0], e.id) AS concept,
       COUNT { UNWIND all AS same MATCH (same)<-[:ABOUT]-(d:Document) RETURN DISTINCT d } AS told,
       COLLECT { UNWIND all AS same MATCH (same)-[:FROM]->(s:Source) RETURN DISTINCT s.id ORDER BY s.id } AS sources,
       {narrow_synonym: coalesce(e.narrow_synonyms, []), broad_synonym: coalesce(e.broad_synonyms, []),
        related_synonym: coalesce(e.related_synonyms, []), translation: coalesce(e.translations, [])} AS other_names
ORDER BY best.rank, best.score DESC, id
