// name: counts
// Nodes by label and relations by type, most first.
// returns: kind, name, count
CALL () {
  MATCH (n)
  UNWIND labels(n) AS name
  RETURN 'node' AS kind, name, count(*) AS count
  UNION ALL
  MATCH ()-[r]->()
  RETURN 'relation' AS kind, type(r) AS name, count(*) AS count
}
RETURN kind, name, count
ORDER BY kind, count DESC, name
