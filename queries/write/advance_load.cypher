// name: advance_load
// Notes how far a load has come, in the transaction that stores what it read.
// :param load => 'a load id'
// :param counts => {position: 500, added: 500, changed: 0, unchanged: 0, rejected: 0}
// returns:
MATCH (l:Load {id: $load})
SET l += $counts
