// name: write_question_embeddings
// Stores the vectors of questions, in half the room that a list takes.
// :param rows => [{id: 'medquad:GARD_0000001#1', vector: [0.1, 0.2]}]
// :param model => 'all-MiniLM-L6-v2'
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (q:Question {id: row.id})
SET q.embedding_model = $model
WITH q, row
CALL db.create.setNodeVectorProperty(q, 'embedding', row.vector)
