// name: stored_documents
// Documents whole: their own properties, sections and questions in order, and what they are about.
// :param ids => ['medquad:GARD_0000001']
// returns: id, source, statement, sections, questions, hash, load
UNWIND $ids AS id
MATCH (d:Document {id: id})-[f:FROM]->(:Source)
USING INDEX SEEK d:Document(id)
RETURN id, d.source AS source, d {.*, id: null, source: null} AS statement,
       COLLECT { MATCH (d)-[:HAS_SECTION]->(s:Section) RETURN s {.*, sentence_vectors: null} ORDER BY s.position, s.id } AS sections,
       COLLECT { MATCH (d)<-[:ANSWERED_AT]-(q:Question) WHERE NOT q.generated RETURN q {.*} ORDER BY q.position, q.id } AS questions,
       f.hash AS hash, f.load AS load
