// name: neighbourhood
// What goes with something, as a picture: its relations to other concepts, those that most voices say first.
// :param name => 'Gout'
// :param limit => 50
// returns: path
MATCH path = (c:Concept)-[r]-(:Concept)
USING SCAN c:Concept
WHERE toLower($name) IN c.names
RETURN path
ORDER BY size(r.sources) DESC, r.section_count DESC, r.score DESC LIMIT $limit
