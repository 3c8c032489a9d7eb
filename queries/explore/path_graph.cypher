// name: path_graph
// What joins some concepts and terms, as a picture: every relation between two of them. The ids are those of a path, as `paths` gives them.
// :param ids => ["C0004238", "C0018801", "C1956346"]
// :param limit => 100
// returns: path
MATCH path = (c:Concept)-[]->(x:Concept|Term)
WHERE c.cui IN $ids AND coalesce(x.cui, x.id) IN $ids
RETURN path LIMIT $limit
