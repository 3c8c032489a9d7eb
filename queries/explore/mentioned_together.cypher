// name: mentioned_together
// What texts mention in the same chunk as a concept, and how often.
// :param concept => 'C0018099'
// :param label => ''
// :param limit => 25
// returns: concept, name, label, chunks
MATCH (c:Concept {cui: $concept})<-[:MENTIONS]-(k:Chunk)-[:MENTIONS]->(x:Concept)
WHERE x <> c AND ($label = '' OR $label IN labels(x))
RETURN x.cui AS concept, x.name AS name, [l IN labels(x) WHERE l <> 'Concept'][0] AS label, count(DISTINCT k) AS chunks
ORDER BY chunks DESC, name LIMIT $limit
