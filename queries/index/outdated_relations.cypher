// name: outdated_relations
// Whether a relation that sections tell rests on a section that is gone.
// returns: outdated
MATCH (:Concept)-[r]->(:Concept|Term)
WHERE any(id IN r.sections WHERE NOT EXISTS { (:Section {id: id}) })
WITH r LIMIT 1
RETURN count(r) > 0 AS outdated
