// name: document_states
// What is stored of documents about to be written: their source, content hash and load, and section ids that another document has.
// :param rows => [{id: 'medquad:GARD_0000001', sections: ['medquad:GARD_0000001#1'], questions: []}]
// returns: id, source, hash, load, taken
UNWIND $rows AS row
OPTIONAL MATCH (d:Document {id: row.id})-[f:FROM]->(s:Source)
OPTIONAL CALL (row) {
  MATCH (o:Document)-[:HAS_SECTION]->(x:Section)
  WHERE x.id IN row.sections AND o.id <> row.id
  RETURN x.id AS taken LIMIT 1
}
WITH row, f, s, taken WHERE s IS NOT NULL OR taken IS NOT NULL
RETURN row.id AS id, s.id AS source, f.hash AS hash, f.load AS load, taken
