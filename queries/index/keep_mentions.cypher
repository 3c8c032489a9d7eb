// name: keep_mentions
// Notes that sections mention by other names what they mentioned, and tell of the same terms. What follows from them may follow
// otherwise, as concepts have changed.
// :param rows => [{section: 'a1#1', given: '0a1b'}]
// :param names => '1:abc'
// returns:
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
SET s.linked = $names + ' ' + row.given
WITH s
CALL (s) {
  MATCH (s)-[:TELLS_OF]->(t:Term)
  SET t.stale = true
}
WITH collect(s) AS kept
UNWIND kept AS s
MATCH (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Entity&(Disease|Drug))-[:MEANS]->(head:Concept)
WITH DISTINCT head
SET head.stale = true
