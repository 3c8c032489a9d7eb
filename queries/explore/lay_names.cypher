// name: lay_names
// Clinical names for a lay one, and the other way round: all names of the concepts that are called so.
// :param name => 'heart attack'
// returns: concept, name, names
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($name, '\\', ' '), '"', ' ') + '"') YIELD node AS c
WHERE toLower($name) IN c.names
RETURN c.cui AS concept, c.name AS name, c.names AS names
ORDER BY name
