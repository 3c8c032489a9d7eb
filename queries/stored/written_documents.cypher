// name: written_documents
// Documents that a load wrote, a page at a time.
// :param sources => ['medquad']
// :param load => 1
// :param limit => 500
// returns: id
MATCH (s:Source)<-[f:FROM {load: $load}]-(d:Document)
WHERE s.id IN $sources
RETURN d.id AS id
LIMIT $limit
