// name: documents_with_both
// Documents with a passage that mentions two things, those with the most such passages first.
// :param first => 'Atrial fibrillation'
// :param second => 'Stroke'
// :param limit => 25
// returns: document, title, passages, source
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($first, '\\', ' '), '"', ' ') + '"') YIELD node AS a
WHERE toLower($first) IN a.names
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($second, '\\', ' '), '"', ' ') + '"') YIELD node AS b
WHERE toLower($second) IN b.names
MATCH (a:Concept)<-[m:MENTIONS]-(k:Chunk)-[n:MENTIONS]->(b:Concept)
WHERE NOT m.negated AND NOT n.negated
RETURN k.document AS document, k.title AS title, count(DISTINCT k) AS passages, k.source AS source
ORDER BY passages DESC, document LIMIT $limit
