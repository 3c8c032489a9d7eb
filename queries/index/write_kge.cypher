// name: write_kge
// Stores vectors that were learned from relations, and where the model has such, what is added to the concept's score.
// :param rows => [{id: 'C0018099', vector: [0.1, 0.2], bias: null}]
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (c:Concept {cui: row.id})
SET c.kge = toFloatList(row.vector), c.kge_bias = row.bias
