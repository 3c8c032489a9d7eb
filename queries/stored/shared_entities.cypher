// name: shared_entities
// Entities that a source and another one state, a page at a time.
// :param source => 'medquad'
// :param after => ''
// :param limit => 500
// returns: id
MATCH (s:Source {id: $source})<-[:FROM]-(e:Entity)
WHERE e.id > $after AND COUNT { (e)-[:FROM]->() } > 1
RETURN e.id AS id
ORDER BY id LIMIT $limit
