// name: complete_kge_model
// Notes that all concepts have their vectors.
// returns:
MATCH (e:Encoder {id: 'kge'})
SET e.complete = true
