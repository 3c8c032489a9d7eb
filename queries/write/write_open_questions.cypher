// name: write_open_questions
// Stores questions whose answer stands on their document's page only.
// :param rows => [{document: 'medquad:ADAM_0000001', properties: {id: 'medquad:ADAM_0000001#1', text: 'What is …', source: 'medquad'}}]
// returns:
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
USING INDEX SEEK d:Document(id)
MERGE (q:Question {id: row.properties.id})
SET q = row.properties
MERGE (q)-[:ANSWERED_AT]->(d)
