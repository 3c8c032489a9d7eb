// name: provenance_of_entity
// Where an entity comes from: what each source calls it, in which release, under which licence, and the load that brought it.
// :param name => 'Gout'
// returns: entity, id, source, says, version, licence, file, loaded
MATCH (e:Entity {name: $name})-[f:FROM]->(s:Source)
OPTIONAL MATCH (l:Load {id: f.load})
RETURN e.name AS entity, e.id AS id, s.id AS source, coalesce(f.name, e.name) AS says, s.version AS version,
       s.licence AS licence, l.file AS file, toString(l.finished) AS loaded
ORDER BY source, id
