// name: mention_graph
// What a section's text names, as a picture: its chunks and the concepts that they mention. `MENTIONS` has the words and their place, and whether they are negated or only possible.
// :param section => 'sample:asthma#2'
// returns: path
MATCH path = (:Section {id: $section})-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS]->(:Concept)
RETURN path
LIMIT 200
