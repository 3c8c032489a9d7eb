// name: entity_states
// What is stored of entities about to be written: the content hash that this source gave them, and the load.
// :param ids => ['medquad:asthma']
// :param source => 'medquad'
// returns: id, hash, load
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[f:FROM]->(:Source {id: $source})
USING INDEX e:Entity(id)
RETURN id, f.hash AS hash, f.load AS load
