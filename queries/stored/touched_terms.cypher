// name: touched_terms
// Terms that no section tells of, or of which sections of these sources are said to tell.
// :param sources => ['medquad']
// returns: id
MATCH (t:Term)
WHERE NOT EXISTS { (t)<-[:TELLS_OF]-(:Section) }
   OR EXISTS { MATCH (t)<-[r]-(:Concept) WHERE any(source IN r.told WHERE source IN $sources) }
RETURN t.id AS id
