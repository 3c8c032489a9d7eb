// name: write_about
// Links documents to the entities they are about.
// :param rows => [{document: 'medquad:GARD_0000001', entity: 'medquad:asthma'}]
// :param source => 'medquad'
// returns:
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
MATCH (e:Entity {id: row.entity})
MERGE (d)-[:ABOUT {source: $source}]->(e)
