// name: told_graph
// What sections tell of a concept, as a picture: what it is related to by their words, those that most sections tell first. A relation has sections, their number, and the words.
// :param name => 'Gout'
// :param limit => 20
// returns: path
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($name, '\\', ' '), '"', ' ') + '"') YIELD node AS c
WHERE toLower($name) IN c.names
MATCH path = (c:Concept)-[r]->(:Concept)
WHERE r.told <> []
RETURN path
ORDER BY r.section_count DESC, r.score DESC LIMIT $limit
