// name: unload_source
// Removes a source and the records of its loads, after everything it contributed is gone.
// :param source => 'medquad'
// returns: removed
MATCH (s:Source {id: $source})
OPTIONAL MATCH (l:Load)-[:FROM]->(s)
WITH s, collect(l) + [s] AS nodes
UNWIND nodes AS node
DETACH DELETE node
RETURN count(*) AS removed
