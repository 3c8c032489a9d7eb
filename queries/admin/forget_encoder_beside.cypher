// name: forget_encoder_beside
// Notes that there are no vectors of another encoder.
// returns:
MATCH (e:Encoder {id: 'beside'})
DELETE e
