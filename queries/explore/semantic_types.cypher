// name: semantic_types
// How many entities each UMLS semantic type has, and some of them.
// returns: semantic_type, entities, examples
MATCH (e:Entity)-[h:HAS_CUI]->(:Concept)
UNWIND h.semantic_types AS semantic_type
WITH semantic_type, e ORDER BY e.name
RETURN semantic_type, count(DISTINCT e) AS entities, collect(DISTINCT e.name)[..5] AS examples
ORDER BY entities DESC, semantic_type
