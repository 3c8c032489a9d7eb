// name: stored_meanings
// Which concept each entity stands for, and why.
// returns: entity, concept, method, score, evidence
MATCH (e:Entity)-[m:MEANS]->(c:Concept)
RETURN e.id AS entity, c.cui AS concept, m.method AS method, m.score AS score, m.evidence AS evidence
