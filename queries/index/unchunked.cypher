// name: unchunked
// The next sections to cut into chunks, in the order of their ids.
// :param cut => '1:256'
// :param after => ''
// :param limit => 500
// returns: id, title, question, heading, text
MATCH (s:Section)
WHERE s.id > $after AND (s.chunked IS NULL OR s.chunked <> $cut)
RETURN s.id AS id, s.title AS title, coalesce(s.question, '') AS question, coalesce(s.heading, '') AS heading, s.text AS text
ORDER BY s.id LIMIT $limit
