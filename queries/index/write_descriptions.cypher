// name: write_descriptions
// Replaces where sections say what their subject is; a place goes with its section.
// :param rows => [{section: 'a1#1', described: {concept: 'C0018099', start: 0, end: 40}}]
// returns:
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
CALL (s) {
  MATCH (s)<-[old:DESCRIBED_IN]-(:Concept)
  DELETE old
}
WITH s, row.described AS described WHERE described IS NOT NULL
MATCH (c:Concept {cui: described.concept})
CREATE (c)-[:DESCRIBED_IN {start: described.start, end: described.end, method: 'overview'}]->(s)
