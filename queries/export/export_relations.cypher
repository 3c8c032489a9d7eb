// name: export_relations
// Every relation between entities that one of some sources states, in the order of subjects, with names of its ends.
// :param sources => ['sample']
// returns: subject, type, object, source, predicate, statement, ends
CYPHER 25
MATCH (a:Entity)
WHERE a.id > '' // which lets the index give them in order
MATCH (a)-[r]->(b:Entity)
WHERE r.source IN $sources
WITH a, r, b, a.id AS subject
RETURN subject, type(r) AS type, b.id AS object, r.source AS source, coalesce(r.predicate, '') AS predicate,
       r {.*, source: null, predicate: null, hash: null, load: null, seen: null} AS statement,
       [x IN [a, b] | [[l IN labels(x) WHERE l <> 'Entity'][0], coalesce(x.name, '')]] AS ends
ORDER BY subject, type, object, source, predicate
