// name: decide_told
// Notes a curator's decision on a relation that models told of sections, or takes it back; its relations are then stale.
// :param head => 'DOID:1'
// :param relation => 'HAS_SYMPTOM'
// :param tail => 'SYMP:1'
// :param status => 'accepted'
// returns: former
MATCH (e:Entity)<-[t:TELLS {head: $head, relation: $relation, tail: $tail}]-(:Section)
WHERE e.id IN [$head, $tail] AND ($status IS NOT NULL OR t.decided IS NOT NULL)
WITH e, t, t.status AS former, coalesce(t.former, t.status) AS found
SET t.status = coalesce($status, found), t.former = CASE WHEN $status IS NULL THEN null ELSE found END,
    t.decided = CASE WHEN $status IS NULL THEN null ELSE datetime() END
WITH e, former
OPTIONAL MATCH (e)-[:MEANS]->(c:Concept)
SET c.stale = true
RETURN DISTINCT former
