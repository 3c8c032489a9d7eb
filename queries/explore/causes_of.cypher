// name: causes_of
// What may cause a symptom: what is said to bring it about, and what has it as a symptom, complication or side effect; what
// most say first.
// :param symptom => 'Stroke'
// :param limit => 25
// returns: cause, relation, sources, sections, score
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($symptom, '\\', ' '), '"', ' ') + '"') YIELD node AS s
WHERE toLower($symptom) IN s.names
MATCH (s:Concept)-[r:CAUSED_BY|HAS_SYMPTOM|HAS_COMPLICATION|HAS_SIDE_EFFECT]-(x:Concept)
WHERE (startNode(r) = s) = (type(r) = 'CAUSED_BY')
RETURN x.name AS cause, type(r) AS relation, r.sources AS sources, r.section_count AS sections, r.score AS score
ORDER BY relation <> 'CAUSED_BY', size(sources) DESC, sections DESC, score DESC, cause LIMIT $limit
