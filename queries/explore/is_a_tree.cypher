// name: is_a_tree
// The kinds of disease below one, as paths to look at.
// :param name => 'respiratory disease'
// returns: path
MATCH path = (:Entity {name: $name})<-[:IS_A*1..4]-(:Entity)
RETURN path
LIMIT 200
