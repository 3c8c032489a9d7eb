// name: write_documents
// Stores documents with their source.
// :param rows => [{properties: {id: 'a1', title: 'Asthma', source: 'documents'}, hash: 'abc'}]
// :param source => 'documents'
// :param load => 'a load id'
// returns:
MATCH (s:Source {id: $source})
UNWIND $rows AS row
MERGE (d:Document {id: row.properties.id})
SET d = row.properties
MERGE (d)-[f:FROM]->(s)
SET f.hash = row.hash, f.load = $load
