// name: provenance_of_entity
// Where an entity comes from: source, release, licence, and the load that brought it.
// :param name => 'Gout'
// returns: entity, id, source, version, licence, file, loaded
MATCH (e:Entity {name: $name})-[f:FROM]->(s:Source)
OPTIONAL MATCH (l:Load {id: f.load})
RETURN e.name AS entity, e.id AS id, s.id AS source, s.version AS version, s.licence AS licence, l.file AS file,
       toString(l.finished) AS loaded
ORDER BY source, id
