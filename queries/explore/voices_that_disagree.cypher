// name: voices_that_disagree
// What can hardly both be so: a treatment that is also told to bring a condition about, and two of which each is a kind, symptom, cause or complication of the other.
// :param limit => 25
// returns: disagreement, one, other, says, against
CALL () {
  MATCH (d:Concept)-[r:TREATED_BY|CAUSED_BY|HAS_RISK_FACTOR|HAS_SYMPTOM|HAS_COMPLICATION]->(t:Concept)
  RETURN d, t, type(r) AS said, r.sources AS sources, r.evidence AS evidence
  UNION ALL
  MATCH (d:Concept)<-[:MEANS]-(:Entity)-[r:TREATED_BY|PREVENTED_BY|CAUSED_BY|HAS_RISK_FACTOR|HAS_SYMPTOM|HAS_COMPLICATION|IS_A]->(:Entity)-[:MEANS]->(t:Concept)
  WHERE d <> t
  RETURN d, t, type(r) AS said, [r.source] AS sources, coalesce(r.evidence, []) AS evidence
  UNION ALL
  MATCH (t:Concept)<-[:MEANS]-(:Entity)-[r:TREATS|PALLIATES|HAS_SIDE_EFFECT]->(:Entity)-[:MEANS]->(d:Concept)
  RETURN d, t, type(r) AS said, [r.source] AS sources, coalesce(r.evidence, []) AS evidence
}
WITH d, t, said, said + ': ' + reduce(s = '', x IN sources | s + x + ' ') + reduce(s = '', x IN evidence[..2] | s + x + ' ') AS voice
UNWIND CASE
  WHEN said IN ['TREATED_BY', 'PREVENTED_BY', 'TREATS', 'PALLIATES'] THEN [{what: 'treats it and brings it about', turned: false, first: true}]
  WHEN said IN ['HAS_RISK_FACTOR', 'HAS_SIDE_EFFECT'] THEN [{what: 'treats it and brings it about', turned: false, first: false}]
  WHEN said = 'CAUSED_BY' THEN [{what: 'treats it and brings it about', turned: false, first: false},
                                {what: 'CAUSED_BY each other', turned: d.cui > t.cui, first: d.cui < t.cui}]
  ELSE [{what: said + ' each other', turned: d.cui > t.cui, first: d.cui < t.cui}]
END AS side
WITH side.what AS what, CASE WHEN side.turned THEN t ELSE d END AS a, CASE WHEN side.turned THEN d ELSE t END AS b,
     collect(DISTINCT CASE WHEN side.first THEN trim(voice) END) AS says, collect(DISTINCT CASE WHEN NOT side.first THEN trim(voice) END) AS against
WHERE says <> [] AND against <> []
RETURN what AS disagreement, a.name AS one, b.name AS other, says, against
ORDER BY what STARTS WITH 'treats' DESC, what, size(says) + size(against) DESC, one, other LIMIT $limit
