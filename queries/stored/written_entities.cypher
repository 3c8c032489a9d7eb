// name: written_entities
// Entities of which a load wrote what a source states, a page at a time.
// :param sources => ['medquad']
// :param load => 1
// :param limit => 500
// returns: id, source
MATCH (s:Source)<-[f:FROM {load: $load}]-(e:Entity)
WHERE s.id IN $sources
RETURN e.id AS id, s.id AS source
LIMIT $limit
