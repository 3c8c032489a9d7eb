// name: retracted_full_texts
// Full texts that can be quoted, of articles which another source says were retracted.
// :param source => ''
// :param examples => 5
// mends: load the notice of retraction in JATS, or unload the article
// fault: MATCH (d:Document)-[:FROM]->(s) WITH d, s LIMIT 1 SET d.id = 'DOI:10.1000/a' CREATE (:Document {id: 'PMID:1', title: 'A', doi: '10.1000/A', retracted: true, source: 's'})-[:FROM]->(s)
// returns: severity, source, keys, what, count, examples
MATCH (r:Document) WHERE r.retracted
UNWIND ['DOI:' + toLower(r.doi), 'PMC:' + r.pmc] AS id
MATCH (d:Document {id: id})
WHERE ($source = '' OR d.source = $source) AND NOT coalesce(d.retracted, false)
WITH DISTINCT d, r ORDER BY d.id
WITH coalesce(d.source, '') AS source, collect(d.id + ' (' + r.id + ')') AS found
RETURN 'error' AS severity, source, [source] AS keys, 'full texts of articles that were retracted' AS what,
       size(found) AS count, found[..$examples] AS examples
