// name: write_entities
// Stores what sources state of entities, each beside what other sources state; `summarise_entities` has to follow.
// :param rows => [{id: 'medquad:asthma', label: 'Disease', source: 'medquad', hash: 1, statement: {name: 'Asthma'}}]
// :param load => 1
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (s:Source {id: row.source})
MERGE (e:Entity {id: row.id})
SET e.id = row.id // which locks it
WITH row, s, e
CALL (e) {
  // Until a second source comes, the node is what its only source states.
  MATCH (e)-[only:FROM WHERE only.label IS NULL]->(:Source)
  SET only += properties(e)
  SET only.label = [l IN labels(e) WHERE l <> 'Entity'][0], only.id = null, only.sources = null
}
MERGE (e)-[f:FROM]->(s)
SET f = row.statement, f.label = row.label, f.hash = row.hash, f.load = coalesce(row.load, $load),
    f.seen = coalesce(row.load, $load)
