// name: who_treats
// What a condition is treated by, or what a drug or treatment treats, with the sources that state it and those whose texts tell
// it; what most say first. Either name may be left empty.
// :param drug => ''
// :param condition => 'Gout'
// :param limit => 25
// returns: condition, treatment, stated, told, sections, score, polarity
MATCH (c:Concept)-[r:TREATED_BY]->(t:Concept)
WHERE ($condition <> '' OR $drug <> '')
  AND ($condition = '' OR toLower($condition) IN c.names) AND ($drug = '' OR toLower($drug) IN t.names)
RETURN c.name AS condition, t.name AS treatment, r.stated AS stated, r.told AS told, r.section_count AS sections, r.score AS score,
       r.polarity AS polarity
ORDER BY size(r.sources) DESC, sections DESC, score DESC, treatment, condition LIMIT $limit
