// name: write_formers
// Keeps what a load is about to change or withdraw, until the next load of the source, so that it can be taken back.
// :param rows => [{kind: 'entity', key: 'medquad:asthma', source: 'medquad', record: '{}', load: 1}]
// :param load => 2
// returns:
MATCH (l:Load {id: $load})
UNWIND $rows AS row
CREATE (f:Former)-[:BEFORE]->(l)
SET f = row
