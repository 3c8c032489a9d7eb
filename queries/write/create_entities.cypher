// name: create_entities
// Stores entities that no source has stated before, and tells the numbers of the other rows. No id stands twice among the rows.
// :param groups => [{source: 'medquad', rows: [{number: 0, id: 'medquad:asthma', label: 'Disease', hash: 1, statement: {name: 'Asthma'}}]}]
// :param load => 1
// returns: number
CYPHER 25
UNWIND $groups AS group
MATCH (s:Source {id: group.source})
// All of them hang on their source, which is locked first: batches that lock it halfway stand in each other's way.
SET s.id = group.source
WITH s, group
UNWIND group.rows AS row
OPTIONAL MATCH (old:Entity {id: row.id})
USING INDEX SEEK old:Entity(id)
CALL (s, row, old) {
  WITH s, row, old WHERE old IS NULL
  CREATE (e:Entity)-[:FROM {hash: row.hash, load: $load, seen: $load}]->(s)
  SET e = row.statement, e.id = row.id, e.sources = [s.id], e:$(row.label)
}
WITH row, old WHERE old IS NOT NULL
RETURN row.number AS number
