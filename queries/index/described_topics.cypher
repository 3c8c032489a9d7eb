// name: described_topics
// The next topics that documents are about and whose titles were not looked up by these names, in the order of their ids, with the concept that each stands for itself.
// :param names => '1:abc'
// :param after => ''
// :param limit => 2000
// returns: id, name, concept
MATCH (t:Entity&Topic)
WHERE t.id > $after AND t.name IS NOT NULL AND EXISTS { (t)<-[a:ABOUT]-(:Document) WHERE a.named IS NULL OR a.named <> $names }
WITH t ORDER BY t.id LIMIT $limit
RETURN t.id AS id, t.name AS name, COLLECT { MATCH (t)-[:MEANS]->(c:Concept) RETURN c.cui }[0] AS concept
ORDER BY id
