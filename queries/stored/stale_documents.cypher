// name: stale_documents
// Documents that a source had in earlier loads and not in this one, a page at a time.
// :param sources => ['medquad']
// :param load => 1
// :param limit => 500
// returns: id
MATCH (s:Source)<-[f:FROM]-(d:Document)
WHERE s.id IN $sources AND f.seen <> $load
RETURN d.id AS id
LIMIT $limit
