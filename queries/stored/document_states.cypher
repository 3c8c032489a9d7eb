// name: document_states
// What is stored of documents about to be written: source, fingerprint, loads, and the ids of sections and open questions.
// :param ids => ['medquad:GARD_0000001']
// returns: id, source, hash, seen, load, revision, parts
UNWIND $ids AS id
MATCH (d:Document {id: id})-[f:FROM]->(s:Source)
USING INDEX SEEK d:Document(id)
RETURN id, s.id AS source, f.hash AS hash, f.seen AS seen, f.load AS load, coalesce(d.revision, '') AS revision,
       COLLECT { MATCH (d)-[:HAS_SECTION]->(x:Section) RETURN x.id }
       + COLLECT { MATCH (d)<-[:ANSWERED_AT]-(q:Question) WHERE NOT q.generated RETURN q.id } AS parts
