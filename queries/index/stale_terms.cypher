// name: stale_terms
// Terms of which other sections tell than before, a page at a time in the order of their ids.
// :param after => ''
// :param limit => 500
// returns: id
MATCH (t:Term)
WHERE t.id > $after AND t.stale
RETURN t.id AS id ORDER BY id LIMIT $limit
