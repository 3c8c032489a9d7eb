// name: review
// One equivalence that waits for a curator, was decided or refused, with what it rests on.
// :param id => 'DOID:1|medquad:a'
// returns: id, one, one_name, other, other_name, method, evidence, score, status, chain
MATCH (r:Review {id: $id})
OPTIONAL MATCH (a:Entity {id: r.one})
OPTIONAL MATCH (b:Entity {id: r.other})
RETURN r.id AS id, r.one AS one, a.name AS one_name, r.other AS other, b.name AS other_name, r.method AS method,
       r.evidence AS evidence, r.score AS score, r.status AS status, coalesce(r.chain, []) AS chain
