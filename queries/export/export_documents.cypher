// name: export_documents
// Every document of some sources, whole, in the order of ids.
// :param sources => ['sample']
// returns: id, source, statement, sections, questions
CYPHER 25
MATCH (d:Document)
WHERE d.id > '' AND d.source IN $sources // the first of which lets the index give them in order
RETURN d.id AS id, d.source AS source, d {.*, id: null, source: null} AS statement,
       COLLECT { MATCH (d)-[:HAS_SECTION]->(s:Section) RETURN s {.*, sentence_vectors: null} ORDER BY s.position, s.id } AS sections,
       COLLECT { MATCH (d)<-[:ANSWERED_AT]-(q:Question) WHERE NOT q.generated RETURN q {.*} ORDER BY q.position, q.id } AS questions
ORDER BY id
