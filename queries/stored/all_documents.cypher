// name: all_documents
// Every document of sources.
// :param sources => ['medquad']
// returns: id
MATCH (s:Source)<-[:FROM]-(d:Document)
WHERE s.id IN $sources
RETURN d.id AS id
