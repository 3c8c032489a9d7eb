// name: waiting_for_review
// Equivalences that wait for a curator, and those that were refused, with what they rest on; all, or those found in one way.
// :param status => 'proposed'
// :param method => ''
// :param limit => 25
// returns: id, one, one_name, other, other_name, method, evidence, score, status, chain
MATCH (r:Review {status: $status})
WHERE $method IN ['', r.method]
OPTIONAL MATCH (a:Entity {id: r.one})
OPTIONAL MATCH (b:Entity {id: r.other})
RETURN r.id AS id, r.one AS one, a.name AS one_name, r.other AS other, b.name AS other_name, r.method AS method,
       r.evidence AS evidence, r.score AS score, r.status AS status, coalesce(r.chain, []) AS chain
ORDER BY score DESC, id LIMIT $limit
