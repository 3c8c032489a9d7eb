// name: write_concepts_joined
// Writes what concepts are called, their category as a label, and which ids they have; one without a CUI of the UMLS has
// the id of its best entity.
// :param rows => [{cui: 'C0018099', name: 'gout', label: 'Disease', names: ['gout', 'podagra'], ids: ['DOID:13189', 'UMLS:C0018099'], near: null}]
// returns:
CYPHER 25
UNWIND $rows AS row
MERGE (c:Concept {cui: row.cui})
  ON CREATE SET c.derived = true, c.semantic_types = [], c.sources = []
WITH row, c
REMOVE c:$([l IN labels(c) WHERE l <> 'Concept' AND l <> row.label])
SET c:$(row.label), c.name = row.name, c.folded_name = toLower(row.name), c.names = row.names, c.ids = row.ids, c.near = row.near
