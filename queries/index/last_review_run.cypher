// name: last_review_run
// The number of the last run that proposed equivalences.
// returns: run
OPTIONAL MATCH (r:Review)
RETURN max(r.run) AS run
