// name: decisions
// What curators decided on pairs of entities.
// returns: one, other, status
MATCH (r:Review)
WHERE r.status IN ['accepted', 'rejected']
RETURN r.one AS one, r.other AS other, r.status AS status
ORDER BY one, other
