// name: drop_reviews
// Forgets pairs that nothing proposes any more, unless a curator has decided on them.
// :param run => 1
// returns:
MATCH (r:Review)
WHERE r.status IN ['proposed', 'refused'] AND r.run <> $run
DELETE r
