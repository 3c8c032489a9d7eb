// name: who_treats
// What a condition is treated by, or what a drug or treatment treats, with the sources that state it and those whose texts tell
// it; what most say first. Either name may be left empty.
// :param drug => ''
// :param condition => 'Gout'
// :param limit => 25
// returns: condition, treatment, stated, told, sections, score, polarity
WITH CASE $condition WHEN '' THEN $drug ELSE $condition END AS name
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace(name, '\\', ' '), '"', ' ') + '"') YIELD node AS n
WHERE toLower(name) IN n.names
MATCH (n)-[r:TREATED_BY]-(:Concept)
WITH n, r, startNode(r) AS c, endNode(r) AS t
WHERE CASE $condition WHEN '' THEN t = n ELSE c = n AND ($drug = '' OR toLower($drug) IN t.names) END
RETURN c.name AS condition, t.name AS treatment, r.stated AS stated, r.told AS told, r.section_count AS sections, r.score AS score,
       r.polarity AS polarity
ORDER BY size(r.sources) DESC, sections DESC, score DESC, treatment, condition LIMIT $limit
