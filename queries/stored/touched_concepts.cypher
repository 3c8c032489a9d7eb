// name: touched_concepts
// Concepts whose relations may not be what sources state any more: of entities of which a load wrote relations, or any load
// where none is given; and, where something is gone, all that these sources are said to state.
// :param sources => ['medquad']
// :param load => 1
// :param gone => true
// returns: concept, weight
CALL () {
  MATCH (e:Entity)-[r]->(o:Entity)
  WHERE r.source IN $sources AND r.load = coalesce($load, r.load) AND EXISTS { ()-[:MEANS]->() }
  UNWIND [e, o] AS end
  MATCH (end)-[:MEANS]->(c:Concept)
  RETURN DISTINCT c
  UNION
  MATCH (c:Concept)-[r]->(:Concept)
  WHERE $gone AND any(source IN r.stated WHERE source IN $sources)
  RETURN DISTINCT c
}
RETURN c.cui AS concept, 1 + reduce(n = 0, degree IN COLLECT { MATCH (c)<-[:MEANS]-(e) RETURN COUNT { (e)--() } } | n + degree) AS weight
