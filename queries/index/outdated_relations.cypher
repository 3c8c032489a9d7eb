// name: outdated_relations
// Whether a relation that was found in texts rests on a section that is gone.
// returns: outdated
MATCH (:Concept)-[r]->(:Concept)
WHERE r.method = 'section' AND any(id IN r.evidence WHERE NOT EXISTS { (:Section {id: id}) })
WITH r LIMIT 1
RETURN count(r) > 0 AS outdated
