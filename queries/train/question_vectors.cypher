// name: question_vectors
// Questions that sources ask and a section answers, with their vectors.
// :param after => ''
// :param limit => 1000
// returns: id, section, vector
MATCH (q:Question)-[:ANSWERED_BY]->(s:Section)
WHERE q.id > $after AND q.embedding IS NOT NULL
RETURN q.id AS id, s.id AS section, q.embedding AS vector
ORDER BY id LIMIT $limit
