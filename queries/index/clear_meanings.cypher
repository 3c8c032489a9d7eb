// name: clear_meanings
// Forgets which concepts entities stand for that stand for none any more.
// :param ids => ['medquad:gout']
// returns:
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[m:MEANS]->()
DELETE m
