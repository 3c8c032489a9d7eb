// name: write_sentence_vectors
// Keeps the vectors of sections' sentences with them, packed: start, end, scale and a byte a number of each; or those
// of a section that says the same.
// :param rows => [{id: 'a1#1', vectors: null, twin: null}]
// :param model => '1:all-MiniLM-L6-v2'
// returns:
UNWIND $rows AS row
MATCH (s:Section {id: row.id})
OPTIONAL MATCH (twin:Section {id: row.twin}) WHERE twin.sentence_model = $model
WITH s, coalesce(row.vectors, twin.sentence_vectors) AS vectors WHERE vectors IS NOT NULL
SET s.sentence_model = $model, s.sentence_vectors = vectors
