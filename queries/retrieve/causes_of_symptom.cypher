// name: causes_of_symptom
// Diseases that have a symptom, and diseases that cause it, as two sources or more say, one of them in a text, with who says so: those of the
// built-in sample of common conditions first, what vocabularies call rare last. Nothing where the entities mean several concepts.
// :param entities => ['sample:gout']
// :param limit => 24
// returns: concept, object, object_name, label, names, forward, said
MATCH (named:Entity)-[:MEANS]->(meant:Concept) WHERE named.id IN $entities
WITH collect(DISTINCT meant) AS several WHERE size(several) = 1
WITH several[0] AS c
MATCH (c)-[r:HAS_SYMPTOM|CAUSED_BY]-(x:Concept:Disease)
WHERE (startNode(r) = c) = (type(r) = 'CAUSED_BY')
WITH c, x, r, coalesce(r.stated, []) AS stated, coalesce(r.told, []) AS told
WITH c, x, r, stated, told, size(stated) + size([s IN told WHERE NOT s IN stated]) AS voices
WHERE voices > 1 AND told <> []
WITH c, x, r, stated, told, voices ORDER BY voices DESC, r.section_count DESC, toLower(x.name), x.cui, x.id LIMIT $limit
WITH c, x, r, stated, told, voices, coalesce(x.name, x.cui, x.id) AS name,
     EXISTS { MATCH (x)<-[:MEANS]-(e:Entity) WHERE e.id STARTS WITH 'sample:' } AS common,
     EXISTS { MATCH (x)<-[:MEANS]-(e:Entity)
              WHERE 'DO_rare_slim' IN e.subsets OR any(id IN e.xrefs WHERE split(id, ':')[0] IN ['Orphanet', 'ORDO']) } AS rare,
     [voice IN [{relation: type(r), method: 'stated', sources: stated, score: null, evidence: []},
                {relation: type(r), method: CASE WHEN r.models IS NULL THEN 'section' ELSE 'model' END, sources: told, score: r.told_score, evidence: coalesce(r.sections, [])[..5]}]
      WHERE voice.sources <> []] AS said
RETURN coalesce(c.cui, c.id) AS concept, coalesce(x.cui, x.id) AS object, name AS object_name, 'Disease' AS label,
       COLLECT { MATCH (x)<-[:MEANS]-(e:Entity) UNWIND [e.name] + coalesce(e.synonyms, []) AS n
                 WITH DISTINCT n WHERE toLower(n) = toLower(name) RETURN n ORDER BY n } AS names,
       type(r) = 'CAUSED_BY' AS forward,
       [voice IN said | voice {.*, licences: COLLECT {
          UNWIND voice.sources AS id MATCH (s:Source {id: id}) RETURN DISTINCT coalesce(s.licence, '') }}] AS said
ORDER BY common DESC, rare, voices DESC, r.section_count DESC, toLower(name), object
