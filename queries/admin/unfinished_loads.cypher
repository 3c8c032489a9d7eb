// name: unfinished_loads
// Sources whose newest load has not ended well, with what was loaded and how far it came.
// returns: source, loader, status, file, position, rejected, started
MATCH (s:Source)
CALL (s) {
  MATCH (s)<-[:FROM]-(l:Load)
  WHERE l.status <> 'undone'
  RETURN l ORDER BY l.id DESC LIMIT 1
}
WITH s, l WHERE NOT l.status IN ['finished', 'limited']
RETURN s.id AS source, coalesce(l.loader, s.id) AS loader, l.status AS status, l.file AS file, l.position AS position, l.rejected AS rejected,
       toString(l.started) AS started
ORDER BY source
