// name: meaning_graph
// Who means the same and why, as a picture: the concepts that a name stands for, the entities joined there, and the sources of these. `MEANS` has method, score and evidence.
// :param name => 'Gout'
// returns: path
MATCH path = (c:Concept)<-[:MEANS]-(:Entity)-[:FROM]->(:Source)
WHERE toLower($name) IN c.names
RETURN path
LIMIT 200
