// name: neighbourhood
// Everything one step from a disease, as a picture.
// :param name => 'Gout'
// returns: path
MATCH path = (e:Entity:Disease)--()
WHERE e.name IN [$name, toLower($name), toUpper($name), toUpper(left($name, 1)) + toLower(substring($name, 1))]
RETURN path
LIMIT 200
