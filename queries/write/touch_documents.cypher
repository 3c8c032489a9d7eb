// name: touch_documents
// Notes that a load has seen documents unchanged.
// :param ids => ['medquad:GARD_0000001']
// :param source => 'medquad'
// :param load => 'a load id'
// returns:
UNWIND $ids AS id
MATCH (d:Document {id: id})-[f:FROM]->(:Source {id: $source})
USING INDEX d:Document(id)
SET f.load = $load
