// name: remove_terms
// Removes what documents tell of terms, before these documents go: the relations that rest on their sections, and terms
// that no other section tells of.
// :param ids => ['medquad:GARD_0000001']
// returns:
UNWIND $ids AS id
MATCH (:Document {id: id})-[:HAS_SECTION]->(s:Section)-[told:TELLS_OF]->(t:Term)
OPTIONAL MATCH (:Concept)-[r]->(t) WHERE r.evidence = [s.id]
DELETE told, r
WITH DISTINCT t
WHERE NOT EXISTS { (t)<-[:TELLS_OF]-() }
DETACH DELETE t
