// name: entity
// One entity as its sources tell it: names, definition, concepts, relations, documents, and others of the same concepts.
// :param id => 'sample:gout'
// :param limit => 25
// returns: id, label, name, synonyms, definition, sources, concepts, relations, documents, same_concept, counts
MATCH (e:Entity {id: $id})
CALL (e) {
  CALL (e) {
    MATCH (e)-[r]->(o:Entity)
    RETURN r, o, 'out' AS direction
    UNION ALL
    MATCH (e)<-[r]-(o:Entity) WHERE o <> e
    RETURN r, o, 'in' AS direction
  }
  WITH r, o, direction ORDER BY type(r), o.name, o.id, r.source
  WITH direction, collect({relation: type(r), direction: direction, id: o.id, label: [l IN labels(o) WHERE l <> 'Entity'][0],
                           name: o.name, source: r.source}) AS told
  ORDER BY direction DESC
  RETURN reduce(all = [], part IN collect(told[..$limit]) | all + part) AS relations,
         reduce(n = 0, part IN collect(told) | n + CASE part[0].direction WHEN 'out' THEN size(part) ELSE 0 END) AS out,
         reduce(n = 0, part IN collect(told) | n + CASE part[0].direction WHEN 'in' THEN size(part) ELSE 0 END) AS in
}
CALL (e) {
  OPTIONAL MATCH (e)-[:HAS_CUI]->(:Concept)<-[h:HAS_CUI]-(o:Entity)
  WHERE o <> e
  WITH o, collect(DISTINCT endNode(h).cui) AS cuis, collect(DISTINCT h.source) AS told,
       COUNT { (o)<-[:ABOUT]-() } AS documents
  ORDER BY documents DESC, o.name, o.id
  WITH collect(CASE WHEN o IS NOT NULL THEN {id: o.id, label: [l IN labels(o) WHERE l <> 'Entity'][0], name: o.name,
                                            concepts: cuis, sources: told} END) AS others
  RETURN others[..$limit] AS same_concept, size(others) AS same
}
RETURN e.id AS id, coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity') AS label, e.name AS name,
       coalesce(e.synonyms, []) AS synonyms, coalesce(e.definition, '') AS definition,
       COLLECT {
         MATCH (e)-[:FROM]->(s:Source)
         RETURN {source: s.id, licence: s.licence, version: s.version} ORDER BY s.id
       } AS sources,
       COLLECT {
         MATCH (e)-[:HAS_CUI]->(c:Concept)
         WITH DISTINCT c ORDER BY c.cui LIMIT $limit
         RETURN {cui: c.cui, name: coalesce(c.name, ''), semantic_types: coalesce(c.semantic_types, [])}
       } AS concepts,
       relations,
       COLLECT {
         MATCH (e)<-[:ABOUT]-(d:Document)
         WITH DISTINCT d, COUNT { (d)-[:HAS_SECTION]->() } AS sections ORDER BY sections DESC, d.id LIMIT $limit
         RETURN {id: d.id, title: d.title, url: coalesce(d.url, ''), source: d.source,
                 collection: coalesce(d.collection, ''),
                 sections: COLLECT { MATCH (d)-[:HAS_SECTION]->(s:Section)
                                     WITH s ORDER BY s.position LIMIT $limit
                                     RETURN {id: s.id, type: coalesce(s.type, ''), heading: coalesce(s.heading, ''),
                                             question: coalesce(s.question, '')} }}
       } AS documents,
       same_concept,
       {relations: out + in,
        relations_out: out,
        relations_in: in,
        documents: COUNT { MATCH (e)<-[:ABOUT]-(d:Document) RETURN DISTINCT d },
        sections: COUNT { MATCH (e)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(s:Section) RETURN DISTINCT s },
        concepts: COUNT { MATCH (e)-[:HAS_CUI]->(c:Concept) RETURN DISTINCT c },
        same_concept: same} AS counts
