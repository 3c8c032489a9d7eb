// name: neighbourhood
// What goes with something, as a picture: its relations to other concepts, those that most voices say first.
// :param name => 'Gout'
// :param limit => 50
// returns: path
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($name, '\\', ' '), '"', ' ') + '"') YIELD node AS c
WHERE toLower($name) IN c.names
MATCH path = (c:Concept)-[r]-(:Concept)
RETURN path
ORDER BY size(r.sources) DESC, r.section_count DESC, r.score DESC LIMIT $limit
