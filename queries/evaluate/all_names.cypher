// name: all_names
// Every name and concept that the graph knows.
// returns: names, concepts
CALL () {
  MATCH (e:Entity)
  UNWIND [e.name] + coalesce(e.synonyms, []) AS name
  RETURN collect(DISTINCT name) AS names
}
CALL () {
  MATCH (c:Concept)
  RETURN collect(c.cui) AS concepts
}
RETURN names, concepts
