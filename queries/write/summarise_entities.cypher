// name: summarise_entities
// Makes entities what their sources state of them: the only one's words, or everything that several say, where the word of
// the source of the highest standing goes first: the one that a curator has ranked lower than 5, then the vocabulary whose
// own prefix it is, its newest release first, then the one of the lowest rank, the newest first. An entity that no source
// names is a stub; one that nobody states and nobody points to is removed.
// :param ids => ['medquad:asthma']
// returns: removed, stubs
CYPHER 25
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
SET e.id = id // which locks it
WITH DISTINCT e
CALL (e) {
  OPTIONAL MATCH (e)-[f:FROM]->(s:Source)
  WITH f, s, split(e.id, ':')[0] IN coalesce(s.prefixes, []) AS owned
  ORDER BY f.label = 'Stub', coalesce(s.curated_rank, 5), NOT owned, CASE WHEN owned THEN s.released END DESC,
           coalesce(s.rank, 5), coalesce(s.released, '') DESC, s.id
  RETURN [t IN collect(f {.*, source: s.id}) WHERE t IS NOT NULL] AS told
}
WITH e, told, size(told) = 0 AND EXISTS { (e)--(:Entity) } AS stub
CALL (e, told, stub) {
  WITH e, told, stub WHERE size(told) = 0 AND NOT stub
  DETACH DELETE e
}
CALL (e, stub) {
  WITH e, stub WHERE stub
  WITH e, e.id AS id
  REMOVE e:$([l IN labels(e) WHERE l <> 'Entity'])
  SET e = {id: id}, e:Stub
}
CALL (e, told) {
  WITH e, told WHERE size(told) > 0 AND (size(told) > 1 OR told[0].label IS NOT NULL)
  WITH e, told, e.id AS id
  REMOVE e:$([l IN labels(e) WHERE l <> 'Entity'])
  SET e = {}
  FOREACH (t IN reverse(told) | SET e += t)
  SET e += {id: id, label: null, source: null, hash: null, load: null, seen: null},
      e:$(told[0].label),
      e.sources = COLLECT { UNWIND told AS t RETURN t.source ORDER BY t.source }
  WITH e, told, coalesce(e.name, '') AS name WHERE size(told) > 1
  SET e.synonyms = reduce(all = [], t IN told | all + [x IN [t.name] + coalesce(t.synonyms, []) WHERE NOT x IN all AND x <> name]),
      e.narrow_synonyms = reduce(all = [], t IN told | all + [x IN coalesce(t.narrow_synonyms, []) WHERE NOT x IN all]),
      e.broad_synonyms = reduce(all = [], t IN told | all + [x IN coalesce(t.broad_synonyms, []) WHERE NOT x IN all]),
      e.related_synonyms = reduce(all = [], t IN told | all + [x IN coalesce(t.related_synonyms, []) WHERE NOT x IN all]),
      e.translations = reduce(all = [], t IN told | all + [x IN coalesce(t.translations, []) WHERE NOT x IN all]),
      e.xrefs = reduce(all = [], t IN told | all + [x IN coalesce(t.xrefs, []) WHERE NOT x IN all]),
      e.alternative_ids = reduce(all = [], t IN told | all + [x IN coalesce(t.alternative_ids, []) WHERE NOT x IN all]),
      e.semantic_types = reduce(all = [], t IN told | all + [x IN coalesce(t.semantic_types, []) WHERE NOT x IN all]),
      e.obsolete = told[0].obsolete,
      e.replaced_by = told[0].replaced_by
  SET e += {
    synonyms: CASE e.synonyms WHEN [] THEN null ELSE e.synonyms END,
    narrow_synonyms: CASE e.narrow_synonyms WHEN [] THEN null ELSE e.narrow_synonyms END,
    broad_synonyms: CASE e.broad_synonyms WHEN [] THEN null ELSE e.broad_synonyms END,
    related_synonyms: CASE e.related_synonyms WHEN [] THEN null ELSE e.related_synonyms END,
    translations: CASE e.translations WHEN [] THEN null ELSE e.translations END,
    xrefs: CASE e.xrefs WHEN [] THEN null ELSE e.xrefs END,
    alternative_ids: CASE e.alternative_ids WHEN [] THEN null ELSE e.alternative_ids END,
    semantic_types: CASE e.semantic_types WHEN [] THEN null ELSE e.semantic_types END
  }
}
CALL (e, told) {
  WITH e, told WHERE size(told) = 1 AND told[0].label IS NOT NULL
  MATCH (e)-[f:FROM]->(:Source)
  SET f = {hash: f.hash, load: f.load, seen: f.seen}
}
WITH size(told) = 0 AS gone, stub
RETURN count(CASE WHEN gone AND NOT stub THEN 1 END) AS removed, count(CASE WHEN stub THEN 1 END) AS stubs
