// name: concepts_of
// The concepts that ids are of: of concepts, or of entities that stand for them; nothing for what is no id.
// :param ids => ["DOID:13189", "C0018099"]
// returns: id, concept, name, label
UNWIND $ids AS id
CALL (id) {
  MATCH (c:Concept {cui: id})
  RETURN c
  UNION
  MATCH (:Entity {id: id})-[:MEANS]->(c:Concept)
  RETURN c
}
RETURN id, c.cui AS concept, coalesce(c.name, c.cui) AS name, coalesce([l IN labels(c) WHERE l <> 'Concept'][0], '') AS label
