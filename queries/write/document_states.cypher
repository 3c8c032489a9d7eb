// name: document_states
// What is stored of documents about to be written: source, content hash, load, and the ids of sections and open questions.
// :param ids => ['medquad:GARD_0000001']
// returns: id, source, hash, load, parts
UNWIND $ids AS id
MATCH (d:Document {id: id})-[f:FROM]->(s:Source)
USING INDEX d:Document(id)
RETURN id, s.id AS source, f.hash AS hash, f.load AS load,
       COLLECT { MATCH (d)-[:HAS_SECTION]->(x:Section) RETURN x.id }
       + COLLECT { MATCH (d)<-[:ANSWERED_AT]-(q:Question) RETURN q.id } AS parts
