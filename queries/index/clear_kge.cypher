// name: clear_kge
// Forgets the vectors that were learned from relations.
// returns:
MATCH (c:Concept)
WHERE c.kge IS NOT NULL
CALL (c) {
  REMOVE c.kge, c.kge_bias
} IN TRANSACTIONS OF 2000 ROWS
