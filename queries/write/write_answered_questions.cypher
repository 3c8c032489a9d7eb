// name: write_answered_questions
// Stores questions that a section answers.
// :param rows => [{section: 'a1#1', properties: {id: 'a1#1', text: 'What is asthma?', source: 'documents'}}]
// returns:
UNWIND $rows AS row
MATCH (s:Section {id: row.section})
USING INDEX SEEK s:Section(id)
MERGE (q:Question {id: row.properties.id})
SET q = row.properties
MERGE (q)-[:ANSWERED_BY]->(s)
