// name: told_documents
// Documents of what relations tell, with the concept that each is about, its names with the sources that give them,
// and what questions were made with.
// :param after => ''
// :param limit => 500
// returns: id, section, kind, concept, label, title, names, asked
MATCH (d:Document {source: 'graph'})
WHERE d.id > $after
WITH d ORDER BY d.id LIMIT $limit
MATCH (d)-[:HAS_SECTION]->(s:Section {position: 1})
WITH d, s, substring(d.id, size('graph:'), size(d.id) - size('graph:') - size(split(d.id, '/')[-1]) - 1) AS concept
OPTIONAL MATCH (c:Concept {cui: concept})
RETURN d.id AS id, s.id AS section, s.type AS kind, concept, coalesce([l IN labels(c) WHERE l <> 'Concept'][0], '') AS label, d.title AS title,
       COLLECT {
         MATCH (c)<-[:MEANS]-(e:Entity)
         WITH e, COLLECT { MATCH (e)-[:FROM]->(o:Source) RETURN o.id ORDER BY o.id } AS sources
         UNWIND [e.name] + coalesce(e.synonyms, []) AS name
         WITH name, sources ORDER BY name, sources
         RETURN {name: name, sources: sources}
       } AS names,
       coalesce(s.asked, '') AS asked
ORDER BY id
