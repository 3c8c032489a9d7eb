// name: touch_entities
// Notes that a load has seen entities unchanged.
// :param ids => ['medquad:asthma']
// :param source => 'medquad'
// :param load => 'a load id'
// returns:
UNWIND $ids AS id
MATCH (:Entity {id: id})-[f:FROM]->(:Source {id: $source})
SET f.load = $load
