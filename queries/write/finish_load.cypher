// name: finish_load
// Notes how a load ended, and which collections and section types its source now has.
// :param load => 'a load id'
// :param status => 'finished'
// returns:
MATCH (l:Load {id: $load})-[:FROM]->(s:Source)
SET l.status = $status, l.finished = datetime(), l.documents = COUNT { (s)<-[:FROM]-(:Document) }
WITH s
CALL (s) {
  MATCH (s)<-[:FROM]-(d:Document)
  WITH DISTINCT d.collection AS collection ORDER BY collection
  WITH collect(CASE WHEN collection <> '' THEN collection END) AS collections
  SET s.collections = collections
}
CALL (s) {
  MATCH (s)<-[:FROM]-(:Document)-[:HAS_SECTION]->(x:Section)
  RETURN DISTINCT x.type AS type
  UNION
  MATCH (s)<-[:FROM]-(:Document)<-[:ANSWERED_AT]-(x:Question)
  RETURN DISTINCT x.type AS type
}
WITH s, type ORDER BY type
WITH s, collect(CASE WHEN type <> '' THEN type END) AS types
SET s.types = types
