// name: stated_entities
// Entities that sources state, a page at a time.
// :param sources => ['medquad']
// :param limit => 1000
// returns: id, source
MATCH (s:Source)<-[:FROM]-(e:Entity)
WHERE s.id IN $sources
RETURN e.id AS id, s.id AS source
LIMIT $limit
