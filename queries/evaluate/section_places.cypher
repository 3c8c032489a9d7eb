// name: section_places
// All sections of texts with the document and the collection of each, and what words are looked for in.
// :param after => ''
// :param limit => 1000
// returns: id, document, collection, title, heading, question, text
MATCH (d:Document)-[:HAS_SECTION]->(s:Section)
WHERE s.id > $after AND s.source <> 'graph'
RETURN s.id AS id, d.id AS document, coalesce(s.collection, '') AS collection, coalesce(d.title, '') AS title,
       coalesce(s.heading, '') AS heading, coalesce(s.question, '') AS question, s.text AS text
ORDER BY id LIMIT $limit
