// name: meaning_graph
// Who means the same and why, as a picture: the concepts that a name stands for, the entities joined there, and the sources of these. `MEANS` has method, score and evidence.
// :param name => 'Gout'
// returns: path
MATCH (e:Entity)-[:MEANS]->(c:Concept)
WHERE toLower(e.name) = toLower($name)
WITH DISTINCT c
MATCH path = (c)<-[:MEANS]-(:Entity)-[:FROM]->(:Source)
RETURN path
LIMIT 200
