// name: kinds_above
// What a disease is a kind of, step by step, as paths to look at.
// :param name => 'Type 2 diabetes'
// returns: path
MATCH path = (e:Entity)-[:IS_A*1..6]->(:Entity)
WHERE e.name IN [$name, toLower($name), toUpper($name), toUpper(left($name, 1)) + toLower(substring($name, 1))]
RETURN path
LIMIT 200
