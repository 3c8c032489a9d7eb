// name: review_sides
// What is known of entities that a curator decides on: names, definition, ids elsewhere, documents, and what already
// means the same as each.
// :param ids => ['DOID:13189', 'medquad:gout']
// :param limit => 5
// returns: id, label, name, obsolete, synonyms, other_names, definition, xrefs, concepts, sources, documents, titles, concept, concept_name, members
UNWIND $ids AS id
MATCH (e:Entity {id: id})
OPTIONAL MATCH (e)-[:MEANS]->(c:Concept)
RETURN id, coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity') AS label, coalesce(e.name, id) AS name,
       coalesce(e.obsolete, false) AS obsolete, coalesce(e.synonyms, []) AS synonyms,
       coalesce(e.narrow_synonyms, []) + coalesce(e.broad_synonyms, []) + coalesce(e.related_synonyms, []) AS other_names,
       coalesce(e.definition, '') AS definition, coalesce(e.xrefs, []) + coalesce(e.alternative_ids, []) AS xrefs,
       COLLECT { MATCH (e)-[:HAS_CUI]->(stated:Concept) RETURN DISTINCT stated.cui AS cui ORDER BY cui } AS concepts,
       COLLECT { MATCH (e)-[:FROM]->(s:Source) RETURN DISTINCT s.id AS source ORDER BY source } AS sources,
       COUNT { MATCH (e)<-[:ABOUT]-(d:Document) RETURN DISTINCT d } AS documents,
       COLLECT {
         MATCH (e)<-[:ABOUT]-(d:Document)
         RETURN DISTINCT {title: d.title, url: coalesce(d.url, ''), source: d.source} AS page ORDER BY page.title LIMIT $limit
       } AS titles,
       coalesce(c.cui, id) AS concept, coalesce(c.name, e.name, id) AS concept_name,
       COLLECT {
         MATCH (c)<-[m:MEANS]-(same:Entity)
         WHERE same.id <> id
         RETURN {id: same.id, name: coalesce(same.name, same.id), label: coalesce([l IN labels(same) WHERE l <> 'Entity'][0], 'Entity'),
                 method: m.method, score: m.score, evidence: coalesce(m.evidence, [])} AS member
         ORDER BY member.id
       } AS members
