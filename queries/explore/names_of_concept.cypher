// name: names_of_concept
// What each source calls a concept, and by what its entities came to it.
// :param concept => 'C0018099'
// returns: source, entity, label, name, synonyms, method, score, evidence
MATCH (c:Concept {cui: $concept})<-[m:MEANS]-(e:Entity)-[:FROM]->(s:Source)
RETURN s.id AS source, e.id AS entity, [l IN labels(e) WHERE l <> 'Entity'][0] AS label, e.name AS name,
       coalesce(e.synonyms, [])[..10] AS synonyms, m.method AS method, m.score AS score, m.evidence AS evidence
ORDER BY source, entity
