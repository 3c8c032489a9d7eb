// name: create_kge_index
// Makes the vector index of concepts; so few and short vectors are kept as they are.
// :param dimension => 96
// returns:
CYPHER 25
CREATE VECTOR INDEX concept_kge IF NOT EXISTS
FOR (n:Concept) ON n.kge
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}
