// name: sources_that_disagree
// Sources and collections of which one supports claims of kept answers that the other contradicts: how often, and on what.
// :param limit => 25
// returns: supports, contradicts, claims, examples
MATCH (s:Chunk)<-[:SUPPORTED_BY]-(c:Claim)-[:CONTRADICTED_BY]->(k:Chunk)
WITH CASE WHEN coalesce(s.collection, '') <> '' THEN s.source + '/' + s.collection ELSE s.source END AS supports,
     CASE WHEN coalesce(k.collection, '') <> '' THEN k.source + '/' + k.collection ELSE k.source END AS contradicts, c ORDER BY c.text
WITH supports, contradicts, collect(DISTINCT c.text) AS claims
RETURN supports, contradicts, size(claims) AS claims, claims[..3] AS examples
ORDER BY claims DESC, supports, contradicts LIMIT $limit
