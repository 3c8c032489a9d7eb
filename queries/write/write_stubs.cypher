// name: write_stubs
// Makes stubs of entities that are to be pointed to and that the graph does not have.
// :param ids => ['medquad:asthma']
// returns:
UNWIND $ids AS id
OPTIONAL MATCH (old:Entity {id: id})
WITH id WHERE old IS NULL
CREATE (:Entity:Stub {id: id})
