// name: write_about
// Links documents to the entities they are about.
// :param rows => [{document: 'medquad:GARD_0000001', entity: 'medquad:asthma', source: 'medquad', position: 1}]
// returns:
UNWIND $rows AS row
MATCH (d:Document {id: row.document})
USING INDEX SEEK d:Document(id)
MATCH (e:Entity {id: row.entity})
USING INDEX SEEK e:Entity(id)
MERGE (d)-[a:ABOUT {source: row.source}]->(e)
SET a.position = row.position
