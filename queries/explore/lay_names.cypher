// name: lay_names
// Clinical names for a lay one, and the other way round: all names of the concepts that are called so.
// :param name => 'heart attack'
// returns: concept, title, names
MATCH (e:Entity)-[:MEANS]->(c:Concept)
WHERE toLower(e.name) = toLower($name) OR any(s IN coalesce(e.synonyms, []) WHERE toLower(s) = toLower($name))
WITH DISTINCT c
MATCH (c)<-[:MEANS]-(m:Entity)
WITH c, reduce(all = [], part IN collect([m.name] + coalesce(m.synonyms, [])) | all + part) AS names
UNWIND names AS name
WITH c, name ORDER BY toLower(name)
RETURN c.cui AS concept, c.name AS title, collect(DISTINCT name) AS names
ORDER BY title
