// name: record_kge_model
// Notes which model's vectors concepts are given from now on; not complete until all have theirs.
// :param name => 'RotatE'
// :param dimension => 96
// :param relations => ['IS_A']
// :param inverses => false
// :param weights => null
// :param card => '{}'
// returns:
MERGE (e:Encoder {id: 'kge'})
SET e.name = $name, e.dimension = $dimension, e.complete = false, e.relations = $relations, e.inverses = $inverses,
    e.weights = $weights, e.card = $card
