// name: sections_by_notice
// Sections of documents with a notice of a kind, and pages that answer questions.
// :param lucene => 'notices:("erratum")'
// :param kind => 'erratum'
// returns: id
CALL db.index.fulltext.queryNodes('document_origin', $lucene) YIELD node AS d
WHERE any(notice IN d.notices WHERE notice STARTS WITH $kind)
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(s:Section)
  RETURN s.id AS id
  UNION
  MATCH (d)<-[:ANSWERED_AT]-(:Question)
  RETURN d.id AS id
}
RETURN DISTINCT id
