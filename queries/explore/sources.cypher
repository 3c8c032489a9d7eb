// name: sources
// Sources in the graph with their licence and their newest load.
// returns: source, title, version, licence, url, documents, status, finished
MATCH (s:Source)
CALL (s) {
  OPTIONAL MATCH (l:Load)-[:FROM]->(s)
  RETURN l ORDER BY l.started DESC LIMIT 1
}
RETURN s.id AS source, s.title AS title, s.version AS version, s.licence AS licence, s.url AS url,
       COUNT { (s)<-[:FROM]-(:Document) } AS documents, l.status AS status, toString(l.finished) AS finished
ORDER BY source
