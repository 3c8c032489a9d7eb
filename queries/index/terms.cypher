// name: terms
// Terms, a page at a time in the order of their ids.
// :param after => ''
// :param limit => 500
// returns: id
MATCH (t:Term)
WHERE t.id > $after
RETURN t.id AS id ORDER BY id LIMIT $limit
