// name: contest_relations
// Notes of what does something against a condition, and of what brings it about or harms who has it, whether other voices say
// the opposite of the same two.
// returns: contested
CYPHER 25
CALL () {
  MATCH (d:Concept)-[r:TREATED_BY|PREVENTED_BY|CAUSED_BY|HAS_RISK_FACTOR|WORSENED_BY|CONTRAINDICATED_WITH]->(t:Concept)
  RETURN d, t, r, type(r) IN ['TREATED_BY', 'PREVENTED_BY'] AS helps
  UNION ALL
  MATCH (t:Concept)-[r:PALLIATES|HAS_SIDE_EFFECT]->(d:Concept)
  RETURN d, t, r, type(r) = 'PALLIATES' AS helps
}
WITH d, t, collect(r) AS said, count(DISTINCT helps) AS sides
WITH said, CASE sides WHEN 2 THEN 'contested' ELSE 'affirmed' END AS polarity
UNWIND said AS r
WITH r, polarity WHERE polarity = 'contested' OR r.polarity <> polarity
CALL (r, polarity) {
  WITH r, polarity WHERE r.polarity <> polarity
  SET r.polarity = polarity
} IN TRANSACTIONS OF 10000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
WITH polarity WHERE polarity = 'contested'
RETURN count(*) AS contested
