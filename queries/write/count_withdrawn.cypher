// name: count_withdrawn
// Counts what a load has withdrawn.
// :param load => 1
// :param count => 500
// returns:
MATCH (l:Load {id: $load})
SET l.withdrawn = l.withdrawn + $count
