// name: names_content
// What tells whether entities, mappings between them, or how many documents are about each may have changed: by loads and
// when these ended; and whose word goes first.
// returns: entities, documents
CALL () {
  MATCH (:Entity)-[f:FROM]->(s:Source)
  RETURN s.id + ' ' + coalesce(s.standing, '') AS kind, f.load AS load, count(*) AS count
  UNION ALL
  MATCH (:Entity)-[r:EXACT_MATCH]->(:Entity)
  RETURN 'matches' AS kind, r.load AS load, count(*) AS count
}
OPTIONAL MATCH (l:Load {id: load})
WITH kind, load, count, l ORDER BY kind, load
WITH collect(kind + ' ' + coalesce(load, 0) + ' ' + count + ' ' + coalesce(toString(l.finished), '')) AS told
CALL () {
  MATCH (e:Entity)<-[:ABOUT]-(:Document)
  WITH DISTINCT e
  WITH COUNT { MATCH (e)<-[:ABOUT]-(d:Document) RETURN DISTINCT d } AS documents,
       reduce(sum = 0, hash IN COLLECT { MATCH (e)-[f:FROM]->(:Source) RETURN f.hash } | sum + abs(hash % 1000003)) AS hash
  RETURN count(*) + ' ' + coalesce(sum(CASE WHEN documents < 9 THEN documents ELSE 9 END * (1 + hash)), 0) AS documents
}
RETURN reduce(all = '', one IN told | all + one + ', ') AS entities, documents
