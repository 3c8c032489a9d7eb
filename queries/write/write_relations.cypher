// name: write_relations
// Stores relations between entities, one for each source that states it.
// :param rows => [{subject: 'sample:asthma', type: 'IS_A', object: 'sample:respiratory-disease'}]
// :param source => 'sample'
// :param load => 'a load id'
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (a:Entity {id: row.subject})
MATCH (b:Entity {id: row.object})
MERGE (a)-[r:$(row.type) {source: $source}]->(b)
SET r.load = $load, r.method = 'stated'
