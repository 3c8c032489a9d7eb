// name: encoder
// The encoder that made the graph's vectors.
// returns: name, dimension
MATCH (e:Encoder {id: 'text'})
RETURN e.name AS name, e.dimension AS dimension
