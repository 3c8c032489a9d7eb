// name: known_entities
// Which of some entities the graph has.
// :param ids => ['DOID:13189']
// returns: id
UNWIND $ids AS id
MATCH (e:Entity {id: id})
RETURN e.id AS id
