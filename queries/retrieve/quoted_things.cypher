// name: quoted_things
// Concepts and terms that quoted spans name, whatever they say of them.
// :param passages => [{section: 'sample:gout#6', start: 0, end: 400}]
// returns: thing
UNWIND $passages AS p
MATCH (s:Section {id: p.section})
CALL (s, p) {
  MATCH (s)-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->(x:Concept)
  WHERE m.start >= p.start AND m.end <= p.end
  RETURN x
  UNION
  MATCH (s)-[m:TELLS_OF]->(x:Term)
  WHERE m.start >= p.start AND m.end <= p.end
  RETURN x
}
RETURN DISTINCT coalesce(x.cui, x.id) AS thing ORDER BY thing
