// name: told_concepts
// Conditions of which relations tell something, and what is given to treat or to prevent one; a page of them, in the order of their ids.
// :param after => ''
// :param limit => 500
// returns: id
MATCH (c:Concept)
WHERE c.cui > $after AND (
  (c:Disease|Symptom|Phenotype|SideEffect AND (
    EXISTS { (c)-[:HAS_SYMPTOM|CAUSED_BY|HAS_RISK_FACTOR|HAS_COMPLICATION|DIAGNOSED_BY|TREATED_BY|PREVENTED_BY]->() }
    OR EXISTS { (c)<-[:PALLIATES]-(:Concept) }))
  OR (c:Drug|Chemical|DrugClass|Treatment AND (
    EXISTS { (c)<-[:TREATED_BY|PREVENTED_BY]-(:Concept) } OR EXISTS { (c)-[:PALLIATES|HAS_SIDE_EFFECT]->() })))
RETURN c.cui AS id ORDER BY id LIMIT $limit
