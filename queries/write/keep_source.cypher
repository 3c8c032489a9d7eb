// name: keep_source
// Keeps what is recorded of a part of a source, before a load changes it for the first time, so that it can be taken back.
// :param row => {kind: 'SourceInfo', key: 'umls-msh', source: 'umls', record: '{}', hash: 0, load: 2}
// returns:
MATCH (l:Load {id: $row.load})
WHERE NOT EXISTS { (l)<-[:BEFORE]-(:Former {kind: $row.kind, key: $row.key}) }
CREATE (f:Former)-[:BEFORE]->(l)
SET f = $row
