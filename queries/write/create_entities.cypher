// name: create_entities
// Stores entities that no source has stated before, and tells the numbers of the other rows. No id stands twice among the rows.
// :param rows => [{number: 0, id: 'medquad:asthma', label: 'Disease', source: 'medquad', hash: 1, statement: {name: 'Asthma'}}]
// :param load => 1
// returns: number
CYPHER 25
UNWIND $rows AS row
OPTIONAL MATCH (old:Entity {id: row.id})
CALL (row, old) {
  WITH row, old WHERE old IS NULL
  MATCH (s:Source {id: row.source})
  CREATE (e:Entity)-[:FROM {hash: row.hash, load: $load, seen: $load}]->(s)
  SET e = row.statement, e.id = row.id, e.sources = [row.source], e:$(row.label)
}
WITH row, old WHERE old IS NOT NULL
RETURN row.number AS number
