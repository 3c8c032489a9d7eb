// name: sections_by_origin
// Sections of documents that came out in a journal, or that somebody wrote, and pages that answer questions.
// :param lucene => '+journal:("Lancet")'
// :param journal => 'lancet'
// :param author => []
// returns: id
CALL db.index.fulltext.queryNodes('document_origin', $lucene) YIELD node AS d
WHERE ($journal = '' OR any(name IN coalesce(d.folded, []) + coalesce([d.journal], [])
                            WHERE toLower(name) IN [$journal, 'the ' + $journal]))
  AND ($author = []
       OR any(name IN d.authors + coalesce(d.folded, []) WHERE any(words IN $author WHERE all(word IN words WHERE // each begins a word of the name
              ' ' + replace(replace(replace(toLower(name), ',', ' '), '.', ' '), '-', ' ') + ' ' CONTAINS ' ' + word))))
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(s:Section)
  RETURN s.id AS id
  UNION
  MATCH (d)<-[:ANSWERED_AT]-(:Question)
  RETURN d.id AS id
}
RETURN DISTINCT id
