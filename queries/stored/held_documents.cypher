// name: held_documents
// Documents that another source than one has, by that source.
// :param ids => ['PMID:101', 'PMID:102']
// :param source => 'pubmed-gout'
// returns: source, ids
UNWIND $ids AS id
MATCH (d:Document {id: id})-[:FROM]->(s:Source)
WHERE s.id <> $source
RETURN s.id AS source, collect(id) AS ids ORDER BY source
