// name: write_kge
// Stores vectors that were learned from relations, in half the room that a list takes, and where the model has such, what is added to the concept's score.
// :param ids => ['C0018099']
// :param vectors => [[0.1, 0.2]]
// :param biases => []
// returns:
CYPHER 25
UNWIND range(0, size($ids) - 1) AS i
MATCH (c:Concept {cui: $ids[i]})
SET c.kge_bias = $biases[i]
WITH c, i
CALL db.create.setNodeVectorProperty(c, 'kge', $vectors[i])
