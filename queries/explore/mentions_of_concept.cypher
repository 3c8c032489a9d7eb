// name: mentions_of_concept
// Where texts mention a concept: the surest mentions first.
// :param concept => 'C0018099'
// :param limit => 25
// returns: document, section, type, start, end, surface, method, score, negated, uncertain
MATCH (c:Concept {cui: $concept})<-[m:MENTIONS]-(:Chunk)<-[:HAS_CHUNK]-(s:Section)<-[:HAS_SECTION]-(d:Document)
RETURN d.title AS document, s.id AS section, s.type AS type, m.start AS start, m.end AS end, m.surface AS surface,
       m.method AS method, m.score AS score, m.negated AS negated, m.uncertain AS uncertain
ORDER BY score DESC, section, start LIMIT $limit
