// name: sections_by_heading
// Sections of documents under MeSH headings, which a document links to or only names, and pages that answer questions.
// :param ids => ['MESH:D001249']
// :param names => ['asthma']
// :param lucene => 'mesh_headings:("asthma")'
// returns: id
CALL () {
  UNWIND $ids AS id
  MATCH (:Entity {id: id})<-[:ABOUT]-(d:Document)
  RETURN d
  UNION
  CALL db.index.fulltext.queryNodes('document_origin', $lucene) YIELD node AS d
  WHERE any(heading IN d.mesh_headings WHERE toLower(heading) IN $names)
  RETURN d
}
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(s:Section)
  RETURN s.id AS id
  UNION
  MATCH (d)<-[:ANSWERED_AT]-(:Question)
  RETURN d.id AS id
}
RETURN DISTINCT id
