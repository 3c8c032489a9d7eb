// name: stale_entities
// Entities that a source stated in earlier loads and not in this one, a page at a time.
// :param sources => ['medquad']
// :param load => 1
// :param limit => 500
// returns: id, source
MATCH (s:Source)<-[f:FROM]-(e:Entity)
WHERE s.id IN $sources AND f.seen <> $load
RETURN e.id AS id, s.id AS source
LIMIT $limit
