// name: claim_graph
// Kept answers as a picture: the claims that each makes, and the chunks that support or contradict these, with the sections that these are of.
// :param question => 'gout'
// :param limit => 100
// returns: path
MATCH path = (a:Answer)-[:MAKES]->(c:Claim)
WHERE toLower(a.question) CONTAINS toLower($question)
OPTIONAL MATCH rest = (c)-[:SUPPORTED_BY|CONTRADICTED_BY]->(:Chunk)<-[:HAS_CHUNK]-(:Section)
WITH path, rest LIMIT $limit
UNWIND [p IN [path, rest] WHERE p IS NOT NULL] AS drawn
RETURN DISTINCT drawn AS path
