// name: count_withdrawn
// Counts what a load has withdrawn, and which entities of that stay as stubs.
// :param load => 1
// :param count => 500
// :param stubs => 2
// returns:
MATCH (l:Load {id: $load})
SET l.withdrawn = l.withdrawn + $count, l.stubs = coalesce(l.stubs, 0) + $stubs
