// name: write_mentions
// Replaces what the chunks of sections mention; offsets are those of the section's text. The relations of what their documents
// are about are then stale, for `find_relations`.
// :param rows => [{section: 'a1#1', given: '0a1b', mentions: [{chunk: 'abc', concept: 'C0004096', entity: 'DOID:2841', start: 0, end: 6, surface: 'Asthma', method: 'name', score: 1.0, negated: false, uncertain: false, family: false, role: 'symptom', role_score: 0.97, frequency: null, frequency_words: null}]}]
// :param names => '1:abc'
// returns:
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
SET s.linked = $names + ' ' + row.given
WITH s, row
CALL (s) {
  MATCH (s)-[:HAS_CHUNK]->(:Chunk)-[old:MENTIONS]->()
  DELETE old
}
CALL (s) {
  MATCH (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Entity&(Disease|Drug))-[:MEANS]->(head:Concept)
  SET head.stale = true
}
CALL (row) {
  UNWIND row.mentions AS m
  MATCH (chunk:Chunk {id: m.chunk})
  MATCH (c:Concept {cui: m.concept})
  CREATE (chunk)-[:MENTIONS {entity: m.entity, start: m.start, end: m.end, surface: m.surface, method: m.method,
                             score: m.score, negated: m.negated, uncertain: m.uncertain, family: m.family,
                             role: m.role, role_score: m.role_score, frequency: m.frequency,
                             frequency_words: m.frequency_words}]->(c)
}
