// name: encoder
// The encoders that the graph has vectors of, the one that serves first, and in which place each has them.
// returns: name, dimension, slot
MATCH (e:Encoder) WHERE e.id IN ['text', 'beside']
RETURN e.name AS name, e.dimension AS dimension, coalesce(e.slot, '') AS slot
ORDER BY e.id = 'text' DESC
