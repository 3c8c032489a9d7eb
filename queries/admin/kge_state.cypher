// name: kge_state
// Which model learned the vectors of concepts from their relations, and whether all are written; without what asks it.
// returns: name, dimension, complete
MATCH (e:Encoder {id: 'kge'})
RETURN e.name AS name, e.dimension AS dimension, e.complete AS complete
