// name: meaning_graph
// Who means the same and why, as a picture: the concepts that a name stands for, the entities joined there, and the sources of these. `MEANS` has method, score and evidence.
// :param name => 'Gout'
// returns: path
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($name, '\\', ' '), '"', ' ') + '"') YIELD node AS c
WHERE toLower($name) IN c.names
MATCH path = (c:Concept)<-[:MEANS]-(:Entity)-[:FROM]->(:Source)
RETURN path
LIMIT 200
