// name: concept
// One concept: what it is called, and the entities that stand for it in order of fit: first what is called as it is, then
// what stands for the fewest others, each time the best described first; and documents about all that mean it.
// :param cui => 'C0018099'
// :param limit => 25
// returns: cui, name, names, semantic_types, sources, entities, documents, counts
MATCH (c:Concept {cui: $cui})
CALL (c) {
  MATCH (c)<-[:HAS_CUI]-(e:Entity)
  WITH DISTINCT e, toLower(coalesce(c.name, '')) AS called
  WITH e, coalesce(toLower(e.name) = called, false) OR any(s IN coalesce(e.synonyms, []) WHERE toLower(s) = called) AS fits,
       COUNT { MATCH (e)-[:HAS_CUI]->(o) RETURN DISTINCT o } AS concepts,
       COUNT { MATCH (e)<-[:ABOUT]-(d:Document) RETURN DISTINCT d } AS documents, COUNT { (e)--(:Entity) } AS relations,
       COUNT { (e)-[:FROM]->(:Source) } AS sources
  ORDER BY coalesce(e.obsolete, false), NOT fits, CASE WHEN fits THEN 0 ELSE concepts END, e:Topic, documents DESC,
           coalesce(e.definition, '') = '', relations DESC, sources DESC, e.id
  WITH collect({e: e, fits: fits, concepts: concepts, documents: documents}) AS found
  RETURN found[..$limit] AS shown, size(found) AS count,
         [row IN found WHERE row.fits | [name IN [row.e.name] WHERE name IS NOT NULL] + coalesce(row.e.synonyms, [])] AS called
}
CALL (c) {
  CALL (c) { // before concepts are indexed, what sources state is all there is
    MATCH (c)<-[:MEANS]-(e:Entity)
    RETURN e
    UNION
    MATCH (c)<-[:HAS_CUI]-(e:Entity)
    WHERE NOT EXISTS { (c)<-[:MEANS]-() }
    RETURN e
  }
  MATCH (e)<-[:ABOUT]-(d:Document)
  WITH DISTINCT d, COUNT { (d)-[:HAS_SECTION]->() } AS sections ORDER BY sections DESC, d.id
  WITH collect(d) AS found
  RETURN found[..$limit] AS about, size(found) AS abouts
}
RETURN c.cui AS cui, coalesce(c.name, '') AS name, reduce(all = [], some IN called | all + some) AS names,
       coalesce(c.semantic_types, []) AS semantic_types, coalesce(c.sources, []) AS sources,
       COLLECT {
         UNWIND range(0, size(shown) - 1) AS i
         WITH i, shown[i] AS row, shown[i].e AS e ORDER BY i
         RETURN {id: e.id, name: coalesce(e.name, e.id), label: coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity'),
                 sources: COLLECT { MATCH (e)-[:FROM]->(s:Source) RETURN s.id ORDER BY s.id },
                 documents: row.documents, concepts: row.concepts, obsolete: coalesce(e.obsolete, false)}
       } AS entities,
       COLLECT {
         UNWIND range(0, size(about) - 1) AS i
         WITH i, about[i] AS d ORDER BY i
         RETURN {id: d.id, title: d.title, url: coalesce(d.url, ''), source: d.source, collection: coalesce(d.collection, ''),
                 sections: COLLECT { MATCH (d)-[:HAS_SECTION]->(s:Section)
                                     WITH s ORDER BY s.position LIMIT $limit
                                     RETURN {id: s.id, type: coalesce(s.type, ''), heading: coalesce(s.heading, ''),
                                             question: coalesce(s.question, '')} }}
       } AS documents,
       {entities: count, documents: abouts} AS counts
