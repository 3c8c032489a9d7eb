// name: path_graph
// What joins some concepts, as a picture: every relation between two of them, by what sources state and sections tell. The ids are those of a path, as `paths` gives them.
// :param ids => ["C0004238", "C0018801", "C1956346"]
// :param limit => 100
// returns: path
MATCH (c:Concept) WHERE c.cui IN $ids
CALL (c) {
  MATCH path = (c)-[r]->(x:Concept)
  WHERE x.cui IN $ids AND r.method = 'section'
  RETURN path
  UNION ALL
  MATCH path = (c)-[r]->(t:Term)<-[s]-(x:Concept)
  WHERE t.id IN $ids AND x.cui IN $ids AND c.cui < x.cui
  RETURN path
  UNION ALL
  MATCH path = (c)<-[:MEANS]-(:Entity)-[r]->(:Entity)-[:MEANS]->(x:Concept)
  WHERE x.cui IN $ids AND x <> c
  RETURN path
}
RETURN path LIMIT $limit
