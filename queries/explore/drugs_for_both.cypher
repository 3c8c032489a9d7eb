// name: drugs_for_both
// What treats each of two conditions, what most voices say of both first.
// :param first => 'Type 1 diabetes'
// :param second => 'Type 2 diabetes'
// :param limit => 25
// returns: treatment, for_first, for_second, score
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($first, '\\', ' '), '"', ' ') + '"') YIELD node AS a
WHERE toLower($first) IN a.names
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($second, '\\', ' '), '"', ' ') + '"') YIELD node AS b
WHERE toLower($second) IN b.names AND a <> b
MATCH (a)-[r:TREATED_BY]->(t:Concept)<-[s:TREATED_BY]-(b)
RETURN t.name AS treatment, r.sources AS for_first, s.sources AS for_second, round(r.score * s.score, 3) AS score
ORDER BY size(for_first) + size(for_second) DESC, score DESC, treatment LIMIT $limit
