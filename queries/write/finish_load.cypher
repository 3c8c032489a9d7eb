// name: finish_load
// Notes how a load ended, and which collections and section types its source now has.
// :param load => 'a load id'
// :param status => 'finished'
// returns:
MATCH (l:Load {id: $load})-[:FROM]->(s:Source)
CALL (s) {
  MATCH (s)<-[:FROM]-(d:Document)
  WHERE d.collection <> ''
  WITH DISTINCT d.collection AS collection ORDER BY collection
  RETURN collect(collection) AS collections
}
CALL (s) {
  CALL (s) {
    MATCH (s)<-[:FROM]-(:Document)-[:HAS_SECTION]->(x:Section)
    RETURN DISTINCT x.type AS type
    UNION
    MATCH (s)<-[:FROM]-(:Document)<-[:ANSWERED_AT]-(x:Question)
    RETURN DISTINCT x.type AS type
  }
  WITH type WHERE type <> '' ORDER BY type
  RETURN collect(type) AS types
}
SET l.status = $status, l.finished = datetime(), l.documents = COUNT { (s)<-[:FROM]-(:Document) },
    s.collections = collections, s.types = types
