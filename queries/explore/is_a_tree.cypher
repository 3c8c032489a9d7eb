// name: is_a_tree
// The kinds of something below it, as paths to look at.
// :param name => 'respiratory disease'
// returns: path
MATCH path = (c:Concept)<-[:IS_A*1..4]-(:Concept)
USING SCAN c:Concept
WHERE toLower($name) IN c.names
RETURN path
LIMIT 200
