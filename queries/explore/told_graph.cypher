// name: told_graph
// What sections tell of a concept, as a picture: what it is related to by their words, those that most sections tell first. A relation has method, score, sections and the words.
// :param name => 'Gout'
// :param limit => 20
// returns: path
MATCH (e:Entity)-[:MEANS]->(c:Concept)
WHERE toLower(e.name) = toLower($name)
WITH DISTINCT c
MATCH path = (c)-[r]->(:Concept)
WHERE r.method = 'section'
RETURN path
ORDER BY r.sections DESC, r.score DESC LIMIT $limit
