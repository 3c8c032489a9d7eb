// name: named_entities_of_concepts
// Entities with their names and the concepts that they stand for, the next in the order of their ids.
// :param after => ''
// :param limit => 2000
// returns: id, label, name, synonyms, other_names, concept, concept_name, ids, near, members, documents, obsolete
MATCH (e:Entity)
WHERE e.id > $after AND e.name IS NOT NULL
WITH e ORDER BY e.id LIMIT $limit
OPTIONAL MATCH (e)-[:MEANS]->(c:Concept)
RETURN e.id AS id, [l IN labels(e) WHERE l <> 'Entity'][0] AS label, e.name AS name, coalesce(e.synonyms, []) AS synonyms,
       coalesce(e.narrow_synonyms, []) + coalesce(e.broad_synonyms, []) + coalesce(e.related_synonyms, []) AS other_names,
       coalesce(c.cui, e.id) AS concept, coalesce(c.name, e.name) AS concept_name,
       coalesce(c.ids, [e.id]) AS ids, c.near AS near, COUNT { (c)<-[:MEANS]-() } AS members,
       COUNT { MATCH (e)<-[:ABOUT]-(d:Document) RETURN DISTINCT d } AS documents, coalesce(e.obsolete, false) AS obsolete
ORDER BY id
