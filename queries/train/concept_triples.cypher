// name: concept_triples
// Every relation between two concepts, once, by ids: what sources state of any of their entities, and what sections tell.
// Mappings between vocabularies are left out, as they say nothing of the world, and so are phrases that no vocabulary has.
// returns: head, relation, tail
MATCH (a:Concept)-[r]->(b:Concept)
WHERE NOT type(r) ENDS WITH '_MATCH'
RETURN a.cui AS head, type(r) AS relation, b.cui AS tail
