// name: last_load
// The newest load of a source with what was recorded of both, and how many documents of it are in the graph now.
// :param source => 'medquad'
// returns: status, sha256, medgraph, recorded, records, facts, documents
MATCH (s:Source {id: $source})<-[:FROM]-(l:Load)
WITH s, l ORDER BY l.started DESC LIMIT 1
RETURN l.status AS status, l.sha256 AS sha256, l.medgraph AS medgraph, l.documents AS recorded,
       l.position - l.rejected AS records, s {.id, .title, .version, .licence, .url, .citation} AS facts,
       COUNT { (s)<-[:FROM]-(:Document) } AS documents
