// name: unchunked
// The next sections to cut into chunks, in the order of their ids.
// :param cut => '1:256'
// :param after => ''
// :param limit => 500
// returns: id, title, question, heading, text, called, about
MATCH (s:Section)
WHERE s.id > $after AND (s.chunked IS NULL OR s.chunked <> $cut)
RETURN s.id AS id, s.title AS title, coalesce(s.question, '') AS question, coalesce(s.heading, '') AS heading, s.text AS text,
       COLLECT { MATCH (s)<-[:HAS_SECTION]-(d:Document) UNWIND [s.title, coalesce(d.labeler, '')] + coalesce(s.aliases, []) AS name RETURN name } AS called,
       COLLECT { MATCH (s)<-[:HAS_SECTION]-(d:Document)-[:ABOUT]->(e) WHERE d.set_id IS NOT NULL RETURN e.id AS id ORDER BY id } AS about
ORDER BY s.id LIMIT $limit
