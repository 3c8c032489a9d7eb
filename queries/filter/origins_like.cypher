// name: origins_like
// Journals or authors with a word of a name, those of the most documents first.
// :param lucene => 'journal:("lancet")'
// :param field => 'journal'
// :param words => ['lancet']
// :param limit => 5
// returns: name
CALL db.index.fulltext.queryNodes('document_origin', $lucene, {limit: 200}) YIELD node AS d, score
UNWIND CASE $field WHEN 'journal' THEN [d.journal] ELSE d.authors END AS name
WITH name, score WHERE any(word IN $words WHERE toLower(name) CONTAINS word)
WITH name, max(score) AS score, count(*) AS documents
ORDER BY score DESC, documents DESC, name LIMIT $limit
RETURN name
