// name: semantic_types
// How many entities each UMLS semantic type has, and some of them.
// returns: semantic_type, entities, examples
MATCH (e:Entity)-[h:HAS_CUI]->(:Concept)
UNWIND h.semantic_types AS semantic_type
WITH semantic_type, e ORDER BY coalesce(e.name, e.id)
RETURN semantic_type, count(DISTINCT e) AS entities, collect(DISTINCT coalesce(e.name, e.id))[..5] AS examples
ORDER BY entities DESC, semantic_type
