// name: unseen_records
// How many records a source has, and how many of them only of loads before this one.
// :param sources => ['medquad']
// :param load => 1
// returns: records, unseen
CALL () {
  MATCH (s:Source)<-[f:FROM]-(:Document|Entity)
  WHERE s.id IN $sources
  RETURN count(f) AS records, count(CASE WHEN f.seen <> $load THEN 1 END) AS unseen
  UNION ALL
  MATCH (:Entity)-[r]->(:Entity)
  WHERE r.source IN $sources AND r.hash IS NOT NULL
  RETURN count(r) AS records, count(CASE WHEN r.seen <> $load THEN 1 END) AS unseen
}
RETURN sum(records) AS records, sum(unseen) AS unseen
