// name: record_encoder_beside
// Notes of which other encoder vectors are made, and in which place.
// :param name => 'other'
// :param dimension => 384
// :param slot => '_b'
// returns:
MERGE (e:Encoder {id: 'beside'})
SET e.name = $name, e.dimension = $dimension, e.slot = $slot
