// name: waiting_loads
// Whether a load could store more now: entities have come whose lack made it reject records, or which ones is not known; or a
// source is gone that had what its records claimed.
// :param load => 1
// :param most => 1000
// returns: load
MATCH (l:Load {id: $load})
WHERE l.rejected > 0
  AND (any(id IN l.held WHERE NOT EXISTS { (:Source {id: id}) }) OR l.lacked IS NULL OR size(l.lacked) >= $most
    OR EXISTS { MATCH (e:Entity) WHERE e.id IN l.lacked })
RETURN l.id AS load
