// name: best_described
// Entities of these ids, the best described first: not obsolete, more than a topic, then by documents about it, whether
// it has a definition, relations, and sources that tell of it.
// :param ids => ["sample:gout", "sample:asthma"]
// returns: id, name, label, sources, concept
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WITH DISTINCT e, COUNT { MATCH (e)<-[:ABOUT]-(d:Document) RETURN DISTINCT d } AS documents,
     COUNT { (e)--(:Entity) } AS relations, COLLECT { MATCH (e)-[:FROM]->(s:Source) RETURN s.id ORDER BY s.id } AS sources
ORDER BY coalesce(e.obsolete, false), e:Topic, documents DESC, coalesce(e.definition, '') = '', relations DESC,
         size(sources) DESC, e.id
RETURN e.id AS id, coalesce(e.name, e.id) AS name, coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity') AS label, sources,
       COLLECT { MATCH (e)-[:MEANS]->(c:Concept) RETURN c.cui }[0] AS concept
