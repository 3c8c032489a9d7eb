// name: entity
// One entity as its sources tell it: names, definition, concepts, relations, documents, and others of the same concepts.
// :param id => 'sample:gout'
// :param limit => 25
// :param reserved => ["id", "name", "synonyms", "definition", "sources", "source", "load", "method"]
// returns: id, label, name, synonyms, narrow_synonyms, broad_synonyms, related_synonyms, definition, obsolete, replaced_by, alternative_ids, xrefs, translations, properties, sources, concepts, relations, kinds, documents, same_concept, counts
MATCH (e:Entity {id: $id})
CALL (e) {
  CALL (e) {
    MATCH (e)-[r]->(o:Entity)
    RETURN r, o, 'out' AS direction
    UNION ALL
    MATCH (e)<-[r]-(o:Entity) WHERE o <> e
    RETURN r, o, 'in' AS direction
  }
  WITH direction, type(r) AS relation, r, o ORDER BY o.name, o.id, r.source, r.predicate
  WITH direction, relation, collect({r: r, o: o}) AS told
  ORDER BY direction DESC, relation <> 'IS_A', relation
  RETURN collect({relation: relation, direction: direction, count: size(told), told: told[..$limit]}) AS told
}
CALL (told) { // each kind of relation has its turn, so that a frequent one does not hide the others
  UNWIND told AS kind
  UNWIND range(0, size(kind.told) - 1) AS turn
  WITH kind.direction AS direction, kind.told[turn].r AS r, kind.told[turn].o AS o, turn ORDER BY turn, type(r)
  WITH direction, collect({r: r, o: o})[..$limit] AS shown
  UNWIND shown AS row
  WITH direction, row.r AS r, row.o AS o ORDER BY direction DESC, type(r) <> 'IS_A', type(r), o.name, o.id, r.source, r.predicate
  RETURN collect({relation: type(r), direction: direction, id: o.id, label: [l IN labels(o) WHERE l <> 'Entity'][0],
                  name: coalesce(o.name, o.id), source: r.source, predicate: coalesce(r.predicate, ''), method: coalesce(r.method, ''),
                  evidence: coalesce(r.evidence, []), score: r.score,
                  properties: [key IN keys(r) WHERE NOT key IN $reserved | [key, r[key]]]}) AS relations
}
CALL (e) {
  CALL (e) {
    OPTIONAL MATCH (e)-[:HAS_CUI]->(c:Concept)<-[h:HAS_CUI]-(o:Entity)
    WHERE o <> e AND NOT EXISTS { (e)-[:MEANS]->() } // before concepts are indexed, what sources state is all there is
    RETURN o, c.cui AS cui, [h.source] AS told
    UNION ALL
    OPTIONAL MATCH (e)-[:MEANS]->(c:Concept)<-[:MEANS]-(o:Entity)
    WHERE o <> e
    RETURN o, c.cui AS cui, o.sources AS told
  }
  WITH o, cui, told WHERE o IS NOT NULL
  UNWIND coalesce(told, ['']) AS source
  WITH o, collect(DISTINCT cui) AS cuis, collect(DISTINCT source) AS told, COUNT { (o)<-[:ABOUT]-() } AS documents
  ORDER BY documents DESC, o.name, o.id
  WITH collect({id: o.id, label: [l IN labels(o) WHERE l <> 'Entity'][0], name: coalesce(o.name, o.id), concepts: cuis,
                sources: told}) AS others
  RETURN others[..$limit] AS same_concept, size(others) AS same
}
CALL (e) { // whose documents are its own: all that mean the same
  RETURN e AS about
  UNION
  MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(about:Entity)
  RETURN about
}
WITH e, relations, same_concept, same, told, collect(about) AS abouts
WITH e, relations, same_concept, same, abouts, [kind IN told | {relation: kind.relation, direction: kind.direction,
                                                        count: kind.count}] AS kinds
RETURN e.id AS id, coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity') AS label, coalesce(e.name, e.id) AS name,
       coalesce(e.synonyms, []) AS synonyms, coalesce(e.narrow_synonyms, []) AS narrow_synonyms,
       coalesce(e.broad_synonyms, []) AS broad_synonyms, coalesce(e.related_synonyms, []) AS related_synonyms,
       coalesce(e.definition, '') AS definition, coalesce(e.obsolete, false) AS obsolete,
       COLLECT {
         UNWIND coalesce(e.replaced_by, []) AS other
         OPTIONAL MATCH (o:Entity {id: other})
         RETURN {id: other, name: coalesce(o.name, '')}
       } AS replaced_by,
       coalesce(e.alternative_ids, []) AS alternative_ids, coalesce(e.xrefs, []) AS xrefs,
       coalesce(e.translations, []) AS translations,
       [key IN keys(e) WHERE NOT key IN $reserved | [key, e[key]]] AS properties,
       COLLECT {
         MATCH (e)-[f:FROM]->(s:Source)
         WITH s, CASE WHEN f.label IS NULL THEN properties(e) ELSE properties(f) END AS said
         RETURN {source: s.id, licence: coalesce(s.licence, ''), version: coalesce(s.version, ''),
                 name: coalesce(said.name, ''), synonyms: coalesce(said.synonyms, []),
                 definition: coalesce(said.definition, ''), xrefs: coalesce(said.xrefs, []),
                 translations: coalesce(said.translations, []), obsolete: coalesce(said.obsolete, false)} ORDER BY s.id
       } AS sources,
       COLLECT {
         MATCH (e)-[:HAS_CUI]->(c:Concept)
         WITH DISTINCT c ORDER BY c.cui LIMIT $limit
         RETURN {cui: c.cui, name: coalesce(c.name, ''), semantic_types: coalesce(c.semantic_types, [])}
       } AS concepts,
       relations, kinds,
       COLLECT {
         UNWIND abouts AS about
         MATCH (about)<-[:ABOUT]-(d:Document)
         WITH DISTINCT d, about = e AS own, COUNT { (d)-[:HAS_SECTION]->() } AS sections ORDER BY own DESC, sections DESC, d.id LIMIT $limit
         RETURN {id: d.id, title: d.title, url: coalesce(d.url, ''), source: d.source,
                 collection: coalesce(d.collection, ''),
                 sections: COLLECT { MATCH (d)-[:HAS_SECTION]->(s:Section)
                                     WITH s ORDER BY s.position LIMIT $limit
                                     RETURN {id: s.id, type: coalesce(s.type, ''), heading: coalesce(s.heading, ''),
                                             question: coalesce(s.question, '')} }}
       } AS documents,
       same_concept,
       {relations: reduce(n = 0, kind IN kinds | n + kind.count),
        relations_out: reduce(n = 0, kind IN kinds | n + CASE kind.direction WHEN 'out' THEN kind.count ELSE 0 END),
        relations_in: reduce(n = 0, kind IN kinds | n + CASE kind.direction WHEN 'in' THEN kind.count ELSE 0 END),
        documents: COUNT { UNWIND abouts AS about MATCH (about)<-[:ABOUT]-(d:Document) RETURN DISTINCT d },
        sections: COUNT { UNWIND abouts AS about MATCH (about)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(s:Section) RETURN DISTINCT s },
        concepts: COUNT { MATCH (e)-[:HAS_CUI]->(c:Concept) RETURN DISTINCT c },
        same_concept: same} AS counts
