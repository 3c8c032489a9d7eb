// name: drop_derived_concepts
// Removes concepts that no source states and that no entity stands for any more.
// returns: removed
MATCH (c:Concept {derived: true})
WHERE NOT EXISTS { (c)<-[:MEANS]-() } AND NOT EXISTS { (c)<-[:HAS_CUI]-() }
DETACH DELETE c
RETURN count(*) AS removed
