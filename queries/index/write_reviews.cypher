// name: write_reviews
// Notes pairs of entities that wait for a curator, and those that were refused; what was decided stays so.
// :param rows => [{id: 'DOID:1|medquad:a', one: 'DOID:1', other: 'medquad:a', method: 'synonyms', evidence: 'a', score: 0.85, status: 'proposed', chain: []}]
// :param run => 1
// returns:
UNWIND $rows AS row
MERGE (r:Review {id: row.id})
  ON CREATE SET r.one = row.one, r.other = row.other
SET r.method = row.method, r.evidence = row.evidence, r.score = row.score, r.run = $run,
    r.status = CASE WHEN r.status IN ['accepted', 'rejected'] THEN r.status ELSE row.status END,
    r.chain = CASE WHEN row.status = 'refused' THEN row.chain ELSE null END
