// name: sources
// Sources in the graph with their licence and their newest load.
// returns: source, title, version, rank, prefixes, released, licence, url, part_of, documents, entities, status, finished
MATCH (s:Source)
CALL (s) {
  OPTIONAL MATCH (l:Load)-[:FROM]->(:Source {id: coalesce(s.part_of, s.id)})
  RETURN l ORDER BY l.started DESC LIMIT 1
}
RETURN s.id AS source, s.title AS title, s.version AS version, s.curated_rank AS rank, coalesce(s.prefixes, []) AS prefixes,
       s.released AS released, s.licence AS licence, s.url AS url, s.part_of AS part_of,
       COUNT { (s)<-[:FROM]-(:Document) } AS documents, COUNT { (s)<-[:FROM]-(:Entity) } AS entities,
       l.status AS status, toString(l.finished) AS finished
ORDER BY source
