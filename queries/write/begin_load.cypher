// name: begin_load
// Notes the start of a load, or takes up the newest one of the source if it is of the same file
// and the same facts and did not finish.
// :param source => {id: 'medquad', title: 'MedQuAD', version: '2019-10', licence: 'CC-BY-4.0', url: '', citation: '', rank: 5}
// :param load => {file: 'medquad.zip', sha256: 'abc', reading: '', medgraph: '0.1.0', replace: false, loader: 'medquad'}
// :param standing => ' 5 5'
// returns: id, position, ahead, added, changed, unchanged, rejected, remarks, resumed
CYPHER 25
MERGE (s:Source {id: $source.id})
ON CREATE SET s.standing = $standing
SET s += $source
WITH s
OPTIONAL MATCH (old:Load)-[:FROM]->(s)
WHERE old.status <> 'undone'
WITH s, old ORDER BY old.id DESC LIMIT 1
CALL (s, old) {
  WHEN old.status = 'running' AND all(key IN keys($load) WHERE old[key] = $load[key])
    AND all(key IN keys($source) WHERE key = 'id' OR $source[key] IS NULL OR old[key] = $source[key]) THEN {
    RETURN old AS l, true AS resumed
  }
  ELSE {
    OPTIONAL MATCH (other:Load)
    WITH s, coalesce(max(other.id), 0) + 1 AS id
    CREATE (new:Load)-[:FROM]->(s)
    SET new = $source, new += $load, new.id = id, new.source = s.id, new.status = 'running', new.started = datetime(), new.position = 0,
        new.ahead = [], new.added = 0, new.changed = 0, new.unchanged = 0, new.rejected = 0, new.remarks = 0,
        new.withdrawn = 0, new.stubs = 0, new.lacked = []
    RETURN new AS l, false AS resumed
  }
}
RETURN l.id AS id, l.position AS position, l.ahead AS ahead, l.added AS added, l.changed AS changed,
       l.unchanged AS unchanged, l.rejected AS rejected, l.remarks AS remarks, resumed
