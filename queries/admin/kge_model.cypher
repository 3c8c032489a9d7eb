// name: kge_model
// The model that learned the vectors of concepts from their relations: what asks it, and its card.
// returns: name, dimension, complete, relations, inverses, weights, card
MATCH (e:Encoder {id: 'kge'})
RETURN e.name AS name, e.dimension AS dimension, e.complete AS complete, e.relations AS relations, e.inverses AS inverses,
       e.weights AS weights, e.card AS card
