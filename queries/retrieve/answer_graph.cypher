// name: answer_graph
// The sections that an answer quotes: of what kind, whose, and what they say.
// :param sections => ['sample:gout#6', 'sample:gout#2']
// returns: section, type, question, source, text
UNWIND $sections AS id
MATCH (d:Document)-[:HAS_SECTION]->(s:Section {id: id})
RETURN s.id AS section, coalesce(s.type, '') AS type, coalesce(s.question, '') AS question,
       CASE WHEN d.collection <> '' THEN d.collection ELSE d.source END AS source,
       s.text AS text
