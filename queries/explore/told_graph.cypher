// name: told_graph
// What sections tell of a concept, as a picture: what it is related to by their words, those that most sections tell first. A relation has sections, their number, and the words.
// :param name => 'Gout'
// :param limit => 20
// returns: path
MATCH path = (c:Concept)-[r]->(:Concept)
USING SCAN c:Concept
WHERE toLower($name) IN c.names AND r.told <> []
RETURN path
ORDER BY r.section_count DESC, r.score DESC LIMIT $limit
