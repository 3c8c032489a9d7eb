// name: settle_heads
// Notes that the relations are found that sections tell of what `stale_heads` took up.
// returns:
MATCH (head:Concept)
WHERE NOT head.stale
REMOVE head.stale
