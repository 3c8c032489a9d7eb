// name: entities_of_concept
// Everything that sources call by one UMLS concept, with the sources that say so.
// :param cui => 'C0018099'
// returns: concept, entity, id, labels, source
MATCH (c:Concept {cui: $cui})<-[h:HAS_CUI]-(e:Entity)
RETURN c.name AS concept, coalesce(e.name, e.id) AS entity, e.id AS id, [label IN labels(e) WHERE label <> 'Entity'] AS labels,
       h.source AS source
ORDER BY entity, source
