// name: write_concepts
// Links entities to the concepts that a source says they stand for.
// :param rows => [{id: 'medquad:asthma', source: 'medquad', concepts: ['C0004096'], semantic_types: ['T047']}]
// returns:
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
USING INDEX SEEK e:Entity(id)
UNWIND row.concepts AS cui
MERGE (c:Concept {cui: cui})
MERGE (e)-[h:HAS_CUI {source: row.source}]->(c)
SET h.semantic_types = row.semantic_types
