// name: symptoms_to_diseases
// Diseases whose symptoms are described in such words (Lucene syntax), best first.
// :param words => 'swollen painful joint'
// returns: disease, score, section, says
CALL db.index.fulltext.queryNodes('section_text', $words, {limit: 500}) YIELD node AS s, score
WHERE s.type = 'symptoms'
MATCH (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(e:Entity:Disease)
RETURN coalesce(e.name, e.id) AS disease, score, s.id AS section, left(s.text, 200) AS says
ORDER BY score DESC, disease
LIMIT 25
