// name: documents_with_both
// Documents with a passage that mentions two things, those with the most such passages first.
// :param first => 'Atrial fibrillation'
// :param second => 'Stroke'
// :param limit => 25
// returns: document, title, passages, source
MATCH (a:Concept)<-[m:MENTIONS]-(k:Chunk)-[n:MENTIONS]->(b:Concept)
USING SCAN a:Concept
USING SCAN b:Concept
WHERE toLower($first) IN a.names AND toLower($second) IN b.names AND NOT m.negated AND NOT n.negated
RETURN k.document AS document, k.title AS title, count(DISTINCT k) AS passages, k.source AS source
ORDER BY passages DESC, document LIMIT $limit
