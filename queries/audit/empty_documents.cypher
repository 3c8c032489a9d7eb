// name: empty_documents
// Documents that hold neither a section nor a question nor a text in another language, by their source, unless retracted.
// :param source => ''
// :param examples => 5
// mends: nothing, where the page has no text; else correct the source
// returns: severity, source, keys, what, count, examples
MATCH (d:Document)
WHERE ($source = '' OR d.source = $source) AND NOT coalesce(d.retracted, false)
  AND d.translations IS NULL AND NOT EXISTS { (d)-[:HAS_SECTION]->() } AND NOT EXISTS { (d)<-[:ANSWERED_AT]-() }
WITH coalesce(d.source, '') AS source, d ORDER BY d.id
RETURN 'note' AS severity, source, [source] AS keys, 'documents without a section and without a question' AS what,
       count(*) AS count, collect(d.id + ': ' + coalesce(d.title, ''))[..$examples] AS examples
