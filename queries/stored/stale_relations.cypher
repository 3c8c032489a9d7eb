// name: stale_relations
// Relations that a source stated in earlier loads and not in this one.
// :param sources => ['medquad']
// :param load => 1
// returns: subject, type, object, source, predicate
MATCH (a:Entity)-[r]->(b:Entity)
WHERE r.source IN $sources AND r.seen <> $load AND r.hash IS NOT NULL
RETURN a.id AS subject, type(r) AS type, b.id AS object, r.source AS source, r.predicate AS predicate
