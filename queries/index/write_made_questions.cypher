// name: write_made_questions
// Replaces the questions that medgraph made for documents of what relations tell, with their vectors.
// :param rows => [{document: 'graph:C0018099/symptoms', section: 'graph:C0018099/symptoms#1', asked: '1', questions: [{id: 'graph:C0018099/symptoms?1', text: 'Can you tell me the symptoms of gout?', name: 'gout', named_by: ['medquad'], origin: 'everyday', likeness: 0.9, rank: 1, vector: [0.1, 0.2]}]}]
// :param model => 'all-MiniLM-L6-v2'
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
MATCH (s:Section {id: row.section})
SET s.asked = row.asked
WITH d, s, row
CALL (d, row) {
  MATCH (d)<-[:ANSWERED_AT]-(old:Question {generated: true})
  WHERE NOT old.id IN [q IN row.questions | q.id]
  DETACH DELETE old
}
CALL (d, s, row) {
  UNWIND row.questions AS made
  MERGE (q:Question {id: made.id})
  SET q = {id: made.id, text: made.text, type: s.type, generated: true, source: d.source, collection: d.collection,
           published: coalesce(d.published, ''), name: made.name, named_by: made.named_by, origin: made.origin, likeness: made.likeness,
           rank: made.rank, embedding: toFloatList(made.vector), embedding_model: $model}
  MERGE (q)-[:ANSWERED_AT]->(d)
}
