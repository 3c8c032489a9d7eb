// name: is_a_tree
// The kinds of something below it, as paths to look at.
// :param name => 'respiratory disease'
// returns: path
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($name, '\\', ' '), '"', ' ') + '"') YIELD node AS c
WHERE toLower($name) IN c.names
MATCH path = (c:Concept)<-[:IS_A*1..4]-(:Concept)
RETURN path
LIMIT 200
