// name: write_sections
// Stores sections in their documents.
// :param rows => [{document: 'a1', properties: {id: 'a1#1', text: 'Asthma is …', source: 'documents'}}]
// returns:
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
USING INDEX SEEK d:Document(id)
MERGE (s:Section {id: row.properties.id})
SET s = row.properties
MERGE (d)-[:HAS_SECTION]->(s)
