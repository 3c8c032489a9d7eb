// name: create_new_entities
// Stores entities; if there is one of the same id already, none of them is stored.
// :param groups => [{source: 'medquad', rows: [{id: 'medquad:asthma', label: 'Disease', hash: 1, statement: {name: 'Asthma'}}]}]
// :param load => 1
// returns:
CYPHER 25
UNWIND $groups AS group
MATCH (s:Source {id: group.source})
// All of them hang on their source, which is locked first: batches that lock it halfway stand in each other's way.
SET s.id = group.source
WITH s, group
UNWIND group.rows AS row
CREATE (e:Entity)-[:FROM {hash: row.hash, load: $load, seen: $load}]->(s)
SET e = row.statement, e.id = row.id, e.sources = [group.source], e:$(row.label)
