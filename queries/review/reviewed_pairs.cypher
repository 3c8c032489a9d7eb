// name: reviewed_pairs
// Decided and proposed equivalences, for an exchange of mappings.
// :param statuses => ['accepted', 'rejected']
// returns: one, one_name, other, other_name, method, evidence, score, status, decided
MATCH (r:Review)
WHERE r.status IN $statuses
OPTIONAL MATCH (a:Entity {id: r.one})
OPTIONAL MATCH (b:Entity {id: r.other})
RETURN r.one AS one, a.name AS one_name, r.other AS other, b.name AS other_name, r.method AS method, r.evidence AS evidence,
       r.score AS score, r.status AS status, toString(date(r.decided)) AS decided
ORDER BY one, other
