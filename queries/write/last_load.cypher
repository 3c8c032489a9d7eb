// name: last_load
// The newest finished load of a source, and how many documents of it are in the graph now.
// :param source => 'medquad'
// returns: sha256, medgraph, documents, recorded, position
MATCH (s:Source {id: $source})<-[:FROM]-(l:Load {status: 'finished'})
WITH s, l ORDER BY l.finished DESC LIMIT 1
RETURN l.sha256 AS sha256, l.medgraph AS medgraph, l.documents AS recorded, l.position AS position,
       COUNT { (s)<-[:FROM]-(:Document) } AS documents
