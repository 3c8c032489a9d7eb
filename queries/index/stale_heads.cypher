// name: stale_heads
// Takes up the concepts of whose relations sections may tell something else than before; what gets stale meanwhile waits.
// returns: heads
MATCH (head:Concept)
WHERE head.stale IS NOT NULL
SET head.stale = false
RETURN count(*) AS heads
