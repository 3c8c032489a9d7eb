// name: write_concepts_joined
// Writes what concepts are called and which ids they have; one without a CUI of the UMLS has the id of its best entity.
// :param rows => [{cui: 'C0018099', name: 'gout', label: 'Disease', ids: ['DOID:13189', 'UMLS:C0018099'], near: null}]
// returns:
UNWIND $rows AS row
MERGE (c:Concept {cui: row.cui})
  ON CREATE SET c.derived = true, c.semantic_types = [], c.sources = []
SET c.label = row.label, c.ids = row.ids, c.near = row.near, c.title = row.name,
    c.name = CASE WHEN c.derived THEN row.name ELSE c.name END
