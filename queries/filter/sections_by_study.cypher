// name: sections_by_study
// Sections of documents of a kind of study, by publication types or article types, and pages that answer questions.
// :param lucene => 'publication_types:("practice guideline") article_type:("practice guideline")'
// :param words => ["guideline", "practice guideline"]
// returns: id
CALL db.index.fulltext.queryNodes('document_study', $lucene) YIELD node AS d
WHERE any(kind IN coalesce(d.publication_types, []) + [d.article_type] WHERE kind IS :: STRING NOT NULL AND toLower(kind) IN $words)
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(s:Section)
  RETURN s.id AS id
  UNION
  MATCH (d)<-[:ANSWERED_AT]-(:Question)
  RETURN d.id AS id
}
RETURN DISTINCT id
