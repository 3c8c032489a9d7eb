// name: write_chunks
// Replaces the chunks of sections; one that stays the same keeps its embedding. Sections of labels of one medicine that say the same have one voice.
// :param rows => [{section: 'a1#1', voice: null, chunks: [{id: 'abc', position: 1, start: 0, end: 20, text: 'Asthma is …'}]}]
// :param cut => '1:256'
// returns:
UNWIND $rows AS row
MATCH (s:Section {id: row.section})<-[:HAS_SECTION]-(d:Document)
SET s.chunked = $cut, s.voice = row.voice
WITH s, d, row
CALL (s, row) {
  MATCH (s)-[:HAS_CHUNK]->(old:Chunk)
  OPTIONAL MATCH (old)-[next:NEXT]-()
  DELETE next
  WITH old WHERE NOT old.id IN [c IN row.chunks | c.id]
  DETACH DELETE old
}
CALL (s, d, row) {
  UNWIND row.chunks AS c
  MERGE (n:Chunk {id: c.id})
  SET n.position = c.position, n.start = c.start, n.end = c.end, n.text = c.text,
      n.document = d.id, n.title = s.title, n.type = s.type, n.source = s.source, n.collection = s.collection, n.published = s.published
  MERGE (s)-[:HAS_CHUNK]->(n)
  WITH n ORDER BY c.position
  WITH collect(n) AS nodes
  UNWIND range(1, size(nodes) - 1) AS i
  WITH nodes[i - 1] AS a, nodes[i] AS b
  MERGE (a)-[:NEXT]->(b)
}
