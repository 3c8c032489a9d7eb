// name: touch_entities
// Notes that a load has seen entities unchanged.
// :param ids => ['medquad:asthma']
// :param source => 'medquad'
// :param load => 'a load id'
// returns:
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[f:FROM]->(:Source {id: $source})
USING INDEX e:Entity(id)
SET f.load = $load
