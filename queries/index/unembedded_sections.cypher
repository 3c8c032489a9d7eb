// name: unembedded_sections
// The next sections whose sentences to embed, in the order of their ids.
// :param model => '1:all-MiniLM-L6-v2'
// :param after => ''
// :param limit => 200
// returns: id, title, text
MATCH (s:Section)
WHERE s.id > $after AND (s.sentence_model IS NULL OR s.sentence_model <> $model)
RETURN s.id AS id, s.title AS title, s.text AS text
ORDER BY s.id LIMIT $limit
