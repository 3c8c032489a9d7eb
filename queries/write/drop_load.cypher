// name: drop_load
// Forgets a load that has stored nothing: its source has the facts of the load before again, or goes with its first one.
// :param load => 2
// returns: dropped
MATCH (l:Load {id: $load})-[:FROM]->(s:Source)
WHERE l.added + l.changed + l.unchanged + l.withdrawn = 0
OPTIONAL MATCH (old:Load)-[:FROM]->(s)
WHERE old <> l AND old.status <> 'undone'
WITH l, s, old ORDER BY old.id DESC LIMIT 1
DETACH DELETE l
SET s += CASE WHEN old IS NULL THEN {} ELSE old {.title, .version, .licence, .url, .citation, .rank, .prefixes, .namespaces, .released, .table} END
WITH s
CALL (s) {
  WITH s WHERE NOT EXISTS { (s)--() }
  DELETE s
}
RETURN count(*) AS dropped
