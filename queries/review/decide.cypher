// name: decide
// Notes a curator's decision on an equivalence.
// :param id => 'DOID:1|medquad:a'
// :param one => 'DOID:1'
// :param other => 'medquad:a'
// :param status => 'accepted'
// returns: id, former
OPTIONAL MATCH (old:Review {id: $id})
WITH old.status AS former
MERGE (r:Review {id: $id})
  ON CREATE SET r.one = $one, r.other = $other, r.method = 'curated', r.evidence = '', r.score = 1.0, r.run = 0
SET r.status = $status, r.decided = datetime()
RETURN r.id AS id, former
