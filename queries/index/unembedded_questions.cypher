// name: unembedded_questions
// The next questions to embed, in the order of their ids.
// :param model => 'all-MiniLM-L6-v2'
// :param after => ''
// :param limit => 1000
// returns: id, text
MATCH (q:Question)
WHERE q.id > $after AND (q.embedding_model IS NULL OR q.embedding_model <> $model)
RETURN q.id AS id, q.text AS text
ORDER BY q.id LIMIT $limit
