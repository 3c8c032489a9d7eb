// name: neighbourhood
// Everything one step from a disease, as a picture.
// :param name => 'Gout'
// returns: path
MATCH path = (:Disease {name: $name})--()
RETURN path
LIMIT 200
