// name: migrations
// The migrations that were applied to this graph, oldest first.
// returns: version, name, checksum, applied
MATCH (m:Migration)
RETURN m.version AS version, m.name AS name, m.checksum AS checksum, toString(m.applied) AS applied
ORDER BY version
