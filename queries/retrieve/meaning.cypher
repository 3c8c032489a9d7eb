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
WITH c, {TREATS: 'TREATED_BY', CONTRAINDICATED_IN: 'CONTRAINDICATED_WITH', NARROW_MATCH: 'BROAD_MATCH'} AS inverses LIMIT 1
CALL (c, inverses) {
  CALL (c, inverses) {
    MATCH (c)-[r]-(x:Concept)
    RETURN type(r) AS relation, CASE WHEN startNode(r) = c THEN 'out' ELSE 'in' END AS direction, x,
           size(r.sources) AS sources, r.section_count AS sections, r
    UNION ALL
    MATCH (c)<-[:MEANS]-(e:Entity)-[s]-(x:Entity) // what nobody names, a stub, has no concept and stands for itself
    WHERE NOT EXISTS { (x)-[:MEANS]->() }
    RETURN coalesce(inverses[type(s)], type(s)) AS relation,
           CASE WHEN (startNode(s) = e) = (inverses[type(s)] IS NULL) THEN 'out' ELSE 'in' END AS direction, x,
           count(DISTINCT s.source) AS sources, 0 AS sections, null AS r
  }
  WITH *, coalesce(x.name, x.cui, x.id) AS name
  ORDER BY r.models IS NOT NULL AND r.stated = [], sources DESC, sections DESC, name, coalesce(x.cui, x.id)
  WITH relation, direction, collect({x: x, name: name, r: r}) AS told
  ORDER BY direction DESC, relation <> 'IS_A', relation
  RETURN collect({relation: relation, direction: direction, count: size(told), told: told[..$limit]}) AS all_told
}
CALL (c, inverses, all_told) { // each kind of relation has its turn, so that a frequent one does not hide the others
  UNWIND all_told AS kind
  UNWIND range(0, size(kind.told) - 1) AS turn
  WITH c, inverses, kind, kind.told[turn] AS row, turn ORDER BY turn, kind.relation
  WITH c, inverses, kind.direction AS direction, collect({relation: kind.relation, row: row, turn: turn})[..$limit] AS shown
  UNWIND shown AS one
  WITH c, inverses, direction, one.relation AS relation, one.row AS row, one.turn AS turn
  CALL (c, inverses, direction, relation, row) { // each source in its own word
    WITH c, inverses, direction, relation, row.x AS x
    MATCH (x)<-[:MEANS*0..1]-(o:Entity)-[s]-(e:Entity)-[:MEANS]->(c)
    WHERE coalesce(inverses[type(s)], type(s)) = relation
      AND (type(s) IN ['INTERACTS_WITH', 'COVARIES_WITH', 'ASSOCIATED_WITH', 'RESEMBLES', 'EXACT_MATCH', 'CLOSE_MATCH', 'RELATED_MATCH']
           OR (startNode(s) = e) = ((direction = 'out') = (type(s) = relation)))
    WITH s ORDER BY s.source, s.predicate, s.score DESC
    RETURN collect({sources: [s.source], method: CASE s.knowledge_level WHEN 'prediction' THEN 'predicted' ELSE coalesce(s.method, 'stated') END,
                    predicate: coalesce(s.predicate, ''), score: s.score, evidence: coalesce(s.evidence, []), sections: 0}) AS stated
  }
  WITH direction, relation, row, turn, row.r AS r, stated ORDER BY direction DESC, relation <> 'IS_A', relation, turn
  RETURN collect({relation: relation, direction: direction, concept: coalesce(row.x.cui, row.x.id),
                  name: row.name + coalesce(' (' + row.r.frequency + ')', ''),
                  label: coalesce([l IN labels(row.x) WHERE NOT l IN ['Entity', 'Concept']][0], ''),
                  entity: coalesce(COLLECT { WITH row.x AS x MATCH (x)<-[:MEANS]-(o:Entity)
                                             RETURN o.id ORDER BY toLower(o.name) <> toLower(x.name), o.id LIMIT 1 }[0],
                                   row.x.id, ''),
                  voices: stated + CASE WHEN r.told <> [] THEN [{sources: r.told, method: CASE WHEN r.models IS NULL THEN 'section' ELSE 'model' END, predicate: '', score: r.told_score,
                                                                 evidence: r.sections, sections: r.section_count}] ELSE [] END}) AS relations
}
RETURN c.cui AS id, coalesce(c.name, c.cui) AS name, coalesce([l IN labels(c) WHERE l <> 'Concept'][0], '') AS label, coalesce(c.ids, []) AS ids,
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
