// name: meaning
// The concept that an entity stands for, or that has the id: what each source calls it and says that it is, why entities
// are joined there, and its relations by all voices, those that most say first.
// :param id => 'sample:gout'
// :param limit => 25
// returns: id, name, label, ids, semantic_types, members, told, relations, kinds
CALL () {
  MATCH (:Entity {id: $id})-[:MEANS]->(c:Concept)
  RETURN c
  UNION
  MATCH (c:Concept {cui: $id})
  RETURN c
}
WITH c LIMIT 1
CALL (c) {
  CALL (c) {
    MATCH (c)<-[:MEANS]-(e:Entity)-[r]-(o:Entity)
    OPTIONAL MATCH (o)-[:MEANS]->(meant:Concept)
    WITH c, e, r, coalesce(meant, o) AS x // what nobody names, a stub, has no concept and stands for itself
    WHERE x <> c
    RETURN type(r) AS relation, CASE WHEN startNode(r) = e THEN 'out' ELSE 'in' END AS direction, x,
           {sources: [r.source], method: coalesce(r.method, 'stated'), predicate: coalesce(r.predicate, ''), score: r.score,
            evidence: coalesce(r.evidence, []), sections: 0} AS voice
    UNION ALL
    MATCH (c)-[r]-(x:Concept)
    WHERE r.method = 'section' AND x <> c
    RETURN type(r) AS relation, CASE WHEN startNode(r) = c THEN 'out' ELSE 'in' END AS direction, x,
           {sources: r.sources, method: r.method, predicate: '', score: r.score * (1 - 0.5 / r.sections),
            evidence: r.evidence, sections: r.sections} AS voice
  }
  WITH relation, direction, x, collect(voice) AS voices
  WITH *, reduce(all = [], voice IN voices | all + [s IN voice.sources WHERE NOT s IN all]) AS sources,
       reduce(n = 0, voice IN voices | n + voice.sections) AS sections, coalesce(x.title, x.name, x.cui, x.id) AS name
  ORDER BY size(sources) DESC, sections DESC, name, coalesce(x.cui, x.id)
  WITH relation, direction, collect({x: x, name: name, voices: voices}) AS told
  ORDER BY direction DESC, relation <> 'IS_A', relation
  RETURN collect({relation: relation, direction: direction, count: size(told), told: told[..$limit]}) AS all_told
}
CALL (all_told) { // each kind of relation has its turn, so that a frequent one does not hide the others
  UNWIND all_told AS kind
  UNWIND range(0, size(kind.told) - 1) AS turn
  WITH kind, kind.told[turn] AS row, turn ORDER BY turn, kind.relation
  WITH kind.direction AS direction, collect({relation: kind.relation, row: row, turn: turn})[..$limit] AS shown
  UNWIND shown AS one
  WITH direction, one.relation AS relation, one.row AS row, one.turn AS turn
  ORDER BY direction DESC, relation <> 'IS_A', relation, turn
  RETURN collect({relation: relation, direction: direction, concept: coalesce(row.x.cui, row.x.id), name: row.name,
                  label: coalesce(row.x.label, [l IN labels(row.x) WHERE NOT l IN ['Entity', 'Concept']][0], ''),
                  entity: coalesce(COLLECT { WITH row.x AS x MATCH (x)<-[:MEANS]-(o:Entity)
                                             RETURN o.id ORDER BY toLower(o.name) <> toLower(coalesce(x.title, x.name)), o.id LIMIT 1 }[0],
                                   row.x.id, ''),
                  voices: row.voices}) AS relations
}
RETURN c.cui AS id, coalesce(c.title, c.name, c.cui) AS name, coalesce(c.label, '') AS label, coalesce(c.ids, []) AS ids,
       coalesce(c.semantic_types, []) AS semantic_types,
       COLLECT {
         MATCH (c)<-[m:MEANS]-(e:Entity)
         RETURN {id: e.id, name: coalesce(e.name, e.id), label: coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity'),
                 method: coalesce(m.method, ''), score: m.score, evidence: coalesce(m.evidence, []),
                 documents: COUNT { MATCH (e)<-[:ABOUT]-(d:Document) RETURN DISTINCT d }, obsolete: coalesce(e.obsolete, false)}
         ORDER BY e.id
       } AS members,
       COLLECT {
         MATCH (c)<-[:MEANS]-(e:Entity)-[f:FROM]->(s:Source)
         WITH e, s, CASE WHEN f.label IS NULL THEN properties(e) ELSE properties(f) END AS said
         RETURN {entity: e.id, source: s.id, licence: coalesce(s.licence, ''), name: coalesce(said.name, ''), synonyms: coalesce(said.synonyms, []),
                 definition: coalesce(said.definition, '')} ORDER BY s.id, e.id
       } AS told,
       relations, [kind IN all_told | {relation: kind.relation, direction: kind.direction, count: kind.count}] AS kinds
