// name: record_encoder
// Notes which encoder makes the graph's vectors.
// :param name => 'all-MiniLM-L6-v2'
// :param dimension => 384
// returns:
MERGE (e:Encoder {id: 'text'})
SET e.name = $name, e.dimension = $dimension
