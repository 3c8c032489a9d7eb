// name: fact_graph
// One fact as a picture: two concepts, or a concept and a term, with every relation between them and the entities that sources state it of.
// :param first => 'C0018801'
// :param second => 'C1956346'
// returns: path
MATCH (a:Concept {cui: $first})
CALL (a) {
  MATCH path = (a)-[]-(x:Concept|Term)
  WHERE $second IN [x.cui, x.id]
  RETURN path
  UNION ALL
  MATCH path = (a)<-[:MEANS]-(:Entity)-[r]-(:Entity)-[:MEANS]->(:Concept {cui: $second})
  WHERE r.source IS NOT NULL
  RETURN path
}
RETURN path LIMIT 50
