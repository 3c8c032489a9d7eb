// name: touch_documents
// Notes that a load has seen documents unchanged.
// :param ids => ['medquad:GARD_0000001']
// :param load => 1
// returns:
UNWIND $ids AS id
MATCH (d:Document {id: id})-[f:FROM]->(:Source)
USING INDEX SEEK d:Document(id)
SET f.seen = $load
