// name: kinds_above
// What a disease is a kind of, step by step, as paths to look at.
// :param name => 'Type 2 diabetes'
// returns: path
MATCH path = (:Entity {name: $name})-[:IS_A*1..6]->(:Entity)
RETURN path
LIMIT 200
