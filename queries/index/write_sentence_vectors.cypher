// name: write_sentence_vectors
// Keeps the vectors of sections' sentences with them, packed: start, end, scale and a byte a number of each.
// :param rows => [{id: 'a1#1', vectors: null}]
// :param model => '1:all-MiniLM-L6-v2'
// returns:
UNWIND $rows AS row
MATCH (s:Section {id: row.id})
SET s.sentence_model = $model, s.sentence_vectors = row.vectors
