// name: finish_load
// Notes how a load ended, and which collections and section types its source and its parts now have.
// :param load => 1
// :param status => 'finished'
// returns: position, added, changed, unchanged, rejected, remarks, withdrawn, stubs, left
MATCH (l:Load {id: $load})-[:FROM]->(whole:Source)
CALL (whole) {
  MATCH (s:Source) WHERE s.id = whole.id OR s.part_of = whole.id
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
  SET s.collections = collections, s.types = types
  RETURN sum(COUNT { (s)<-[:FROM]-(:Document|Entity) }) AS elements,
         sum(COUNT { (s)<-[f:FROM]-(:Document|Entity) WHERE f.seen <> $load }) AS left
}
SET l.status = $status, l.finished = datetime(), l.elements = elements
RETURN l.position AS position, l.added AS added, l.changed AS changed, l.unchanged AS unchanged,
       l.rejected AS rejected, l.remarks AS remarks, l.withdrawn AS withdrawn, coalesce(l.stubs, 0) AS stubs, left
