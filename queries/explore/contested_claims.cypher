// name: contested_claims
// Claims of kept answers that some text contradicts, with what speaks for each and against it: those contradicted the most surely first.
// :param limit => 25
// returns: claim, question, said_by, for, against_by, against, score
MATCH (a:Answer)-[:MAKES]->(c:Claim)-[no:CONTRADICTED_BY]->(k:Chunk)
WITH a, c, max(no.score) AS score, collect(DISTINCT k.source) AS against_by, collect(DISTINCT coalesce(no.quote, k.text))[..3] AS against
OPTIONAL MATCH (c)-[yes:SUPPORTED_BY]->(s:Chunk)
WITH a, c, score, against_by, against, collect(DISTINCT s.source) AS texts, collect(DISTINCT coalesce(yes.quote, s.text))[..3] AS for
RETURN c.text AS claim, a.question AS question, texts + [x IN coalesce(c.sources, []) WHERE NOT x IN texts] AS said_by, for,
       against_by, against, score
ORDER BY score DESC, claim, question LIMIT $limit
