// name: noted_nearest
// Pairs of entities with near names that wait for a curator.
// :param method => 'embedding'
// returns: one, other, evidence, score
MATCH (r:Review {method: $method, status: 'proposed'})
RETURN r.one AS one, r.other AS other, r.evidence AS evidence, r.score AS score
ORDER BY one, other
