// name: unload_source
// Removes sources with the records of their loads, after everything they contributed is gone.
// :param sources => ['medquad']
// returns: removed
MATCH (s:Source)
WHERE s.id IN $sources
OPTIONAL MATCH (l:Load)-[:FROM]->(s)
OPTIONAL MATCH (former:Former)-[:BEFORE]->(l)
WITH collect(DISTINCT former) + collect(DISTINCT l) + collect(DISTINCT s) AS nodes
UNWIND nodes AS node
DETACH DELETE node
RETURN count(*) AS removed
