// name: is_a_tree
// The kinds of disease below one, as paths to look at.
// :param name => 'respiratory disease'
// returns: path
MATCH path = (e:Entity)<-[:IS_A*1..4]-(:Entity)
WHERE e.name IN [$name, toLower($name), toUpper($name), toUpper(left($name, 1)) + toLower(substring($name, 1))]
RETURN path
LIMIT 200
