// name: switch_encoders
// Lets the other encoder serve, and the one that served stand beside it.
// returns: name
MATCH (serving:Encoder {id: 'text'}), (other:Encoder {id: 'beside'})
WITH serving, other, properties(serving) AS former, properties(other) AS next
SET serving.name = next.name, serving.dimension = next.dimension, serving.slot = next.slot,
    other.name = former.name, other.dimension = former.dimension, other.slot = coalesce(former.slot, '')
RETURN serving.name AS name
