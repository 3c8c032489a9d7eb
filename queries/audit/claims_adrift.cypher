// name: claims_adrift
// Claims of kept answers that were supported, and of which the texts that supported them are in the graph no more.
// :param source => ''
// :param examples => 5
// mends: ask again with `medgraph ask --keep`, or `medgraph forget` the answer
// fault: MERGE (a:Answer {id: 'answer:0'}) CREATE (a)-[:MAKES]->(:Claim {id: 'answer:0#1', text: 'It rains.', verdict: 'supported'})
// returns: severity, source, keys, what, count, examples
MATCH (a:Answer)-[:MAKES]->(c:Claim {verdict: 'supported'})
WHERE $source = '' AND NOT EXISTS { (c)-[:SUPPORTED_BY]->() } AND size(coalesce(c.sources, [])) = 0
WITH a.id + ': ' + c.text AS example ORDER BY example
WITH count(*) AS count, collect(example)[..$examples] AS examples
WHERE count > 0
RETURN 'warning' AS severity, '' AS source, [''] AS keys, 'claims of kept answers whose evidence is gone' AS what, count, examples
