// name: answer_graph
// Where the sections that an answer quotes stand: their documents, what these are about, and whose they are.
// :param sections => ['sample:gout#6', 'sample:gout#2']
// returns: section, type, question, document, title, source, about
UNWIND $sections AS id
MATCH (d:Document)-[:HAS_SECTION]->(s:Section {id: id})
RETURN s.id AS section, coalesce(s.type, '') AS type, coalesce(s.question, '') AS question, d.id AS document,
       d.title AS title, CASE WHEN d.collection <> '' THEN d.collection ELSE d.source END AS source,
       COLLECT {
         MATCH (d)-[:ABOUT]->(e:Entity)
         WITH DISTINCT e ORDER BY e.name, e.id LIMIT 3
         RETURN {id: e.id, label: coalesce([l IN labels(e) WHERE l <> 'Entity'][0], 'Entity'), name: coalesce(e.name, e.id)}
       } AS about
