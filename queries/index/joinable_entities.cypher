// name: joinable_entities
// What is known of entities that may mean the same as others, the next in the order of their ids.
// :param after => ''
// :param limit => 2000
// returns: id, label, name, synonyms, xrefs, cuis, replaced_by, matches, obsolete
MATCH (e:Entity)
WHERE e.id > $after AND e.name IS NOT NULL
WITH e ORDER BY e.id LIMIT $limit
RETURN e.id AS id, [l IN labels(e) WHERE l <> 'Entity'][0] AS label, e.name AS name, coalesce(e.synonyms, []) AS synonyms,
       coalesce(e.xrefs, []) + coalesce(e.alternative_ids, []) AS xrefs,
       COLLECT { MATCH (e)-[:HAS_CUI]->(c:Concept) RETURN DISTINCT c.cui AS cui ORDER BY cui } AS cuis,
       coalesce(e.replaced_by, []) AS replaced_by,
       COLLECT { MATCH (e)-[:EXACT_MATCH]-(o:Entity) RETURN DISTINCT o.id AS other ORDER BY other } AS matches,
       coalesce(e.obsolete, false) AS obsolete
ORDER BY id
