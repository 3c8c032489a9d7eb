// name: written_relations
// Relations that a load wrote.
// :param sources => ['medquad']
// :param load => 1
// returns: subject, type, object, source, predicate
MATCH (a:Entity)-[r {load: $load}]->(b:Entity)
WHERE r.source IN $sources AND r.hash IS NOT NULL
RETURN a.id AS subject, type(r) AS type, b.id AS object, r.source AS source, r.predicate AS predicate
