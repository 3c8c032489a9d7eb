// name: write_documents
// Stores documents with their source.
// :param rows => [{properties: {id: 'a1', title: 'Asthma', source: 'documents'}, hash: 1}]
// :param load => 1
// returns:
UNWIND $rows AS row
MATCH (s:Source {id: row.properties.source})
MERGE (d:Document {id: row.properties.id})
SET d = row.properties
MERGE (d)-[f:FROM]->(s)
SET f.hash = row.hash, f.load = coalesce(row.load, $load), f.seen = coalesce(row.load, $load)
