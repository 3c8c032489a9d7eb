// name: related_pairs
// Which of some pairs of entities the graph relates in one of some ways, whoever says so; by what each means.
// :param pairs => [{head: 'sample:allopurinol', tail: 'sample:gout'}]
// :param relations => ['HAS_SIDE_EFFECT', 'CAUSED_BY']
// returns: head, tail
UNWIND $pairs AS pair
MATCH (:Entity {id: pair.head})-[:MEANS]->(a:Concept), (:Entity {id: pair.tail})-[:MEANS]->(b:Concept)
WHERE EXISTS { MATCH (a)-[r]-(b) WHERE type(r) IN $relations }
RETURN DISTINCT pair.head AS head, pair.tail AS tail
