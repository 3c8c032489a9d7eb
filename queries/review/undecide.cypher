// name: undecide
// Takes a curator's decision back; the pair is proposed again if it was found, and forgotten if it was not.
// :param id => 'DOID:1|medquad:a'
// returns: former
MATCH (r:Review {id: $id})
WHERE r.status IN ['accepted', 'rejected']
WITH r, r.status AS former
SET r.status = 'proposed'
REMOVE r.decided
RETURN former
