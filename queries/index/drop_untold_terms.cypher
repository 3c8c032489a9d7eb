// name: drop_untold_terms
// Removes terms that no section tells of any more.
// returns: removed
MATCH (t:Term)
WHERE NOT EXISTS { (t)<-[:TELLS_OF]-() }
DETACH DELETE t
RETURN count(*) AS removed
