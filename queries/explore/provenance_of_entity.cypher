// name: provenance_of_entity
// Where an entity comes from, by id or name: what each source calls it and says of it, in which release, under which licence,
// and the load that brought it.
// :param name => 'Gout'
// returns: entity, id, source, says, synonyms, definition, xrefs, translations, version, licence, file, loaded
CYPHER 25
CALL () {
  MATCH (e:Entity {id: $name}) RETURN e
  UNION
  MATCH (e:Entity {name: $name}) RETURN e
}
MATCH (e)-[f:FROM]->(s:Source)
OPTIONAL MATCH (l:Load {id: f.load})
WITH e, s, l, CASE WHEN f.label IS NULL THEN properties(e) ELSE properties(f) END AS said
RETURN coalesce(e.name, e.id) AS entity, e.id AS id, s.id AS source, said.name AS says,
       coalesce(said.synonyms, []) AS synonyms, said.definition AS definition, coalesce(said.xrefs, []) AS xrefs,
       coalesce(said.translations, []) AS translations, s.version AS version, s.licence AS licence, l.file AS file,
       toString(l.finished) AS loaded
ORDER BY source, id
