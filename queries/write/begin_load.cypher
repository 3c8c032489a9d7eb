// name: begin_load
// Notes the start of a load, or takes up the newest one of the source if it is of the same file and did not finish.
// :param source => {id: 'medquad', title: 'MedQuAD', version: '2019-10', licence: 'CC-BY-4.0', url: '', citation: ''}
// :param load => {id: 'a load id', file: 'medquad.zip', sha256: 'abc', medgraph: '0.1.0'}
// returns: id, position, added, changed, unchanged, rejected
CYPHER 25
MERGE (s:Source {id: $source.id})
SET s += $source
WITH s
OPTIONAL MATCH (old:Load)-[:FROM]->(s)
WITH s, old ORDER BY old.started DESC LIMIT 1
CALL (s, old) {
  WHEN old.status = 'running' AND old.sha256 = $load.sha256 AND old.medgraph = $load.medgraph THEN { RETURN old AS l }
  ELSE {
    CREATE (new:Load)-[:FROM]->(s)
    SET new = $load, new.source = s.id, new.status = 'running', new.started = datetime(), new.position = 0,
        new.added = 0, new.changed = 0, new.unchanged = 0, new.rejected = 0
    RETURN new AS l
  }
}
RETURN l.id AS id, l.position AS position, l.added AS added, l.changed AS changed, l.unchanged AS unchanged,
       l.rejected AS rejected
