// name: all_entities
// Everything that sources state of entities.
// :param sources => ['medquad']
// returns: id, source
MATCH (s:Source)<-[:FROM]-(e:Entity)
WHERE s.id IN $sources
RETURN e.id AS id, s.id AS source
